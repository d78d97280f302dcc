#!/usr/bin/env bash
set -euo pipefail

DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$DIR/lib/log.sh"
. "${DIR}/lib/remote.sh"

cleanup() {
  log_info "done"
}

function build {
  local target=$1
  make "$target" || die "build"
}

push() {
  if ! remote_check "$1"; then
    die "no host"
  fi
  remote_copy out "$1"
  result=$(remote_run "$1" uptime)
  echo "$result" | log_lines
}

main() {
  trap cleanup EXIT
  usage "$@"
  build all
  push "$1" && log_info pushed
  rotate
  "$1" all
  (
    log_debug "in a subshell"
  )
}

usage() {
  echo "deploy.sh host"
}

main "$@"
