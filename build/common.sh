# shellcheck shell=bash
# What ./glovebox and ./check share: finding the JDK and Maven, installing what is missing.
# Bash 3.2 must do (macOS).
# shellcheck disable=SC2154 # root is set by whoever sources this

oldest_java=25

die() {
  printf 'glovebox: %s\n' "$*" >&2
  exit 125
}

# Reads the version from the release file: starting each candidate would take longer than the command.
is_jdk() { # HOME
  local line version
  [[ -x $1/bin/javac && -r $1/release ]] || return 1
  while IFS= read -r line; do
    if [[ $line == JAVA_VERSION=* ]]; then
      version=${line#JAVA_VERSION=}
      version=${version//\"/}
      version=${version%%[!0-9]*}
      ((${version:-0} >= oldest_java))
      return
    fi
  done <"$1/release"
  return 1
}

# Sets java_home.
find_jdk() {
  local candidate on_path
  on_path=$(command -v java || true)
  if [[ -n $on_path ]]; then on_path=$(readlink -f "$on_path" || true); fi
  for candidate in "${JAVA_HOME-}" "${on_path%/bin/java}" \
    /usr/lib/jvm/* /opt/* "${HOME-}"/.sdkman/candidates/java/* "${HOME-}"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    if [[ -n $candidate ]] && is_jdk "$candidate"; then
      java_home=$candidate
      return
    fi
  done
  die "needs a JDK $oldest_java or newer and found none (in JAVA_HOME, PATH, /usr/lib/jvm, /opt, ~/.sdkman, ~/.jdks).
Install one, for example with: apt-get install openjdk-$oldest_java-jdk | dnf install java-$oldest_java-openjdk-devel |
brew install openjdk@$oldest_java | sdk install java $oldest_java-tem; or unpack one and set JAVA_HOME to it."
}

find_maven() {
  command -v mvn >/dev/null || die "needs Maven (mvn) to build and found none in PATH. Type: $(install_command maven)"
}

# Runs Maven on the JDK that find_jdk found. The options still warnings about Maven's own libraries.
maven() {
  JAVA_HOME=$java_home \
    MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS-}" \
    mvn -B -ntp -f "$root/pom.xml" "$@"
}

# Whether a command line will want the jail: it runs programs, and names no other tier.
needs_bubblewrap() {
  local argument previous=''
  case ${1-} in
    exec | run | prove | eval | serve | mcp | bench) ;;
    trace)
      case ${2-} in
        replay | resume) ;;
        *) return 1 ;;
      esac
      ;;
    *) return 1 ;;
  esac
  for argument; do
    case $previous$argument in
      *-h | *--help) return 1 ;;
      --tier=jail | --tierjail) return 0 ;;
      --tier=* | --tier?*) return 1 ;;
    esac
    if [[ $argument == -- ]]; then break; fi
    previous=''
    if [[ $argument == --tier ]]; then previous=--tier; fi
  done
}

may_install() {
  [[ ${GLOVEBOX_NO_INSTALL:-0} == 0 && $EUID == 0 ]] && command -v apt-get >/dev/null
}

install_command() { # PACKAGE...
  local sudo=''
  if [[ $EUID != 0 ]]; then sudo='sudo '; fi
  if command -v apt-get >/dev/null; then
    printf '%sapt-get update && %sapt-get install -y %s' "$sudo" "$sudo" "$*"
  elif command -v dnf >/dev/null; then
    printf '%sdnf install -y %s' "$sudo" "$*"
  elif command -v pacman >/dev/null; then
    printf '%spacman -S --noconfirm %s' "$sudo" "$*"
  elif command -v zypper >/dev/null; then
    printf '%szypper install -y %s' "$sudo" "$*"
  elif command -v apk >/dev/null; then
    printf '%sapk add %s' "$sudo" "$*"
  elif command -v brew >/dev/null; then
    printf 'brew install %s' "$*"
  else
    printf '(your package manager) install %s' "$*"
  fi
}

# The package lists may be missing or old, as in a fresh container: then once more with new ones.
apt_install() { # PACKAGE...
  local output install=(apt-get -o DPkg::Lock::Timeout=120 install -y -qq "$@")
  export DEBIAN_FRONTEND=noninteractive
  printf 'glovebox: installing %s with apt-get... ' "$*" >&2
  if output=$("${install[@]}" 2>&1 || { apt-get update -qq && "${install[@]}"; } 2>&1); then
    printf 'done\n' >&2
  else
    printf 'failed:\n%s\n' "$output" >&2
    return 1
  fi
}

need() { # PACKAGE...
  may_install || die "needs $* and may not install it. Type: $(install_command "$@")"
  apt_install "$@" || die "could not install $*. Type: $(install_command "$@")"
}
