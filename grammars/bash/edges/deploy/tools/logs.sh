#!/bin/sh

usage() {
  echo "logs.sh host"
}

rotate() {
  usage
}

push() {
  : "$1"
}

rotate "$@"
