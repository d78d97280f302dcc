# shellcheck shell=sh
# Sourced: keeps compiled dependencies in a cache folder outside the clone, shared by all clones. What is built for use
# stays in the clone's own `target`, so that two clones never run each other's program.
#   REPORECALL_CACHE   the folder; default: ~/.cache/reporecall. `none` turns the cache off.

reporecall_cache="${REPORECALL_CACHE:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/reporecall}"

# Cargo never deletes from a build folder: one that has outgrown this many KiB is started afresh.
reporecall_cache_limit=20000000

use_cargo_cache() {
    if [ "$reporecall_cache" = none ] || [ -n "${CARGO_BUILD_BUILD_DIR:-}${CARGO_TARGET_DIR:-}" ]; then
        return 0
    fi
    build="$reporecall_cache/build"
    if ! mkdir -p "$build" 2>/dev/null || [ ! -w "$build" ]; then
        return 0
    fi
    if [ "$(du -sk "$build" | cut -f1)" -gt "$reporecall_cache_limit" ]; then
        rm -rf "${build:?}"/*
    fi
    export CARGO_BUILD_BUILD_DIR="$build"
}
