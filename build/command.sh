# shellcheck shell=bash
# Builds what ./glovebox starts.
# shellcheck disable=SC2154 # root, home, stamp and sources are set by ./glovebox

# shellcheck source=build/common.sh
source "$root/build/common.sh"

# What the start-up caches are trained on: the more of a usual command is run, the more of it starts fast. But
# all that a cache holds is loaded at every start, so what few commands need is in a second one.
train() { # APP
  echo 'print(42)' >"$GLOVEBOX_HOME/training.py"
  local usual=(exec "$GLOVEBOX_HOME/training.py")
  trained "$1" cache.aot "${usual[@]}" + exec --json -- /bin/true + --version + "${usual[@]}" ||
    trained "$1" cache.aot exec --tier process --json -- /bin/true
}

train_wide() { # APP
  echo 'console.log(42)' >"$GLOVEBOX_HOME/training.js"
  DOCKER_HOST=unix://$GLOVEBOX_HOME/engine trained "$1" wide.aot exec --tier container -- /bin/true + \
    exec --tier wasm "$GLOVEBOX_HOME/training.js" + run 'mean and median of 2, 4 and 9' + --version
}

# The flags agree with those of ./glovebox. A cache is there when it is complete, or not at all.
trained() { # APP CACHE COMMAND...
  local app=$1 cache=$2 limit=(env)
  shift 2
  # In the foreground, so that Ctrl-C reaches the command as well.
  if timeout --foreground 1 true 2>/dev/null; then limit=(timeout --foreground 180); fi
  "${limit[@]}" "$java_home/bin/java" --enable-native-access=ALL-UNNAMED -Xlog:disable -Xlog:all=off -XX:-UsePerfData \
    -XX:+UseSerialGC -XX:AOTCacheOutput="$app/$cache.new" -Dglovebox.services="$app/services" \
    -cp "$app/own/*:$app/lib/*" dev.glovebox.cli.Training "$@" && mv "$app/$cache.new" "$app/$cache"
}

build_command() {
  local log=$home/build.log now
  find_jdk
  find_maven
  mkdir -p "$home" 2>/dev/null || true
  now=$(digest)
  if [[ ! -w $home ]]; then
    is_current "$now" || die "has to build but cannot write $home: start it once as the owner of $root."
    return
  fi
  # Two first starts at once: the second waits, then finds the work done.
  exec 9<"$root/cli"
  lock 9
  touch "$home/started"
  now=$(digest)
  if is_current "$now"; then
    write_stamp "$(head -n 1 "$stamp")"
    exec 9<&-
    return
  fi

  SECONDS=0
  # Maven answers Ctrl-C with an exit code, which would look like a failed build.
  trap 'echo >&2; exit 130' INT
  progress 'building (first use, or sources changed)'
  rm -rf "$root/cli/target/launcher/dependency"
  if ! maven -q -Dglovebox.launcher -pl cli -am package >"$log" 2>&1 9<&-; then
    end_progress 'failed'
    build_errors "$log" >&2
    die "the build failed; all of its output is in $log"
  fi
  assemble
  printf '%s\n' "$now" >"$home/digest"
  end_progress "done in $SECONDS s"
  trap - INT
  exec 9<&-
}

# A touched file or a branch switched to and back is no reason to build.
is_current() { # DIGEST
  local app
  [[ -f $stamp && -f $home/digest && $(<"$home/digest") == "$1" ]] || return 1
  read -r app <"$stamp"
  [[ -d $home/$app ]]
}

# Of the sources and of the JDK, whose start-up cache fits no other.
digest() {
  (cd "$root" && find "${sources[@]#"$root/"}" "$java_home/release" -type f -exec cksum {} + | LC_ALL=C sort | cksum)
}

# Each build gets a new folder, so that a command that is running keeps its jars; the one before the last goes.
assemble() {
  local app old
  app=$(mktemp -d "$home/app.XXXXXX")
  chmod 755 "$app"
  # Ours come first: a class that the cache lacks is looked for in one jar after the other.
  mkdir "$app/own" "$app/lib"
  cp "$root"/cli/target/launcher/*.jar "$root"/cli/target/launcher/dependency/glovebox-*.jar "$app/own"
  cp "$root"/cli/target/launcher/dependency/*.jar "$app/lib"
  rm "$app"/lib/glovebox-*.jar
  # Without it the cache leaves out picocli, whose class files are of Java 5; that costs a quarter of the start.
  "$java_home/bin/java" "$root/build/NewClassFiles.java" "$app"/lib/picocli-*.jar >>"$home/build.log" 2>&1 || true
  "$java_home/bin/java" "$root/build/ServiceIndex.java" "$app/services" "$app/own" "$app/lib" >>"$home/build.log" 2>&1 ||
    rm -rf "$app/services"
  make_caches "$app" >>"$home/build.log" 2>&1 </dev/null 9<&- || true
  old=''
  if [[ -f $stamp ]]; then read -r old <"$stamp"; fi
  write_stamp "${app##*/}"
  for app in "$home"/app.*; do
    case ${app##*/} in
      "$old" | "$(head -n 1 "$stamp")") ;;
      *) rm -rf "$app" ;;
    esac
  done
}

# State goes to a folder that is thrown away. Nothing of a real container engine is touched.
make_caches() ( # APP
  GLOVEBOX_HOME=$(mktemp -d)
  export GLOVEBOX_HOME
  "$java_home/bin/java" "$root/build/RehearsalEngine.java" "$GLOVEBOX_HOME/engine" &
  trap 'kill "$!"; rm -rf "$GLOVEBOX_HOME"' EXIT
  train "$1" || true
  train_wide "$1" || true
  rm -f "$1"/*.aot.*
)

# It bears the time at which the build began: whatever changed since then is newer.
write_stamp() { # APP
  printf '%s\n' "$1" "$java_home" "${JAVA_HOME-}" >"$stamp.new"
  touch -r "$home/started" "$stamp.new"
  mv "$stamp.new" "$stamp"
}

lock() { # DESCRIPTOR; macOS has no flock command, but perl
  if command -v flock >/dev/null; then
    flock "$1"
  else
    perl -MFcntl=:flock -e 'open(F, "<&=", $ARGV[0]) && flock(F, LOCK_EX) or die $!' "$1"
  fi
}

# One line on stderr; a terminal sees the seconds go by.
progress() { # TEXT
  progress_text=$1 ticker=''
  printf 'glovebox: %s... ' "$1" >&2
  if [[ -t 2 ]]; then
    (while sleep 1; do printf '\rglovebox: %s... %d s ' "$1" "$SECONDS" >&2; done) 9<&- &
    ticker=$!
    trap 'kill "$ticker" 2>/dev/null || true' EXIT
  fi
}

end_progress() { # TEXT
  if [[ -n $ticker ]]; then
    kill "$ticker" || true
    wait "$ticker" || true
    trap - EXIT
    printf '\rglovebox: %s... ' "$progress_text" >&2
  fi 2>/dev/null
  printf '%s\n' "$1" >&2
}

# Maven says everything twice, adds advice on Maven, and resets the terminal's colours where there are none; without
# an error line of its own, all of it.
build_errors() { # LOG
  awk '{ gsub(/\033\[[0-9;]*m/, "") }
  /^\[ERROR\]/ {
    sub(/^\[ERROR\] */, ""); last = sub(/ *-> \[Help 1\].*/, "")
    if ($0 != "" && !seen[$0]++) { print; found = 1 }
    if (last) exit
  }
  END { exit !found }' "$1" || tail -n 30 "$1"
}
