# The one process of ours inside a box: it starts commands, moves their bytes, serves the scratch
# and reads what the kernel says about the box. All confinement is on it already, and children
# inherit it.
#
# Frames come on standard input and go to standard output: one byte kind, four bytes number, four
# bytes length, content. The number is that of a command or of a request.
#
# User code runs as the same user. This process is not dumpable, so that nobody else in the box can
# open its memory or its descriptors; it can be killed, which ends the box.

import ctypes
import errno
import fcntl
import os
import resource
import select
import signal
import stat
import struct
import sys
import termios
import time

CHUNK = 1 << 16
WINDOW = 1 << 20
LARGEST_FRAME = 1 << 22
TICK = 0.02
LEASE = 30.0
QUIET = 2.0
DEEPEST = 512
PR_SET_DUMPABLE = 4
GROUP = "/sys/fs/cgroup/"
HEAD = struct.Struct(">cII")

scratch = sys.argv[1]
limits = [int(word) for word in sys.argv[2:5]]  # open files, bytes of a file, seconds of processor
libc = ctypes.CDLL(None)
commands = {}
inbox = bytearray()


def send(kind, number, content=b""):
    data = memoryview(HEAD.pack(kind, number, len(content)) + content)
    while data:
        data = data[os.write(1, data):]


def text(path, most=1 << 18):
    try:
        with open(path, "rb") as file:
            return file.read(most)
    except OSError:
        return b""


def number(path, word=None):
    """The number in a file of the kernel, or behind a word in it; -1 if it is not there."""
    content = text(GROUP + path).split()
    if word is not None:
        content = content[content.index(word) + 1:] if word in content else []
    try:
        return int(content[0])
    except (IndexError, ValueError):
        return -1


def first(*choices):
    for choice in choices:
        value = number(*choice)
        if value >= 0:
            return value
    return -1


def others():
    """All processes but the init process and this one."""
    return [name for name in os.listdir("/proc") if name.isdigit() and name not in ("1", OWN)]


OWN = str(os.getpid())


def clear():
    """Kills everything else, and waits until it is gone."""
    end = time.monotonic() + QUIET
    while True:
        try:
            os.kill(-1, signal.SIGKILL)
        except OSError:
            pass
        reap()
        left = others()
        if not left or time.monotonic() > end:
            return len(left)
        time.sleep(0.001)


class Command:
    def __init__(self, number, words, env):
        self.number = number
        self.pending = bytearray()
        self.closing = False
        self.status = None
        self.left = {}
        self.credit = {b"o": WINDOW, b"e": WINDOW}
        ends = [os.pipe() for _ in range(4)]
        (stdin, self.stdin), (self.stdout, stdout), (self.stderr, stderr), (news, told) = ends
        try:
            self.pid = os.fork()
        except OSError:
            for pair in ends:
                os.close(pair[0])
                os.close(pair[1])
            raise
        if self.pid == 0:
            become(words, env, stdin, stdout, stderr, told)
        for fd in (stdin, stdout, stderr, told):
            os.close(fd)
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)
        self.outputs = {self.stdout: b"o", self.stderr: b"e"}
        said = b""
        while True:
            piece = os.read(news, CHUNK)
            if not piece:
                break
            said += piece
        os.close(news)
        lines = said.split(b"\n", 1)
        if len(lines) > 1 and lines[1]:
            os.waitpid(self.pid, 0)
            for fd in (self.stdin, self.stdout, self.stderr):
                os.close(fd)
            raise OSError(errno.ENOEXEC, lines[1].decode())
        self.limits = lines[0]

    def feed(self):
        taken = 0
        try:
            while self.pending:
                size = os.write(self.stdin, self.pending)
                del self.pending[:size]
                taken += size
        except BlockingIOError:
            pass
        except OSError:
            self.deaf()
        if taken:
            send(b"i", self.number, struct.pack(">I", taken))
        if self.closing and not self.pending and self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    def deaf(self):
        """Nobody reads its standard input any more."""
        self.pending.clear()
        if not self.closing:
            self.closing = True
            send(b"c", self.number)

    def take(self, fd):
        """Moves what is there and what the other side has room for."""
        kind = self.outputs[fd]
        most = min(CHUNK, self.credit[kind])
        if self.status is not None:
            most = min(most, self.left[fd])
        try:
            data = os.read(fd, most) if most else b""
        except BlockingIOError:
            return
        if data:
            self.credit[kind] -= len(data)
            if self.status is not None:
                self.left[fd] -= len(data)
            send(kind, self.number, data)
        elif most:
            self.drop(fd)

    def drop(self, fd):
        os.close(fd)
        del self.outputs[fd]

    def ended(self, status):
        """What it wrote is in its pipes by now; what others hold open is not waited for."""
        self.status = status
        for fd in self.outputs:
            self.left[fd] = struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, b"\0" * 4))[0]

    def finish(self):
        for fd in [fd for fd in self.outputs if self.left[fd] == 0]:
            self.drop(fd)
        if self.outputs:
            return
        if self.stdin >= 0:
            os.close(self.stdin)
        del commands[self.number]
        if not commands:
            clear()
        send(b"x", self.number, struct.pack(">i", self.status) + meter(last=True))


def become(words, env, stdin, stdout, stderr, told):
    """Turns the child into the program."""
    try:
        libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
        os.setsid()
        signal.set_wakeup_fd(-1)
        for one in IGNORED | {signal.SIGCHLD}:
            signal.signal(one, signal.SIG_DFL)
        os.dup2(stdin, 0)
        os.dup2(stdout, 1)
        os.dup2(stderr, 2)
        os.dup2(told, 3)
        os.set_inheritable(3, False)
        try:
            with open("/proc/self/oom_score_adj", "w") as file:
                file.write("500")  # where memory runs out, the program dies rather than its parent
        except OSError:
            pass
        kinds = (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU)
        for kind, value in zip(kinds, limits):
            # The soft limit of processor time is a signal that can be told from others.
            resource.setrlimit(kind, (value, value + (kind == resource.RLIMIT_CPU)))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.write(3, b" ".join(str(resource.getrlimit(kind)[0]).encode() for kind in kinds) + b"\n")
        try:
            os.chdir(scratch)
        except OSError:
            os.write(3, b"nodirectory")
            os._exit(127)
        name = words[0]
        if b"/" in name:
            places = [name]
        else:
            path = env.get(b"PATH", b"").split(b":")
            places = [os.path.join(folder or b".", name) for folder in path]
        places = [place for place in places if os.path.isfile(place) and os.access(place, os.X_OK)]
        if not places:
            os.write(3, b"nocommand")
            os._exit(127)
        os.execve(places[0], words, env)
    except OSError as problem:
        os.write(3, b"noexec " + str(problem.errno).encode())
    finally:
        os._exit(127)


def reap():
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        for command in commands.values():
            if command.pid == pid:
                command.ended(status)


def descriptors(process):
    try:
        return len(os.listdir("/proc/" + process + "/fd"))
    except OSError:
        return 0


def ticksOf(process, first, end):
    """Its time on processors, in nanoseconds: its own in two fields, then that of children it has waited for."""
    fields = text("/proc/" + process + "/stat").rpartition(b")")[2].split()
    return sum(int(field) for field in fields[first:end]) * (10 ** 9 // 100)


def statm(process):
    fields = text("/proc/" + process + "/statm").split()
    return int(fields[1]) * PAGE if len(fields) > 1 else 0


# The init process passes on what it gets from any program.
IGNORED = set(range(1, signal.NSIG)) & set(signal.valid_signals()) - {
    signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL,
    signal.SIGFPE, signal.SIGSYS,
}
PAGE = resource.getpagesize()
ownMemory = 0
mostSummed = 0
ticks = 0
mostDescriptors = 0


def count(folder, depth=0):
    """How many files and folders are below an open one."""
    total = 0
    inner = []
    with os.scandir(folder) as entries:
        for one in entries:
            total += 1
            if one.is_dir(follow_symlinks=False):
                inner.append(one.name)
    for name in inner if depth < DEEPEST else ():
        try:
            fd = enter(folder, name)
            try:
                total += count(fd, depth + 1)
            finally:
                os.close(fd)
        except OSError:
            continue  # gone meanwhile, closed to us, or deeper than we have descriptors
    return total


files = 0
countAfter = 0


def counted(now):
    """For a kernel that does not count files, such as gVisor's: a fiftieth of our time at most goes into it."""
    global files, countAfter
    begin = time.monotonic()
    if now or begin >= countAfter:
        files = count(root)
        end = time.monotonic()
        countAfter = end + 50 * (end - begin)
    return files


def meter(last=False):
    """What the box uses, as text: the other side knows the names."""
    global mostSummed, mostDescriptors
    own = time.process_time_ns()
    cpu = first(("cpuacct/cpuacct.usage",), ("cpu,cpuacct/cpuacct.usage",))
    if cpu < 0:
        cpu = number("cpu.stat", b"usage_usec") * 1000
    processes = []
    if cpu < 0:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = own + int((children.ru_utime + children.ru_stime) * 1e9)
        processes = others()
        for process in processes:
            cpu += ticksOf(process, 11, 15)
        if OWN != "1":  # those whose parents ended before them are the init process's
            cpu += ticksOf("1", 13, 15)
    memory = first(("memory/memory.stat", b"total_rss"), ("memory.stat", b"anon"))
    if memory < 0:
        memory = sum(statm(process) for process in processes)
    else:
        memory = max(0, memory - ownMemory)
    mostSummed = max(mostSummed, memory)
    peak = first(("memory/memory.max_usage_in_bytes",), ("memory.peak",))
    if ticks % 5 == 0:
        mostDescriptors = max([descriptors(process) for process in others()], default=0)
    space = os.statvfs(scratch)
    values = {
        "cpu": cpu - own,
        "memory": memory,
        "peak": peak if peak >= 0 else mostSummed,
        "kills": first(("memory/memory.oom_control", b"oom_kill"), ("memory.events", b"oom_kill")),
        "refused": first(("pids/pids.events", b"max"), ("pids.events", b"max")),
        "processes": len(processes),
        "descriptors": mostDescriptors,
        "inodes": space.f_files - space.f_ffree if space.f_files else counted(now=last),
        "free": space.f_bavail * space.f_frsize,
    }
    return " ".join("%s=%d" % pair for pair in values.items()).encode()


# The scratch. No link is followed anywhere on the way: each folder is opened in the one before.

# Not O_DIRECTORY: with it gVisor follows a link all the same.
FOLDER = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


def enter(parent, name):
    fd = os.open(name, FOLDER, dir_fd=parent)
    if not stat.S_ISDIR(os.fstat(fd).st_mode):
        os.close(fd)
        raise NotADirectoryError(errno.ENOTDIR, "not a folder")
    return fd


def folder(path, make=False):
    fd = os.dup(root)
    try:
        for name in path.split(b"/") if path else []:
            if make:
                try:
                    os.mkdir(name, 0o755, dir_fd=fd)
                except FileExistsError:
                    pass
            inner = enter(fd, name)
            os.close(fd)
            fd = inner
        return fd
    except BaseException:
        os.close(fd)
        raise


class Refused(Exception):
    pass


def inside(path, work, make=False):
    parent, _, name = path.rpartition(b"/")
    fd = folder(parent, make)
    try:
        return work(fd, name)
    finally:
        os.close(fd)


def readFile(request, path, most):
    def work(parent, name):
        fd = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise Refused("notregular")
            total = 0
            while True:
                data = os.read(fd, CHUNK)
                if not data:
                    return
                total += len(data)
                if total > int(most):
                    raise Refused("toolarge")
                send(b"d", request, data)
        finally:
            os.close(fd)

    inside(path, work)


def writeFile(request, path, mode, content):
    def work(parent, name):
        # Not O_TRUNC: a FIFO or device must not be touched before its type is known.
        flags = os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
        fd = os.open(name, flags, 0o644, dir_fd=parent)
        try:
            found = os.fstat(fd)
            if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
                raise Refused("notplain")
            if not mode.startswith(b"+"):
                os.ftruncate(fd, 0)
                os.fchmod(fd, int(mode))
            os.lseek(fd, 0, os.SEEK_END)
            data = memoryview(content)
            while data:
                data = data[os.write(fd, data):]
        finally:
            os.close(fd)

    inside(path, work, make=True)


def makeDirectory(request, path):
    os.close(folder(path, make=True))


def entry(parent, name):
    found = os.stat(name, dir_fd=parent, follow_symlinks=False)
    values = (found.st_mode, found.st_size, int(found.st_mtime_ns // 10 ** 9))
    return b"%d %d %d " % values + name + b"\0"


def statFile(request, path):
    send(b"d", request, inside(path, entry))


def listFolder(request, path):
    fd = folder(path)
    try:
        batch = b""
        for name in sorted(os.fsencode(name) for name in os.listdir(fd)):
            try:
                batch += entry(fd, name)
            except FileNotFoundError:
                continue  # deleted meanwhile by a running program
            if len(batch) > CHUNK:
                send(b"d", request, batch)
                batch = b""
        send(b"d", request, batch)
    finally:
        os.close(fd)


def moveFile(request, source, target):
    def work(parent, name):
        inside(target, lambda other, new: os.rename(name, new, src_dir_fd=parent, dst_dir_fd=other))

    inside(source, work)


def remove(parent, name, depth=0):
    try:
        os.unlink(name, dir_fd=parent)
        return
    except IsADirectoryError:
        pass
    if depth > DEEPEST:
        raise Refused("toodeep")
    fd = enter(parent, name)
    try:
        for child in os.listdir(fd):
            remove(fd, os.fsencode(child), depth + 1)
    finally:
        os.close(fd)
    os.rmdir(name, dir_fd=parent)


def deleteFile(request, path):
    inside(path, remove)


REQUESTS = {
    b"read": readFile,
    b"write": writeFile,
    b"mkdir": makeDirectory,
    b"stat": statFile,
    b"list": listFolder,
    b"move": moveFile,
    b"delete": deleteFile,
}


def serve(request, content):
    word, _, rest = content.partition(b"\0")
    fields = rest.split(b"\0", 2) if word == b"write" else rest.split(b"\0")
    try:
        REQUESTS[word](request, *fields)
        send(b"f", request)
    except Refused as refusal:
        send(b"f", request, str(refusal).encode())
    except OSError as problem:
        send(b"f", request, errno.errorcode.get(problem.errno, "EIO").encode())
    except RecursionError:
        send(b"f", request, b"toodeep")


def start(number, content):
    fields = content.split(b"\0")
    count = int(fields[0])
    words = fields[1:count + 1]
    env = dict(field.split(b"=", 1) for field in fields[count + 1:])
    before = meter()
    try:
        command = Command(number, words, env)
    except OSError as problem:
        reason = problem.strerror if problem.errno == errno.ENOEXEC else "nofork"
        send(b"n", number, reason.encode())
        if not commands:
            clear()
        return
    commands[number] = command
    send(b"s", number, command.limits + b"\n" + before)


def hello():
    """What the kernel says about this process, before anything else has run."""
    files = ["/proc/self/status", "/proc/self/limits", "/proc/self/mountinfo", "/proc/net/route"]
    files += ["/proc/net/dev", "/proc/self/cgroup", "/proc/1/cmdline", "/proc/version"]
    files.append("/proc/sys/net/ipv4/tcp_wmem")
    for group in (
        "memory/memory.limit_in_bytes", "memory/memory.memsw.limit_in_bytes", "memory.max",
        "memory.swap.max", "pids/pids.max", "pids.max", "cpu/cpu.cfs_quota_us",
        "cpu,cpuacct/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us", "cpu,cpuacct/cpu.cfs_period_us",
        "cpu.max", "blkio/blkio.throttle.write_bps_device", "io.max",
    ):
        files.append(GROUP + group)
    facts = [file.encode() + b"\0" + text(file) + b"\0" for file in files]
    mounts = [line.split()[4] for line in text("/proc/self/mountinfo").splitlines()]
    # A hidden file of /proc is /dev/null, which anybody may write to.
    writable = [
        mount for mount in mounts
        if os.access(mount, os.W_OK) and not stat.S_ISCHR(os.stat(mount).st_mode)
    ]
    facts.append(b"writable\0" + b"\n".join(writable) + b"\0")
    space = os.statvfs(scratch)
    sizes = "%d %d" % (space.f_blocks * space.f_frsize, space.f_files)
    facts.append(b"scratch\0" + sizes.encode() + b"\0")
    facts.append(b"dumpable\0%d\0" % libc.prctl(3, 0, 0, 0, 0))
    for name in ("python3", "node", "bash"):
        for place in ("/usr/local/bin/", "/usr/bin/", "/bin/"):
            if os.access(place + name, os.X_OK):
                facts.append(name.encode() + b"\0" + (place + name).encode() + b"\0")
                break
    send(b"h", 0, b"".join(facts))


def obey(kind, number, content):
    if kind == b"h":
        hello()
    elif kind == b"r":
        start(number, content)
    elif kind == b"q":
        serve(number, content)
    elif kind == b"k":
        left = clear()
        for command in list(commands.values()):
            if command.status is None:
                command.ended(signal.SIGKILL)
            for fd, kind in command.outputs.items():
                command.left[fd] = min(command.left[fd], command.credit[kind])
        send(b"k", number, str(left).encode())
    elif kind == b"b":
        raise SystemExit
    elif number in commands:
        command = commands[number]
        if kind == b"i":
            if not command.closing:
                command.pending += content
        elif kind == b"c":
            command.closing = True
        elif kind in b"oe":
            command.credit[kind] += struct.unpack(">I", content)[0]
        if command.stdin >= 0:
            command.feed()


def hear():
    data = os.read(0, CHUNK)
    if not data:
        return False
    inbox.extend(data)
    while len(inbox) >= HEAD.size:
        kind, number, length = HEAD.unpack_from(inbox)
        if length > LARGEST_FRAME:
            return False
        if len(inbox) < HEAD.size + length:
            break
        content = bytes(inbox[HEAD.size:HEAD.size + length])
        del inbox[:HEAD.size + length]
        obey(kind, number, content)
    return True


def loop():
    global ticks
    wake, alarm = os.pipe()
    for fd in (wake, alarm):
        os.set_blocking(fd, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(alarm)
    heard = time.monotonic()
    measured = heard
    while True:
        poll = select.poll()
        poll.register(0, select.POLLIN)
        poll.register(wake, select.POLLIN)
        owners = {}
        for command in commands.values():
            if command.stdin >= 0:
                events = select.POLLOUT if command.pending else 0
                poll.register(command.stdin, events)
                owners[command.stdin] = command
            for fd, kind in command.outputs.items():
                if command.credit[kind] > 0:
                    poll.register(fd, select.POLLIN)
                    owners[fd] = command
        events = poll.poll(TICK * 1000 if commands else LEASE * 1000 / 3)
        now = time.monotonic()
        if now - heard > LEASE:
            return
        for fd, event in events:
            if fd == 0:
                heard = now
                if not hear():
                    return
            elif fd == wake:
                os.read(wake, CHUNK)
                reap()
            elif fd in owners and fd in owners[fd].outputs:
                owners[fd].take(fd)
            elif fd in owners and fd == owners[fd].stdin:
                if event & (select.POLLERR | select.POLLHUP):
                    owners[fd].deaf()
                owners[fd].feed()
        reap()
        for command in list(commands.values()):
            if command.status is not None:
                command.finish()
        if commands and now - measured >= TICK:
            measured = now
            ticks += 1
            send(b"m", 0, meter())


libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
for one in IGNORED:
    signal.signal(one, signal.SIG_IGN)
os.umask(0o022)
os.makedirs(scratch, 0o755, exist_ok=True)
root = os.open(scratch, FOLDER)
ownMemory = first(("memory/memory.stat", b"total_rss"), ("memory.stat", b"anon"))
try:
    loop()
finally:
    clear()
