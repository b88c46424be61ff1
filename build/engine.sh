#!/usr/bin/env bash
# A container engine for the time of a check: all it keeps is in one folder, and nothing of another
# engine is touched.
#
#   engine.sh start FOLDER     prints its address, once it answers
#   engine.sh stop FOLDER
set -euo pipefail

action=${1:?start or stop}
folder=${2:?a folder}

alive() { [[ -s $folder/pid ]] && kill -0 "$(<"$folder/pid")" 2>/dev/null; }

start() {
  local options=() runsc attempt
  if runsc=$(command -v runsc); then
    # Its other platform, KVM, hangs on machines where the device opens but does not work.
    printf '#!/bin/sh\nexec %q --platform=ptrace --network=none "$@"\n' "$runsc" >"$folder/runsc"
    chmod +x "$folder/runsc"
    options+=(--add-runtime "runsc=$folder/runsc")
  fi
  setsid dockerd --data-root "$folder/data" --exec-root "$folder/exec" --pidfile "$folder/pid" \
    --host "unix://$folder/sock" --bridge=none --iptables=false --ip-forward=false \
    ${options[@]+"${options[@]}"} </dev/null >"$folder/log" 2>&1 &
  for ((attempt = 0; attempt < 300; attempt++)); do
    if timeout 5 docker --host "unix://$folder/sock" version >/dev/null 2>&1; then
      printf 'unix://%s\n' "$folder/sock"
      return
    fi
    sleep 0.1
  done
  tail -n 3 "$folder/log" >&2
  stop
  return 1
}

stop() {
  local attempt mount process
  if alive; then
    kill "$(<"$folder/pid")" || true
    for ((attempt = 0; attempt < 150; attempt++)); do
      alive || break
      sleep 0.1
    done
    if alive; then kill -KILL "$(<"$folder/pid")" || true; fi
  fi
  # What a killed engine had started names its folder.
  for process in /proc/[0-9]*; do
    if grep -qsF -- "$folder/" "$process/cmdline" && [[ ${process#/proc/} != "$$" ]]; then
      kill -KILL "${process#/proc/}" 2>/dev/null || true
    fi
  done
  while read -r _ mount _; do
    if [[ $mount == "$folder"/* ]]; then umount -l "$mount" || true; fi
  done < <(tac /proc/mounts)
  rm -rf "$folder"
}

case $action in
  start) start ;;
  stop) stop ;;
esac
