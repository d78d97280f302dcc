#!/bin/sh
# Stands alone: nothing of the other scripts is seen here.

usage() {
  echo "backup.sh folder"
}

rotate() {
  rm -f "$1.old"
}

main() {
  [ $# -gt 0 ] || usage
  rotate "$1"
  push "$1"
}

main "$@"
