"""The agent in the guest: its first process, which runs programs and keeps files for the host.

Speaks frames over a virtio-serial port: a byte for the kind, four for the length, then the body.
Everything that a program needs is set up before the host takes its snapshot; what differs from
box to box (time, randomness, sizes) comes with the host's first words.
"""
import base64
import ctypes
import errno
import fcntl
import json
import os
import resource
import select
import signal
import socket
import stat
import struct
import time

BODY = 32 * 1024
WINDOW = 256 * 1024
FRAME = 64  # what a frame of output counts for beside its bytes
PIPE_ROUNDS = 64
TICK = 0.02
LOOK = 0.2  # how often descriptors are counted, which takes longer
USER = 60000
GROUP = "/sys/box"
TEMPORARY = "/tmp"
SCRATCH = TEMPORARY + "/scratch"
DEEPEST = 512
PATH = "/usr/local/bin:/usr/bin:/bin"
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


class Command:
    def __init__(self, number, pid, pipes, cpu_limit):
        self.number = number
        self.pid = pid
        self.pidfd = os.pidfd_open(pid)
        self.input, self.out, self.err = pipes
        self.cpu_limit = cpu_limit
        self.cpu_before = numbers_of(GROUP + "/cpu.stat")["usage_usec"]
        self.oom_before = numbers_of(GROUP + "/memory.events")["oom_kill"]
        self.unacknowledged = 0
        self.pending = bytearray()
        self.last = False
        self.status = None
        self.excess = ""
        self.descriptors = 0

    def cpu(self):
        return numbers_of(GROUP + "/cpu.stat")["usage_usec"] - self.cpu_before

    def oom(self):
        return numbers_of(GROUP + "/memory.events")["oom_kill"] - self.oom_before


class Agent:
    def __init__(self, port, entropy):
        self.port = port
        self.entropy = entropy
        self.read = bytearray()
        self.commands = {}
        self.uploads = {}
        self.root = -1
        self.looked = 0.0
        self.limits = {}
        self.filter = Filter()

    # The wire

    def send(self, kind, body):
        data = kind + struct.pack(">I", len(body)) + body
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self.port, view):]
            except BlockingIOError:
                select.select([], [self.port], [], 1)

    def reply(self, number, **content):
        self.send(b"r", json.dumps({"id": number, **content}).encode())

    def data(self, number, content):
        for start in range(0, len(content), BODY):
            self.send(b"d", struct.pack(">I", number) + content[start:start + BODY])

    def frames(self):
        try:
            more = os.read(self.port, 256 * 1024)
        except BlockingIOError:
            return
        if not more:  # the host is not connected, as between snapshot and restore
            time.sleep(0.002)
            return
        self.read += more
        while len(self.read) >= 5:
            length = struct.unpack_from(">I", self.read, 1)[0]
            if len(self.read) < 5 + length:
                return
            kind, body = self.read[:1], bytes(self.read[5:5 + length])
            del self.read[:5 + length]
            self.take(bytes(kind), body)

    def take(self, kind, body):
        if kind == b"c":
            request = json.loads(body)
            try:
                getattr(self, "do_" + request["op"])(request)
            except OSError as e:
                self.reply(request["id"], error=errno.errorcode.get(e.errno, str(e.errno)))
            except RecursionError:
                self.reply(request["id"], error="ELOOP")
            return
        number = struct.unpack_from(">I", body)[0]
        if kind == b"d":
            self.upload(number, body[4:])
            return
        command = self.commands.get(number)
        if command is None:
            return
        if kind == b"a":
            command.unacknowledged -= struct.unpack_from(">I", body, 4)[0]
        elif kind == b"i" and len(body) == 4:
            command.last = True
            self.feed(command)
        elif kind == b"i":
            command.pending += body[4:]
            self.feed(command)

    # The box

    def do_open(self, request):
        limits = self.limits = request["limits"]
        rules = base64.b64decode(request["filter"])
        self.filter = Filter(len(rules) // 8, rules)
        seed = base64.b64decode(request["seed"])
        fcntl.ioctl(self.entropy, 0x40085203, struct.pack("ii", len(seed) * 8, len(seed)) + seed)
        fcntl.ioctl(self.entropy, 0x5207)
        os.close(self.entropy)
        time.clock_settime(time.CLOCK_REALTIME, request["time"] / 1000)
        mount("none", TEMPORARY, "tmpfs", NOSUID | NODEV,
              "size=%d,nr_inodes=%d,mode=700,uid=%d,gid=%d" % (limits["disk"], limits["inodes"], USER, USER))
        os.mkdir(SCRATCH, 0o700)
        os.chown(SCRATCH, USER, USER)
        self.root = os.open(SCRATCH, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        put(GROUP + "/memory.max", limits["memory"])
        put(GROUP + "/pids.max", limits["processes"])
        put(GROUP + "/cpu.max", "%d 100000" % limits["cpuQuota"])
        put(GROUP + "/memory.oom.group", 0)
        inside, outside = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                confine(limits, self.filter)
                os.write(outside, json.dumps(found_in_force()).encode())
            except BaseException as e:
                os.write(outside, json.dumps({"error": repr(e)}).encode())
            finally:
                os._exit(0)
        os.close(outside)
        with open(inside) as report:
            found = json.loads(report.read() or "{}")
        os.waitpid(pid, 0)
        for name in ("memory.max", "pids.max", "cpu.max"):
            found[name] = text_of(GROUP + "/" + name).strip()
        found["kernel"] = os.uname().release
        self.reply(request["id"], found=found)

    def do_start(self, request):
        pipes = [os.pipe() for _ in range(4)]
        (in_read, in_write), (out_read, out_write), (err_read, err_write), (sad_read, sad_write) = pipes
        pid = os.fork()
        if pid == 0:
            try:
                os.setsid()
                for fd, place in ((in_read, 0), (out_write, 1), (err_write, 2)):
                    os.dup2(fd, place)
                confine(self.limits, self.filter)
                self.execute(request["argv"], request["env"])
            except BaseException as e:
                os.write(sad_write, str(getattr(e, "errno", None) or errno.EINVAL).encode())
            finally:
                os._exit(127)
        for fd in (in_read, out_write, err_write, sad_write):
            os.close(fd)
        with open(sad_read, "rb") as sad:
            problem = sad.read()
        if problem:
            os.waitpid(pid, 0)
            for fd in (in_write, out_read, err_read):
                os.close(fd)
            self.reply(request["id"], error=errno.errorcode.get(int(problem), "EINVAL"))
            return
        for fd in (in_write, out_read, err_read):
            os.set_blocking(fd, False)
        self.commands[request["id"]] = Command(
            request["id"], pid, (in_write, out_read, err_read), self.limits["cpuMicros"])
        self.reply(request["id"])

    @staticmethod
    def execute(argv, environment):
        name = argv[0]
        if "/" in name:
            os.execve(name, argv, environment)
        if not name:
            raise OSError(errno.ENOENT, "no name")
        worst = errno.ENOENT
        for folder in environment.get("PATH", PATH).split(":"):
            try:
                os.execve(folder + "/" + name, argv, environment)
            except OSError as e:
                if e.errno not in (errno.ENOENT, errno.ENOTDIR):
                    worst = e.errno
        raise OSError(worst, name)

    def do_kill(self, request):
        for command in self.commands.values():
            command.excess = command.excess or "killed"
        self.kill_all()
        for command in [one for one in self.commands.values() if one.status is not None]:
            self.finish(command)
        self.reply(request["id"])

    def kill_all(self):
        put(GROUP + "/cgroup.kill", 1)
        while "populated 1" in text_of(GROUP + "/cgroup.events"):
            self.reap()
            time.sleep(0.001)
        self.reap()

    def reap(self):
        """Buries everybody's orphans, as the first process has to."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            for command in self.commands.values():
                if command.pid == pid:
                    command.status = status

    # Streams

    def feed(self, command):
        if command.input < 0:
            taken = len(command.pending)
            command.pending.clear()
            self.acknowledge(command, taken)
            return
        try:
            while command.pending:
                taken = os.write(command.input, memoryview(command.pending)[:65536])
                del command.pending[:taken]
                self.acknowledge(command, taken)
        except BlockingIOError:
            return
        except OSError:
            self.shut_input(command)
            return self.feed(command)
        if command.last:
            self.shut_input(command)

    def acknowledge(self, command, count):
        if count:
            self.send(b"s", struct.pack(">II", command.number, count))

    @staticmethod
    def shut_input(command):
        if command.input >= 0:
            os.close(command.input)
            command.input = -1

    def pump(self, command, kind):
        """Moves a piece of output; false if there is none, or no more may be under way."""
        fd = command.out if kind == b"o" else command.err
        if fd < 0 or command.unacknowledged >= WINDOW:
            return False
        try:
            piece = os.read(fd, BODY)
        except BlockingIOError:
            return False
        if not piece:
            os.close(fd)
            if kind == b"o":
                command.out = -1
            else:
                command.err = -1
            return False
        command.unacknowledged += FRAME + len(piece)
        self.send(kind, struct.pack(">I", command.number) + piece)
        return True

    def finish(self, command):
        if command.unacknowledged >= WINDOW and not command.excess:
            return  # what it wrote waits for its listener
        if len(self.commands) == 1:
            self.kill_all()
        for _ in range(PIPE_ROUNDS):
            moved = [self.pump(command, b"o"), self.pump(command, b"e")]
            if not any(moved):
                break
        if command.unacknowledged >= WINDOW and not command.excess:
            return
        self.shut_input(command)
        for fd in (command.out, command.err, command.pidfd):
            if fd >= 0:
                os.close(fd)
        del self.commands[command.number]
        code = os.waitstatus_to_exitcode(command.status)
        space = os.statvfs(SCRATCH)
        self.send(b"x", json.dumps({
            "id": command.number, "code": code, "excess": command.excess, "cpu": command.cpu(),
            "oom": command.oom(), "descriptors": command.descriptors,
            "peak": int(text_of(GROUP + "/memory.peak")),
            "crowded": numbers_of(GROUP + "/pids.events")["max"],
            "room": space.f_bavail * space.f_frsize, "inodes": space.f_ffree}).encode())

    def supervise(self, now):
        running = [one for one in self.commands.values() if one.status is None and not one.excess]
        if running and now - self.looked >= LOOK:
            self.looked = now
            held = self.descriptors()
            for command in running:
                command.descriptors = max(command.descriptors, held)
        for command in running:
            command.excess = self.excess(command)
            if command.excess:
                self.kill_all()
                return

    def excess(self, command):
        if command.cpu() > command.cpu_limit:
            return "cpu"
        if os.statvfs(SCRATCH).f_ffree == 0:
            return "inodes"
        # The group has room for the scratch as well, which is memory; that is not for programs.
        if int(text_of(GROUP + "/memory.current")) > self.limits["own"]:
            use = numbers_of(GROUP + "/memory.stat")
            if use["anon"] + use["kernel"] > self.limits["own"]:
                return "memory"
        return "memory" if command.oom() else ""

    @staticmethod
    def descriptors():
        """The most that one process holds."""
        most = 0
        for pid in text_of(GROUP + "/cgroup.procs").split():
            try:
                most = max(most, len(os.listdir("/proc/" + pid + "/fd")))
            except OSError:
                pass
        return most

    def run(self):
        os.set_blocking(self.port, False)
        self.send(b"h", b"glovebox 1")
        checked = 0.0
        while True:
            poll = select.poll()
            poll.register(self.port, select.POLLIN)
            for command in self.commands.values():
                if command.status is None:
                    poll.register(command.pidfd, select.POLLIN)
                if command.unacknowledged < WINDOW:
                    for fd in (command.out, command.err):
                        if fd >= 0:
                            poll.register(fd, select.POLLIN)
                if command.pending and command.input >= 0:
                    poll.register(command.input, select.POLLOUT)
            ready = {fd for fd, _ in poll.poll(TICK * 1000 if self.commands else 1000)}
            if self.port in ready:
                self.frames()
            for command in list(self.commands.values()):
                if command.out in ready:
                    self.pump(command, b"o")
                if command.err in ready:
                    self.pump(command, b"e")
                if command.input in ready:
                    self.feed(command)
            self.reap()
            now = time.monotonic()
            if self.commands and now - checked >= TICK:
                checked = now
                self.supervise(now)
            for command in list(self.commands.values()):
                if command.status is not None:
                    self.finish(command)

    # Files: every name is opened from the directory before it, and no link is followed

    def folder(self, names, make=False):
        fd = os.dup(self.root)
        try:
            for name in names:
                if make:
                    try:
                        os.mkdir(name, 0o755, dir_fd=fd)
                        os.chown(name, USER, USER, dir_fd=fd, follow_symlinks=False)
                    except FileExistsError:
                        pass
                inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=fd)
                os.close(fd)
                fd = inner
        except BaseException:
            os.close(fd)
            raise
        return fd

    @staticmethod
    def names(path):
        return path.encode().split(b"/") if path else []

    def beside(self, path, make=False):
        *parents, name = self.names(path)
        return self.folder(parents, make), name

    @staticmethod
    def entry(name, found):
        kind = {stat.S_IFREG: "FILE", stat.S_IFDIR: "DIRECTORY", stat.S_IFLNK: "LINK"}
        return {"name": name.decode(errors="surrogateescape"), "kind": kind.get(stat.S_IFMT(found.st_mode), "OTHER"),
                "size": found.st_size, "mode": stat.S_IMODE(found.st_mode), "modified": found.st_mtime_ns // 1000}

    def do_read(self, request):
        folder, name = self.beside(request["path"])
        try:
            fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        finally:
            os.close(folder)
        with open(fd, "rb") as file:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                self.reply(request["id"], error="not a regular file")
                return
            if os.fstat(fd).st_size > request["most"]:
                self.reply(request["id"], error="EFBIG")
                return
            total = 0
            while total <= request["most"] and (piece := file.read(BODY)):
                total += len(piece)
                self.data(request["id"], piece)
        self.reply(request["id"])

    def do_write(self, request):
        """Opens the file; its content follows in frames of data."""
        upload = {"left": request["size"], "fd": -1, "error": ""}
        try:
            folder, name = self.beside(request["path"], make=True)
            try:
                fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC,
                             0o600, dir_fd=folder)
            finally:
                os.close(folder)
            if stat.S_ISREG(os.fstat(fd).st_mode):
                upload["fd"] = fd
                os.ftruncate(fd, 0)
                os.fchown(fd, USER, USER)
                os.fchmod(fd, request["mode"])
            else:
                os.close(fd)
                upload["error"] = "not a regular file"
        except OSError as e:
            upload["error"] = errno.errorcode.get(e.errno, str(e.errno))
        self.uploads[request["id"]] = upload
        self.upload(request["id"], b"")

    def upload(self, number, piece):
        upload = self.uploads.get(number)
        if upload is None:
            return
        upload["left"] -= len(piece)
        if not upload["error"]:
            try:
                while piece:
                    piece = piece[os.write(upload["fd"], piece):]
            except OSError as e:
                upload["error"] = errno.errorcode.get(e.errno, str(e.errno))
        if upload["left"] <= 0:
            del self.uploads[number]
            if upload["fd"] >= 0:
                os.close(upload["fd"])
            self.reply(number, **({"error": upload["error"]} if upload["error"] else {}))

    def do_mkdir(self, request):
        os.close(self.folder(self.names(request["path"]), make=True))
        self.reply(request["id"])

    def do_stat(self, request):
        folder, name = self.beside(request["path"])
        try:
            self.reply(request["id"], entry=self.entry(name, os.lstat(name, dir_fd=folder)))
        finally:
            os.close(folder)

    def do_list(self, request):
        folder = self.folder(self.names(request["path"]))
        try:
            lines = bytearray()
            for name in sorted(os.fsencode(name) for name in os.listdir(folder)):
                try:
                    lines += json.dumps(self.entry(name, os.lstat(name, dir_fd=folder))).encode() + b"\n"
                except FileNotFoundError:
                    pass
                if len(lines) >= BODY:
                    self.data(request["id"], lines)
                    lines = bytearray()
            self.data(request["id"], lines)
        finally:
            os.close(folder)
        self.reply(request["id"])

    def do_move(self, request):
        source, old = self.beside(request["path"])
        try:
            target, new = self.beside(request["to"], make=True)
            try:
                os.rename(old, new, src_dir_fd=source, dst_dir_fd=target)
            finally:
                os.close(target)
        finally:
            os.close(source)
        self.reply(request["id"])

    def do_delete(self, request):
        folder, name = self.beside(request["path"])
        try:
            self.remove(folder, name, 0)
        finally:
            os.close(folder)
        self.reply(request["id"])

    def remove(self, folder, name, depth):
        try:
            os.unlink(name, dir_fd=folder)
            return
        except IsADirectoryError:
            pass
        if depth > DEEPEST:
            raise OSError(errno.ELOOP, "too deep")
        inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
        try:
            for child in os.listdir(inner):
                self.remove(inner, os.fsencode(child), depth + 1)
        finally:
            os.close(inner)
        os.rmdir(name, dir_fd=folder)


if __name__ == "__main__":
    Agent(*prepare()).run()
