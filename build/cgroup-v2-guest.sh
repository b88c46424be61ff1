#!/bin/bash
# The first process of the virtual machine of on-cgroup-v2.sh: runs tests in every place of the hierarchy where a JVM
# may find itself, and says at the end whether all went well.
set -uo pipefail
export PATH=/usr/sbin:/usr/bin LANG=C.UTF-8

cgroups=/sys/fs/cgroup
somebody=1000
# In the words of the tests: what an ordinary user cannot have.
expected_skip='as root|Only root'
failed=0
cases=0

prepare() {
  mount -t devtmpfs dev /dev
  exec </dev/null >/dev/ttyS0 2>&1
  mount -t proc proc /proc
  mount -t sysfs sys /sys
  mount -t tmpfs -o mode=1777 tmp /tmp
  # The temporary files are in memory.
  mkdir -m 1777 /disk
  mount -t cgroup2 cgroup2 "$cgroups"
  # Tests listen on the loopback interface.
  python3 -c 'import fcntl, socket, struct; fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh", b"lo", 1))'
  # Without it nothing would show that boxes are kept from it.
  dd if=/dev/zero of=/swap bs=1M count=512 status=none && chmod 600 /swap && mkswap -q /swap && swapon /swap
  printf 'Linux %s, %s\n' "$(uname -r)" "$(mount | grep cgroup)"
}

# Makes a group that has the controllers, as systemd does.
group() { # PATH
  local parent=$cgroups name
  for name in ${1//\// }; do
    echo '+memory +pids +cpu +io' >"$parent/cgroup.subtree_control"
    parent+=/$name
    mkdir -p "$parent"
  done
}

# Gives a group to the user, as systemd does for Delegate=yes.
delegate() { # PATH
  chown "$somebody:$somebody" "$cgroups/$1" "$cgroups/$1"/cgroup.{procs,threads,subtree_control}
}

# Runs tests in a JVM that is in the group.
tests() { # CASE USER GROUP CLASSES
  local home=/tmp/home-$((++cases)) start=$SECONDS
  mkdir -p "$home/tmp"
  chown -R "$2:$2" "$home"
  (
    echo "$BASHPID" >"$cgroups/$3/cgroup.procs" || exit
    cd "$home" || exit
    exec setpriv --reuid "$2" --regid "$2" --clear-groups -- /opt/jdk/bin/java --enable-native-access=ALL-UNNAMED \
      -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData "-Duser.home=$home" "-Djava.io.tmpdir=$home/tmp" \
      -Dglovebox.required-tiers=jail -Dglovebox.disk=/disk -Dglovebox.slowness=5 -Djunit.jupiter.execution.timeout.mode=disabled \
      -cp '/opt/glovebox/classes:/opt/glovebox/test-classes:/opt/glovebox/lib/*' \
      dev.glovebox.sandbox.lifetime.RemoteTests "$home/report" dev.glovebox.sandbox ".*\.($4)"
  ) >"$home/log" 2>&1
  judge "$1" "$home" $((SECONDS - start))
}

# Tests that did not run, or were skipped because there is no cgroup, are failures here.
judge() { # CASE HOME SECONDS
  local bad
  touch "$2/report"
  bad=$(grep -v '^PASSED' "$2/report" | grep -vE "^SKIPPED.*($expected_skip)")
  printf '%s: %d passed, %d failed, %d skipped, %d s\n' "$1" "$(grep -c '^PASSED' "$2/report")" \
    "$(grep -c '^FAILED' "$2/report")" "$(grep -c '^SKIPPED' "$2/report")" "$3"
  if [[ -n $bad ]] || ! grep -q '^PASSED' "$2/report"; then
    failed=1
    printf '%s\n' "$bad"
    tail -n 20 "$2/log"
  fi
}

# Puts a process into the group that is not ours to move.
crowd() { # GROUP
  (
    echo "$BASHPID" >"$cgroups/$1/cgroup.procs"
    exec sleep 100000
  ) &
}

prepare

# Nothing is enabled yet, and all processes are at the top.
tests 'root, at the top of the hierarchy' 0 . CgroupV2Test

group system.slice/jail.service
tests 'root, alone in a group' 0 system.slice/jail.service 'CgroupV2Test|JailLimitsTest|JailDiskRateTest|JailHostileTest'

group user.slice/session.scope
crowd user.slice/session.scope
tests 'root, in a group with others' 0 user.slice/session.scope CgroupV2Test

# Below systemd's manager of a user all groups are the user's.
manager=user.slice/user-$somebody.slice/user@$somebody.service
group "$manager/app.slice/alone.scope"
group "$manager/app.slice/crowded.scope"
for one in "$manager" "$manager"/app.slice{,/alone.scope,/crowded.scope}; do delegate "$one"; done
tests 'a user, alone in a delegated group' "$somebody" "$manager/app.slice/alone.scope" 'CgroupV2Test|Jail\w+Test'

# No cgroup can be had here: the receipt must say so, and a policy that wants one must be refused.
crowd "$manager/app.slice/crowded.scope"
tests 'a user, in a delegated group with others: supervised' "$somebody" "$manager/app.slice/crowded.scope" SupervisedChecks

if ((failed == 0)); then echo 'glovebox: all of it passed with cgroup v2'; fi
echo o >/proc/sysrq-trigger
sleep 60
