# shellcheck shell=bash
source "$(dirname "${BASH_SOURCE[0]}")/log.sh"

remote_check() {
  ping -c 1 "$1" > /dev/null
}

remote_run() {
  remote_check "$1" || die "down"
  ssh "$@"
}

remote_copy() {
  scp "$@"
  remote_run "$2" sync
}
