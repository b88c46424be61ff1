"""The agent in the guest: its first process, which runs programs and keeps files for the host.

Speaks frames over a virtio-serial port: a byte for the kind, four for the length, then the body.
Everything that a program needs is set up before the host takes its snapshot; what differs from
box to box (time, randomness, sizes) comes with the host's first words.
"""
import base64
import errno
import fcntl
import json
import os
import select
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))

from confine import (  # noqa: E402
    GROUP, NODEV, NOSUID, SCRATCH, TEMPORARY, USER,
    Filter, confine, found_in_force, mount, numbers_of, prepare, put, text_of)
from scratch import BODY, Scratch  # noqa: E402

WINDOW = 256 * 1024
FRAME = 64  # what a frame of output counts for beside its bytes
PIPE_ROUNDS = 64
TICK = 0.02
LOOK = 0.2  # how often descriptors are counted, which takes longer
PATH = "/usr/local/bin:/usr/bin:/bin"


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
        self.files = None
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
                name = "do_" + request["op"]
                getattr(self if hasattr(self, name) else self.files, name)(request)
            except OSError as e:
                self.reply(request["id"], error=errno.errorcode.get(e.errno, str(e.errno)))
            except RecursionError:
                self.reply(request["id"], error="ELOOP")
            return
        number = struct.unpack_from(">I", body)[0]
        if kind == b"d":
            self.files.upload(number, body[4:])
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
        self.files = Scratch(self, SCRATCH)
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


if __name__ == "__main__":
    Agent(*prepare()).run()
