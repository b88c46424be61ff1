#!/usr/bin/env bash
# Builds the benchmarks and runs them: build/bench.sh [--rounds N] [--virtual] [--json] [NAME...]
# build/bench.sh waiting tells how much memory a run takes that waits.
set -euo pipefail

root=$(CDPATH='' cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=build/common.sh
source "$root/build/common.sh"

find_jdk
find_maven
built=$root/bench/target/launcher
rm -rf "$built/dependency"
maven -q -Dglovebox.launcher -pl bench -am package >&2
mkdir -p "$built/scratch"
main=Main
if [[ ${1-} == waiting ]]; then main=Waiting; fi
# JMH gives the JVMs that it starts the same options. The scratch is not in /tmp, which may be memory and not a disk.
exec "$java_home/bin/java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
  -Dslf4j.internal.verbosity=ERROR -Djava.io.tmpdir="$built/scratch" -cp "$built/*:$built/dependency/*" "dev.glovebox.bench.$main" "$@"
