package dev.glovebox.sandbox.conformance;

import static dev.glovebox.sandbox.Bytes.mebibytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Pressure;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that want all there is: processes, memory, disk, descriptors, output, time. */
public abstract class HostileResourcesKit extends HostileKit {

    private static final String IGNORE_SIGNALS =
            """
            for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
                try:
                    signal.signal(number, signal.SIG_IGN)
                except OSError:
                    pass
            """;

    // Of this test alone: the same kit is run at the same time on other walls.
    private final String daemon = "glovebox-daemon-" + UUID.randomUUID();

    private Policy small() {
        return policy().wall(seconds(3)).memory(mebibytes(64)).disk(mebibytes(16));
    }

    /** For what ends by another limit: a slow machine needs its time to get there. */
    private Policy patient() {
        return small().wall(Duration.ofMinutes(1));
    }

    private static void touched(Result result, Limit limit) {
        assertThat(result.pressure()).as(told(result)).extracting(Pressure::limit).contains(limit);
    }

    private static void hit(Attack attack, Limit limit) {
        assertThat(attack.outcome())
                .as(attack.toString())
                .isInstanceOfSatisfying(
                        Outcome.LimitHit.class, hit -> assertThat(hit.limit()).isEqualTo(limit));
    }

    @Test
    void aForkBombInBashIsHeldAndEnded() {
        promised(Promise.HARD_PROCESSES);
        try (Sandbox box = open(small().processes(20), Language.BASH)) {
            Result result = box.run(Program.bash("echo tried=bomb\n:(){ :|:& };:\nsleep 600\n"));
            Attack attack = read(result);
            assertThat(attack.answer("tried")).isEqualTo("bomb");
            touched(result, Limit.PROCESSES);
            assertThat(attack.outcome())
                    .isInstanceOfAny(
                            Outcome.TimedOut.class, Outcome.LimitHit.class, Outcome.Exited.class);
        }
    }

    @Test
    void aForkBombThatIgnoresSignalsIsHeldAndEnded() {
        promised(Promise.HARD_PROCESSES);
        Attack attack =
                attack(
                        small().processes(20),
                        IGNORE_SIGNALS
                                + """
                                tell('tried', 'bomb')
                                first = os.getpid()
                                while True:
                                    try:
                                        os.fork()
                                    except OSError as e:
                                        if os.getpid() == first:
                                            tell('refused', errno.errorcode[e.errno])
                                            time.sleep(600)
                                """);
        assertThat(attack.answer("tried")).isEqualTo("bomb");
        assertThat(attack.answer("refused")).isEqualTo("EAGAIN");
        assertThat(attack.outcome()).isInstanceOf(Outcome.TimedOut.class);
        touched(attack.result(), Limit.PROCESSES);
    }

    @Test
    void aDaemonThatLeftItsSessionIgnoresSignalsAndHasAnotherEnvironmentIsEnded() {
        promised(Promise.HIDDEN_DAEMONS_KILLED);
        Attack attack =
                attack(
                        small(),
                        named(
                                IGNORE_SIGNALS
                                        + """
                                        if os.fork() == 0:
                                            os.setsid()
                                            if os.fork() == 0:
                                                os.chdir('/')
                                                for fd in 0, 1, 2:
                                                    os.close(fd)
                                                os.execve('/bin/sleep', ['DAEMON', '600'], {})
                                            os._exit(0)
                                        time.sleep(0.5)
                                        tell('daemons', [open(f'/proc/{n}/cmdline').read() for n in os.listdir('/proc') if n.isdigit()].count(
                                            'DAEMON\\x00600\\x00'))
                                        time.sleep(600)
                                        """));
        assertThat(attack.answer("daemons")).isEqualTo("1");
        assertThat(attack.outcome()).isInstanceOf(Outcome.TimedOut.class);
        assertThat(daemons()).isZero();
    }

    @Test
    void aDaemonLeftBehindByAProgramThatExitedIsEnded() {
        promised(Promise.HIDDEN_DAEMONS_KILLED);
        Attack attack =
                attack(
                        named(
                                """
                                if os.fork() == 0:
                                    os.setsid()
                                    if os.fork() == 0:
                                        os.execve('/bin/sleep', ['DAEMON', '600'], {})
                                    os._exit(0)
                                os.wait()
                                tell('left', 'daemon')
                                """));
        assertThat(attack.answer("left")).isEqualTo("daemon");
        assertThat(daemons()).isZero();
    }

    private String named(String program) {
        return program.replace("DAEMON", daemon);
    }

    private long daemons() {
        return ProcessHandle.allProcesses()
                .filter(process ->
                        text(Path.of("/proc/" + process.pid() + "/cmdline")).startsWith(daemon))
                .count();
    }

    @Test
    void aMemoryBombInOneProcessIsALimitHit() {
        Attack attack =
                attack(
                        patient(),
                        """
                        tell('tried', 'bomb')
                        hoard = []
                        while True:
                            hoard.append(bytearray(1 << 20))
                        """);
        assertThat(attack.answer("tried")).isEqualTo("bomb");
        if (attack.outcome() instanceof Outcome.Exited(int code)) {
            // Supervised: the kernel has refused the process more, and Python gave up.
            assertThat(attack.result().stderr().text()).contains("MemoryError");
            assertThat(code).isNotZero();
        } else {
            hit(attack, Limit.MEMORY);
        }
    }

    @Test
    void aMemoryBombInManyProcessesIsALimitHit() {
        Attack attack =
                attack(
                        patient(),
                        """
                        for _ in range(16):
                            if os.fork() == 0:
                                room = bytearray(12 << 20)
                                time.sleep(600)
                        tell('tried', 'bomb')
                        time.sleep(600)
                        """);
        hit(attack, Limit.MEMORY);
    }

    @Test
    void aChildThatDiedForMemoryIsTheProgramsLimitHitEvenIfItExitsWithZero() {
        promised(Promise.TREE_MEMORY);
        Attack attack =
                attack(
                        patient(),
                        """
                        child = os.fork()
                        if child == 0:
                            hoard = []
                            while True:
                                hoard.append(bytearray(8 << 20))
                        os.waitpid(child, 0)
                        os._exit(0)
                        """);
        hit(attack, Limit.MEMORY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Files without a name, and System V segments that outlive whoever made them.
                "[os.write(os.memfd_create('x'), b'x' * (1 << 20)) for _ in range(200)]",
                "[libc.memset(ctypes.c_void_p(shmat(shmget(0, 1 << 20, 0o600), 0, 0)), 1, 1 << 20) for _ in range(400)]",
                "[fill_pipe() for _ in range(100)] and forked(lambda: [fill_pipe() for _ in range(100)] and time.sleep(600))",
                "[fill_pair() for _ in range(100)] and forked(lambda: [fill_pair() for _ in range(100)] and time.sleep(600))",
            })
    void memoryThatNoProcessMapsIsBoundedAsWell(String hoard) {
        promised(Promise.TREE_MEMORY);
        Attack attack =
                attack(
                        small().memory(mebibytes(32)).openFiles(1024),
                        """
                        import fcntl, socket
                        kept = []
                        shmget, shmat = libc.shmget, libc.shmat
                        shmat.restype = ctypes.c_void_p
                        def fill_pipe():
                            r, w = os.pipe()
                            kept.append((r, w))
                            try:
                                fcntl.fcntl(w, 1031, 1 << 20)
                            except OSError:
                                pass
                            os.set_blocking(w, False)
                            try:
                                while True:
                                    os.write(w, b'x' * 65536)
                            except BlockingIOError:
                                return True
                        def fill_pair():
                            a, b = socket.socketpair()
                            kept.append((a, b))
                            for one in a, b:
                                one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 << 20)
                                one.setblocking(False)
                                try:
                                    while True:
                                        one.send(b'x' * 65536)
                                except OSError:
                                    pass
                            return True
                        def forked(action):
                            for _ in range(8):
                                if os.fork() == 0:
                                    action()
                            return True
                        tell('tried', 'hoard')
                        # Whoever is killed with the whole box must have been heard before.
                        time.sleep(0.3)
                        %s
                        tell('peak', 'done')
                        time.sleep(600)
                        """
                                .formatted(hoard));
        assertThat(attack.answer("tried")).isEqualTo("hoard");
        long most = mebibytes(32 + 16).count();
        assertThat(attack.result().usage().peakMemory().count())
                .as(attack.toString())
                .isLessThanOrEqualTo(most);
        assertThat(attack.outcome())
                .as(attack.toString())
                .isInstanceOfAny(Outcome.LimitHit.class, Outcome.TimedOut.class);
    }

    @Test
    void whatIsUnderWayInSocketsIsBoundedAsWell() {
        promised(Promise.TREE_MEMORY);
        Attack attack =
                attack(
                        small().wall(seconds(30)),
                        """
                        import socket
                        def fill():
                            total, kept = 0, []
                            server = socket.socket()
                            server.bind(('127.0.0.1', 0))
                            server.listen(100)
                            for _ in range(50):
                                one = socket.socket()
                                one.connect(server.getsockname())
                                kept.append((one, server.accept()))
                                one.setblocking(False)
                                try:
                                    while True:
                                        total += one.send(b'x' * 1000000)
                                except BlockingIOError:
                                    pass
                            return total, kept
                        r, w = os.pipe()
                        for _ in range(6):
                            if os.fork() == 0:
                                total, kept = fill()
                                os.write(w, f'{total}\\n'.encode())
                                time.sleep(600)
                        answers = b''
                        while answers.count(b'\\n') < 6:
                            answers += os.read(r, 100)
                        tell('connections', 300)
                        tell('bytes', sum(map(int, answers.split())))
                        """);
        if (attack.outcome() instanceof Outcome.LimitHit) {
            hit(attack, Limit.MEMORY); // in cgroup v2 they are memory like any other
        } else {
            assertThat(attack.number("connections")).isEqualTo(300);
            assertThat(attack.number("bytes")).isLessThan(mebibytes(64).count());
        }
    }

    @Test
    void theScratchCannotBeOverfilled() {
        promised(Promise.HARD_DISK);
        Attack attack =
                attack(
                        small(),
                        """
                        total = 0
                        def fill(folder):
                            global total
                            with open(folder + '/big', 'wb', buffering=0) as file:
                                while True:
                                    total += file.write(b'x' * 65536)
                        for folder in '/tmp/scratch', '/tmp', '/dev/shm', '/tmp/.glovebox':
                            if os.path.isdir(folder):
                                attempt(folder, lambda: fill(folder))
                        tell('total', total)
                        time.sleep(0.3)
                        """);
        assertThat(attack.answer("/tmp/scratch")).isIn("ENOSPC", "EFBIG");
        attack.told()
                .forEach((folder, answer) -> {
                    if (folder.startsWith("/")) {
                        assertThat(answer).as(folder).isIn("ENOSPC", "EFBIG", "EACCES");
                    }
                });
        assertThat(attack.number("total")).isLessThanOrEqualTo(mebibytes(16).count());
        touched(attack.result(), Limit.DISK);
    }

    @Test
    void millionsOfEmptyFilesAreALimitHit() {
        promised(Promise.HARD_DISK);
        Attack attack =
                attack(
                        small().wall(seconds(30)),
                        """
                        tell('tried', 'files')
                        for number in range(5000000):
                            os.mknod(f'/tmp/{number}')
                        tell('made', 'all')
                        """);
        assertThat(attack.answer("tried")).isEqualTo("files");
        assertThat(attack.told()).doesNotContainKey("made");
        assertThat(attack.outcome())
                .as(attack.toString())
                .isInstanceOfSatisfying(
                        Outcome.LimitHit.class,
                        hit -> assertThat(hit.limit()).isIn(Limit.INODES, Limit.MEMORY));
    }

    @Test
    void aVeryDeepDirectoryIsHarmless() {
        promised(Promise.HARD_DISK);
        try (Sandbox box = open(small(), Language.PYTHON)) {
            Attack attack =
                    attack(
                            box,
                            """
                            depth = 0
                            try:
                                for depth in range(3000):
                                    os.mkdir('d')
                                    os.chdir('d')
                            except OSError as e:
                                pass
                            tell('depth', depth)
                            """);
            assertThat(attack.number("depth")).isGreaterThan(1000);
            assertThat(box.files().list("")).extracting(entry -> entry.path()).contains("d");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aFloodOfOutputIsCountedAndCutAndFillsNoMemory(int fd) {
        Attack attack =
                attack(
                        policy().wall(seconds(3)).output(mebibytes(1)),
                        """
                        tell('tried', 'flood')
                        line = b'y' * 65536
                        while True:
                            os.write(%d, line)
                        """
                                .formatted(fd));
        assertThat(attack.answer("tried")).isEqualTo("flood");
        assertThat(attack.outcome())
                .isInstanceOfAny(Outcome.TimedOut.class, Outcome.LimitHit.class);
        var flooded = fd == 1 ? attack.result().stdout() : attack.result().stderr();
        assertThat(flooded.truncated()).isTrue();
        assertThat(flooded.bytes()).hasSizeLessThanOrEqualTo((int) mebibytes(1).count());
        touched(attack.result(), Limit.OUTPUT);
    }

    @Test
    void aProgramThatTakesAllDescriptorsHarmsOnlyItself() {
        Attack attack =
                attack(
                        policy().openFiles(64),
                        """
                        kept = []
                        def take():
                            while True:
                                kept.append(os.open('/dev/null', os.O_RDONLY))
                        attempt('take', take)
                        tell('held', len(kept))
                        time.sleep(0.5)
                        """);
        assertThat(attack.answer("take")).isEqualTo("EMFILE");
        assertThat(attack.number("held")).isLessThan(64);
        touched(attack.result(), Limit.OPEN_FILES);
    }

    @Test
    void aProgramThatIgnoresAllSignalsIsTimedOut() {
        Attack attack =
                attack(
                        small(),
                        IGNORE_SIGNALS
                                + "tell('tried', 'ignore')\nwhile True:\n    time.sleep(1)\n");
        assertThat(attack.answer("tried")).isEqualTo("ignore");
        assertThat(attack.outcome()).isInstanceOf(Outcome.TimedOut.class);
    }
}
