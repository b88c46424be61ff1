"""The guest as all boxes have it, and what a program gives up before it runs."""
import ctypes
import fcntl
import os
import resource
import signal
import socket
import stat
import struct
import time

USER = 60000
GROUP = "/sys/box"
TEMPORARY = "/tmp"
SCRATCH = TEMPORARY + "/scratch"
NODEV, NOSUID, RDONLY, NOEXEC = 4, 2, 1, 8
LIBC = ctypes.CDLL(None, use_errno=True)
NODES = {"null": (1, 3), "zero": (1, 5), "full": (1, 7), "random": (1, 8), "urandom": (1, 9), "tty": (5, 0)}


def mount(source, target, kind, flags=0, options=""):
    if LIBC.mount(source.encode(), target.encode(), kind.encode(), flags, options.encode()) != 0:
        raise OSError(ctypes.get_errno(), "mount " + target)


def text_of(path):
    with open(path) as file:
        return file.read()


def put(path, text):
    with open(path, "w") as file:
        file.write(str(text))


def numbers_of(path):
    return {key: int(value) for key, value in (line.split() for line in text_of(path).splitlines())}


def prepare():
    """Sets up what all boxes have in common and gives the port."""
    mount("none", "/dev", "devtmpfs")
    # Without a console these three are not even open, and the port would become one of them.
    while (null := os.open("/dev/null", os.O_RDWR)) <= 2:
        pass
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)
    while not (ports := [name for name in os.listdir("/dev") if name.startswith("vport")]):
        time.sleep(0.01)
    port = os.open("/dev/" + ports[0], os.O_RDWR | os.O_CLOEXEC)
    entropy = os.open("/dev/urandom", os.O_WRONLY | os.O_CLOEXEC)
    mount("none", "/dev", "tmpfs", NOSUID | NOEXEC, "size=64k,mode=755")
    os.umask(0)
    for name, (major, minor) in NODES.items():
        os.mknod("/dev/" + name, 0o666 | stat.S_IFCHR, os.makedev(major, minor))
    for name, target in (("fd", "/proc/self/fd"), ("stdin", "/proc/self/fd/0"),
                         ("stdout", "/proc/self/fd/1"), ("stderr", "/proc/self/fd/2"), ("shm", TEMPORARY)):
        os.symlink(target, "/dev/" + name)
    mount("none", "/dev", "tmpfs", 32 | RDONLY | NOSUID | NOEXEC)
    mount("none", "/proc", "proc", NOSUID | NODEV | NOEXEC, "hidepid=invisible")
    mount("none", "/sys", "cgroup2", NOSUID | NODEV | NOEXEC)
    os.chmod("/sys", 0o700)
    put("/sys/cgroup.subtree_control", "+memory +pids +cpu")
    os.mkdir(GROUP)
    os.umask(0o022)
    with socket.socket() as lo:
        fcntl.ioctl(lo, 0x8914, struct.pack("16sH22x", b"lo", 0x41))
    put("/proc/sys/kernel/hostname", "box")
    # A program that is root somewhere could mount a scratch without a limit.
    put("/proc/sys/user/max_user_namespaces", 0)
    put("/proc/sys/kernel/unprivileged_bpf_disabled", 2)
    put("/proc/sys/kernel/dmesg_restrict", 1)
    return port, entropy


class Filter(ctypes.Structure):
    """Rules on system calls, as the kernel takes them."""
    _fields_ = [("length", ctypes.c_ushort), ("rules", ctypes.c_char_p)]


def confine(limits, filter):
    """Gives up everything that a program of the box must not have."""
    put(GROUP + "/cgroup.procs", os.getpid())
    for kind, most in ((resource.RLIMIT_NOFILE, limits["openFiles"]), (resource.RLIMIT_CORE, 0),
                       (resource.RLIMIT_CPU, limits["cpuSeconds"]), (resource.RLIMIT_FSIZE, limits["disk"])):
        resource.setrlimit(kind, (most, most))
    os.setgroups([])
    for capability in range(64):
        if LIBC.prctl(24, capability, 0, 0, 0) != 0:
            break
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)
    if LIBC.prctl(38, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no_new_privs")
    os.chdir(SCRATCH)
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    if LIBC.prctl(22, 2, ctypes.byref(filter), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")


def found_in_force():
    """What a confined process reads of itself."""
    status = dict(line.split(":\t", 1) for line in text_of("/proc/self/status").splitlines() if ":\t" in line)
    space = os.statvfs(SCRATCH)
    mounts = [line.split() for line in text_of("/proc/self/mountinfo").splitlines()]
    return {
        "uids": status["Uid"].split(), "gids": status["Gid"].split(), "groups": status["Groups"].split(),
        "capabilities": [status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")],
        "noNewPrivileges": status["NoNewPrivs"], "seccomp": status["Seccomp"], "cgroup": text_of("/proc/self/cgroup").strip(),
        "openFiles": resource.getrlimit(resource.RLIMIT_NOFILE)[1],
        "cpuSeconds": resource.getrlimit(resource.RLIMIT_CPU)[1],
        "fileSize": resource.getrlimit(resource.RLIMIT_FSIZE)[1],
        "disk": space.f_blocks * space.f_frsize, "inodes": space.f_files,
        "interfaces": [line.split(":")[0].strip() for line in text_of("/proc/net/dev").splitlines()[2:]],
        "writable": [line[4] for line in mounts if line[5].split(",")[0] != "ro"],
    }
