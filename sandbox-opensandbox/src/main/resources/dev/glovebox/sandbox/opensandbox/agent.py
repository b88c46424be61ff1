# Runs one command in the box, holds it to its limits and tells what it does, byte for byte.
# Frames are lines: s (started), o and e (output), O and E (the last part of output that was too
# much), q (too much), a and c (input taken, or no longer), h (alive), x (the end).
import base64, ctypes, hashlib, json, os, resource, select, signal, subprocess, sys, threading, time

PIECE = 24 * 1024
TICK = 0.02
WALK = 0.2
folder = sys.argv[1]
with open(folder + '/job', encoding='utf-8') as file:
    job = json.load(file)
limits = job['limits']
me = os.getpid()
lock = threading.Lock()
verdict = []
pressure = set()
peak = 0
finished = False
PAGE = os.sysconf('SC_PAGE_SIZE')
CLOCK = os.sysconf('SC_CLK_TCK')


def say(kind, text=''):
    line = (kind + text + '\n').encode()
    with lock:
        while line:
            line = line[os.write(1, line):]


class Stream:
    """Sends the first part of an output as it comes, and keeps the last part for the end."""

    def __init__(self, name):
        self.name, self.total, self.digest, self.tail = name, 0, hashlib.sha256(), bytearray()

    def add(self, piece):
        room = max(0, limits['output'] - self.total)
        within = self.total <= limits['output']
        self.total += len(piece)
        self.digest.update(piece)
        self.tail += piece
        if len(self.tail) > limits['output'] + PIECE:
            del self.tail[:len(self.tail) - limits['output'] // 2]
        if room:
            say(self.name, base64.b64encode(piece[:room]).decode())
        if within and self.total > limits['output']:
            say('q', self.name + str(self.total))

    def finish(self):
        keep = limits['output'] // 2
        if self.total > limits['output'] and keep:
            tail = bytes(self.tail[-keep:])
            for at in range(0, keep, PIECE):
                say(self.name.upper(), base64.b64encode(tail[at:at + PIECE]).decode())
        return {'total': self.total, 'digest': self.digest.hexdigest()}


def processes():
    """All that came from us: orphans come back to us, since we are their reaper."""
    parents = {}
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                with open('/proc/%s/stat' % name, 'rb') as stat:
                    text = stat.read()
            except OSError:
                continue
            fields = text[text.rindex(b')') + 2:].split()
            if fields[0] != b'Z':
                parents.setdefault(int(fields[1]), []).append((int(name), fields))
    found, todo = [], [me]
    while todo:
        for child in parents.get(todo.pop(), []):
            found.append(child)
            todo.append(child[0])
    return found


def kill_all():
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        left = processes()
        if not left:
            return
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid, _ in left:
                try:
                    os.kill(pid, number)
                except OSError:
                    pass
        time.sleep(0.002)


def stop(what):
    if not verdict:
        verdict.append(what)
    kill_all()
    with open(folder + '/done', 'w'):
        pass


def spent(left):
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    ticks = sum(sum(map(int, fields[11:15])) for _, fields in left)
    return int((used.ru_utime + used.ru_stime) * 1000 + ticks * 1000 / CLOCK)


def occupied():
    total, todo = 0, [job['scratch']]
    while todo:
        try:
            with os.scandir(todo.pop()) as entries:
                for entry in entries:
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
        except OSError:
            pass
    return total


def threads_of(pid):
    try:
        return len(os.listdir('/proc/%d/task' % pid))
    except OSError:
        return 0


def descriptors_full(left):
    for pid, _ in left:
        try:
            if len(os.listdir('/proc/%d/fd' % pid)) >= limits['files']:
                return True
        except OSError:
            pass
    return False


def look(began, walked):
    global peak
    left = processes()
    memory = sum(int(fields[21]) for _, fields in left) * PAGE
    peak = max(peak, memory)
    took = int((time.monotonic() - began) * 1000)
    if os.path.lexists(folder + '/kill'):
        return stop({'kind': 'killed'})
    if took >= limits['wall']:
        return stop({'kind': 'wall'})
    if memory > limits['memory']:
        return stop({'kind': 'memory', 'peak': memory})
    if spent(left) > limits['cpu']:
        return stop({'kind': 'cpu-time', 'peak': spent(left)})
    count = sum(threads_of(pid) for pid, _ in left)
    if count > limits['processes']:
        return stop({'kind': 'processes', 'peak': count})
    if walked:
        full = occupied()
        if full > limits['disk']:
            return stop({'kind': 'disk', 'peak': full})
        if descriptors_full(left):
            pressure.add('open-files')


def watch(began):
    last_walk = last_word = began
    while not finished and not verdict:
        time.sleep(TICK)
        now = time.monotonic()
        walked = now - last_walk >= WALK
        try:
            look(began, walked)
        except Exception as e:
            stop({'kind': 'failed', 'reason': repr(e)})
        if walked:
            last_walk = time.monotonic()


def beat():
    while not finished:
        time.sleep(1)
        say('h')


def bound():
    for kind, value in ((resource.RLIMIT_NOFILE, limits['files']), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))


def reap(main):
    """The status of the main program once it has ended; others are just taken away."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return None
        if pid == 0:
            return None
        if pid == main:
            return status


def pump(main, out, err, inlet, streams):
    poll = select.poll()
    names = {out: streams[0], err: streams[1]}
    for fd in names:
        os.set_blocking(fd, False)
        poll.register(fd, select.POLLIN)
    if inlet is not None:
        os.set_blocking(inlet, False)
    pending, number, status, ended, polling, taken = b'', 0, None, None, False, 0
    while names or status is None:
        wants = inlet is not None and bool(pending)
        if wants != polling:
            (poll.register if wants else poll.unregister)(*((inlet, select.POLLOUT) if wants else (inlet,)))
            polling = wants
        for fd, event in poll.poll(5):
            if fd in names:
                try:
                    piece = os.read(fd, PIECE)
                except BlockingIOError:
                    continue
                if piece:
                    names[fd].add(piece)
                else:
                    poll.unregister(fd)
                    del names[fd]
            else:
                try:
                    done = os.write(inlet, pending[:65536])
                    pending = pending[done:]
                    taken += done
                    say('a', str(taken))
                except BlockingIOError:
                    pass
                except OSError:
                    poll.unregister(inlet)
                    os.close(inlet)
                    inlet, polling, pending = None, False, b''
                    say('c')
        if inlet is not None and not pending:
            try:
                with open('%s/in.%d' % (folder, number), 'rb') as file:
                    pending = file.read()
                os.unlink('%s/in.%d' % (folder, number))
                number += 1
                end = not pending
            except FileNotFoundError:
                end = False
            if end:
                if polling:
                    poll.unregister(inlet)
                    polling = False
                os.close(inlet)
                inlet = None
        if status is None:
            status = reap(main)
            if status is not None:
                kill_all()
                ended = time.monotonic()
        else:
            reap(0)
            if time.monotonic() - ended > 2:
                break
    return status


def main():
    ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0)
    words = [word.encode() for word in job['words']]
    env = {name.encode(): value.encode() for name, value in job['env'].items()}
    began = time.monotonic()
    say('i')  # the program may end us before we can say that it started
    try:
        child = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            cwd=job['scratch'], env=env, preexec_fn=bound, start_new_session=True, bufsize=0)
    except (OSError, ValueError, subprocess.SubprocessError) as e:
        say('x', json.dumps({'kind': 'not-started', 'reason': str(e)}))
        return
    say('s')
    threading.Thread(target=watch, args=(began,), daemon=True).start()
    threading.Thread(target=beat, daemon=True).start()
    streams = Stream('o'), Stream('e')
    inlet = os.dup(child.stdin.fileno())
    child.stdin.close()
    status = pump(child.pid, child.stdout.fileno(), child.stderr.fileno(), inlet, streams)
    child.returncode = 0
    global finished
    finished = True
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    end = verdict[0] if verdict else {'kind': 'ended'}
    end['status'] = status
    end['took'] = int((time.monotonic() - began) * 1000)
    end['cpu'] = int((used.ru_utime + used.ru_stime) * 1000)
    end['memory'] = max(peak, used.ru_maxrss * 1024)
    end['out'], end['err'] = (stream.finish() for stream in streams)
    end['pressure'] = sorted(pressure)
    say('x', json.dumps(end))


main()
sys.stdout.flush()
os._exit(0)
