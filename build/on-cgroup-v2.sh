#!/usr/bin/env bash
# Runs the jail's tests on a kernel with the controllers of cgroup v2: in a virtual machine that has a Debian kernel
# and the programs of this machine. Needs what ./check has built.
set -euo pipefail

root=$(CDPATH='' cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=build/common.sh
source "$root/build/common.sh"

# It has ext4, NVMe and the serial port built in, so it needs no initial disk. GLOVEBOX_KERNEL names another one.
kernel_package=linux-image-cloud-amd64
# Against hanging only. The processor is emulated: hardware virtualization is seldom to be had in a virtual machine.
most_minutes=90
passed='glovebox: all of it passed with cgroup v2'

find_programs() {
  local missing=()
  [[ $(uname -sm) == 'Linux x86_64' ]] || die 'the tests with cgroup v2 need Linux on x86_64'
  command -v dpkg-query >/dev/null || die 'the tests with cgroup v2 need a Debian-like machine'
  command -v qemu-system-x86_64 >/dev/null || missing+=(qemu-system-x86)
  command -v mke2fs >/dev/null || missing+=(e2fsprogs)
  command -v bwrap >/dev/null || missing+=(bubblewrap)
  [[ -x /usr/bin/python3 ]] || missing+=(python3)
  if ((${#missing[@]} > 0)); then need "${missing[@]}"; fi
}

# Sets kernel. One that is missing is unpacked and not installed, which would change how this machine starts.
find_kernel() {
  local one package
  kernel=${GLOVEBOX_KERNEL-}
  for one in /boot/vmlinuz-*-cloud-amd64; do
    if [[ -z $kernel && -r $one ]]; then kernel=$one; fi
  done
  if [[ -n $kernel ]]; then return; fi
  may_install || die "needs a kernel and may not download it. Type: $(install_command "$kernel_package")"
  package=$(kernel_dependency)
  if [[ -z $package ]]; then
    apt-get update -qq || true
    package=$(kernel_dependency)
  fi
  [[ -n $package ]] || die "needs a kernel, and apt does not know $kernel_package: set GLOVEBOX_KERNEL to the file of one"
  printf 'glovebox: downloading %s... ' "$package" >&2
  # As root apt wants to write as a user that cannot enter our folder, and warns.
  (cd "$scratch" && apt-get -o APT::Sandbox::User=root download -qq "$package" && dpkg-deb -x "$package"_*.deb kernel) \
    >"$scratch/log" 2>&1 || die "could not download $package: $(<"$scratch/log")"
  printf 'done\n' >&2
  kernel=$(echo "$scratch"/kernel/boot/vmlinuz-*)
}

kernel_dependency() {
  apt-cache depends "$kernel_package" 2>/dev/null | awk '$2 ~ /^linux-image-[0-9]/ { print $2; exit }'
}

# Copies programs to the same place in the guest, with what they are links to.
take() { # FILE...
  local file
  for file; do
    cp -a --parents -- "$file" "$guest"
    cp -a --parents -- "$(readlink -f -- "$file")" "$guest"
  done
  take_libraries "$@"
}

take_libraries() { # FILE...
  local library
  while read -r library; do
    if [[ $library != "$java_home"/* && ! -e $guest$library ]]; then cp -L --parents -- "$library" "$guest"; fi
  done < <(ldd "$@" 2>/dev/null | sed -n 's,^[^/]*\(/[^ :]*\) (0x.*,\1,p')
}

programs_of() { # PACKAGE...
  local file
  dpkg-query -L "$@" | grep -E '^(/usr)?/s?bin/.' | while read -r file; do
    if [[ -f $file && -r $file ]]; then echo "$file"; fi
  done
}

fill_guest() {
  local folder files library
  mkdir -p "$guest"/{usr/{bin,sbin,lib,lib64},proc,sys,dev,tmp,run,etc,opt/glovebox}
  for folder in bin sbin lib lib64; do ln -s "usr/$folder" "$guest/$folder"; done
  mapfile -t files < <(programs_of bash coreutils util-linux mount grep sed procps findutils diffutils)
  take "${files[@]}" "$(type -P bwrap)" /usr/bin/python3
  if [[ -x /usr/bin/node ]]; then take /usr/bin/node; fi
  ln -sf bash "$guest/usr/bin/sh"
  # File names of the tests are not all ASCII. Newer C libraries have this locale built in.
  if [[ -d /usr/lib/locale/C.utf8 ]]; then
    mkdir -p "$guest/usr/lib/locale"
    cp -a /usr/lib/locale/C.utf8 "$guest/usr/lib/locale"
  fi

  library=$(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
  cp -a --parents "$library" "$guest"
  cp -a "$java_home" "$guest/opt/jdk"
  rm -rf "$guest"/opt/jdk/{jmods,legal,man,lib/src.zip}
  mapfile -t files < <(find "$library" "$java_home/" -name '*.so')
  take_libraries "${files[@]}"

  cp -a "$root"/sandbox/target/{classes,test-classes} "$guest/opt/glovebox"
  maven -q -pl sandbox dependency:copy-dependencies -DincludeScope=test "-DoutputDirectory=$guest/opt/glovebox/lib" \
    >"$scratch/log" 2>&1 || die "the libraries of the tests could not be copied: $(<"$scratch/log")"
  printf 'root:x:0:0::/:/bin/bash\nsomebody:x:1000:1000::/:/bin/bash\n' >"$guest/etc/passwd"
  printf 'root:x:0:\nsomebody:x:1000:\n' >"$guest/etc/group"
  install -m 755 "$root/build/cgroup-v2-guest.sh" "$guest/init"
}

run_guest() {
  local options=(-accel 'tcg,thread=multi' -cpu max -smp 2 -m 3G -nodefaults -display none -no-reboot -serial stdio)
  mke2fs -q -t ext4 -O ^has_journal -m 0 -d "$guest" "$scratch/disk" 1500M >"$scratch/log" 2>&1 ||
    die "the disk could not be made: $(<"$scratch/log")"
  options+=(-drive "file=$scratch/disk,if=none,id=disk,format=raw,cache=unsafe" -device 'nvme,drive=disk,serial=disk')
  options+=(-kernel "$kernel" -append 'root=/dev/nvme0n1 rootfstype=ext4 rw init=/init console=ttyS0 quiet loglevel=1 panic=-1 mitigations=off')
  timeout --foreground "${most_minutes}m" qemu-system-x86_64 "${options[@]}" </dev/null | sed -u 's,\r$,,' | tee "$scratch/console"
}

find_jdk
find_maven
[[ -d $root/sandbox/target/test-classes ]] || die 'the tests with cgroup v2 need what ./check builds: run that first'
# Those of a home folder, such as shims, are not in the guest.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
guest=$scratch/guest
find_programs
find_kernel
fill_guest
run_guest || true
# The guest says so as its last word; whatever else went wrong, it did not.
grep -qxF "$passed" "$scratch/console" || die 'the tests with cgroup v2 failed'
