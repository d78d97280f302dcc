# shellcheck shell=bash

log_line() {
  printf '%s\n' "$*"
}

log_info() {
  log_line info "$@"
}

log_debug() {
  [[ -n ${DEBUG:-} ]] && log_line debug "$@"
}

log_lines() {
  while read -r line; do
    log_line "$line"
  done
}

die() {
  log_line error "$@"
  exit 1
}
