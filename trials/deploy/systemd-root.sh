#!/bin/sh
# Makes a throw-away copy of this computer's files and boots systemd on the copy, in separate
# namespaces: nothing outside is affected. trials/deploy/systemd.ts runs this file with unshare(1).
set -eu
home=/run/backboard-systemd
mkdir -p $home
mount -t tmpfs -o size=4g tmpfs $home
mkdir $home/changed $home/work $home/root
mount -t overlay overlay -o lowerdir=/,upperdir=$home/changed,workdir=$home/work $home/root
cd $home/root

mount -t proc proc proc
# Read-only, because the copy shares the computer's kernel settings.
mount --bind proc/sys proc/sys
mount -o remount,ro,bind proc/sys
if test -e proc/sysrq-trigger; then
  mount --bind proc/sysrq-trigger proc/sysrq-trigger
  mount -o remount,ro,bind proc/sysrq-trigger
fi
mount -t sysfs -o ro sysfs sys
mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup
mkdir sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
while read -r name major minor; do mknod -m 666 dev/"$name" c "$major" "$minor"; done <<END
null 1 3
zero 1 5
full 1 7
random 1 8
urandom 1 9
tty 5 0
END
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd

# Boot without the computer's mounts and services.
: >etc/fstab
for unit in remount-fs sysctl udevd udev-trigger modules-load binfmt logind timesyncd networkd \
  resolved; do ln -sf /dev/null etc/systemd/system/systemd-$unit.service; done
hostname backboard-systemd
ip link set lo up

exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  setpriv --bounding-set -sys_time,-sys_module,-sys_boot,-sys_rawio \
  chroot . /lib/systemd/systemd --system --unit=basic.target --log-target=journal --show-status=no
