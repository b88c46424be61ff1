# The one process of ours inside a jail: it keeps the scratch alive between commands and starts
# them. All confinement is on it already, and children inherit it.
#
# Orders come on standard input as NUL-terminated fields:
#   run ID DIRECTORY COUNT WORD… COUNT NAME=VALUE…      clear
# A command's channels are FIFOs named after its ID in this directory. On "status" the outer side
# hears "ready" and the command's process, or why not.
#
# Each command has a parent of its own, which stops itself before the command begins: a stopped
# parent does not collect its dead child, so the kernel keeps the child's exact end to be read.
#
# User code runs as the same user and could tamper with this process; it gains nothing, since
# nothing here has more authority than the program itself.

set -m # every command gets a process group of its own and no ignored signals

start() {
  set -m
  exec 3>"$id.status" 4<"$id.in" 5>"$id.out" 6>"$id.err" || exit
  parent=$BASHPID
  {
    cd -- "$directory" || { echo "nodirectory" >&3; exit; }
    unset PWD OLDPWD
    for variable in "${variables[@]}"; do
      case $variable in PATH=*) PATH=${variable#*=} ;; esac
    done
    type -P -- "${words[0]}" >/dev/null || { echo "nocommand" >&3; exit; }
    # Not by export: half a hundred names mean something to this shell itself.
    if [ "${#variables[@]}" -gt 0 ]; then
      words=(/usr/bin/env -- "${variables[@]}" "${words[@]}")
    fi
    # Where memory runs out, the program dies rather than its parent.
    echo 500 >/proc/self/oom_score_adj
    echo "ready $BASHPID" >&3
    until read -r state <"/proc/$parent/stat" && [[ $state == *') '[Tt]' '* ]]; do
      [ -d "/proc/$parent" ] || exit
    done
    exec -- "${words[@]}" <&4 >&5 2>&6 3>&- 4>&- 5>&- 6>&-
  } &
  exec 3>&- 4>&- 5>&- 6>&-
  kill -STOP "$BASHPID" # until it is killed
}

# The resource limits are the arguments: options and values of ulimit.
while [ $# -gt 0 ]; do
  ulimit "$1" "$2" || exit
  shift 2
done
echo "ready"
exec >/dev/null 2>&1

while read -r -d '' order; do
  if [ "$order" = clear ]; then
    kill -KILL -1 # everything in this box but the init process and this shell
    continue
  fi
  read -r -d '' id && read -r -d '' directory && read -r -d '' count &&
    mapfile -d '' -t -n "$count" words && read -r -d '' count || exit
  variables=()
  if [ "$count" -gt 0 ]; then
    mapfile -d '' -t -n "$count" variables || exit
  fi
  start &
done
