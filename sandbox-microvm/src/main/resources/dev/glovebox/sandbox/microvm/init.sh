#!/bin/busybox sh
# The first program of the guest: finds the root image and leaves everything else to the agent.
set -e
export PATH=/
while read -r module; do
  /bin/busybox insmod "/$module.ko"
done </modules
/bin/busybox mount -t devtmpfs none /dev
until [ -b /dev/vda ]; do /bin/busybox usleep 10000; done
/bin/busybox mount -t ext4 -o ro,nodev /dev/vda /root
/bin/busybox umount /dev
exec /bin/busybox switch_root /root /usr/bin/python3 -I -S /glovebox/agent.py
