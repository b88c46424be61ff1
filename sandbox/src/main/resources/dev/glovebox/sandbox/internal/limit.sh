# Sets resource limits on itself, shows on descriptor 3 what the kernel made of them, and becomes the
# program. Arguments: options and values of ulimit, --, the program and its arguments.
while [ "$1" != -- ]; do
  ulimit "$1" "$2" || exit 125
  shift 2
done
shift
mapfile limits </proc/self/limits
printf '%s' "${limits[@]}" >&3
exec 3>&-
unset PWD OLDPWD
exec -- "$@"
