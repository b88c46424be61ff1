package dev.glovebox.sandbox.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Makes the forbidden calls in a real box, under a real kernel, with and without the filter. */
class SeccompKernelTest {

    private static final String PYTHON = "/usr/bin/python3";

    private static final int SIGSYS = 31;

    /** {@code call} prints how the kernel answered; {@code attempt} does so from a child. */
    private static final String PRELUDE =
            """
            import ctypes, errno, mmap, os, signal, socket
            libc = ctypes.CDLL(None, use_errno=True)
            def answer(nr, *args):
                libc.syscall.restype = ctypes.c_long
                ctypes.set_errno(0)
                args = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
                if libc.syscall(ctypes.c_long(nr), *args) != -1:
                    return 'done'
                return errno.errorcode[ctypes.get_errno()]
            def call(name, nr, *args):
                print(name, answer(nr, *args), flush=True)
            def attempt(name, nr, *args):
                child = os.fork()
                if child == 0:
                    print(name, 'tried', flush=True)
                    print(name, answer(nr, *args), flush=True)
                    os._exit(0)
                status = os.waitpid(child, 0)[1]
                if os.WIFSIGNALED(status):
                    print(name, 'killed by', os.WTERMSIG(status), flush=True)
            """;

    @TempDir static @Nullable Path folder;

    @BeforeAll
    static void needsABox() throws Exception {
        assumeTrue(
                System.getProperty("os.arch").equals("amd64"),
                "the programs of this test use the system call numbers of x86_64");
        assumeTrue(Files.isExecutable(Path.of(PYTHON)), PYTHON + " is missing");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/bwrap")), "bubblewrap is missing");
        Ran ran = boxed(null, List.of("/bin/true"));
        assumeTrue(ran.status() == 0, "bubblewrap does not work here: " + ran.output());
    }

    @Test
    void refusesWhatHonestProgramsTry() throws Exception {
        Ran ran =
                python(
                        filter(true),
                        """
                        call('ptrace', 101, 0, 0, 0, 0)
                        call('perf_event_open', 298, 0, 0, -1, -1, 0)
                        call('userfaultfd', 323, 1)
                        call('io_uring_setup', 425, 8, 0)
                        call('clone3', 435, 0, 88)
                        call('openat2', 437, -100, 0, 0, 24)
                        call('keyctl', 250, 0, -3, 0)
                        call('unshare', 272, 0x10000000)
                        call('unshare time', 272, 0x80)
                        call('clone newuser', 56, 0x10000011, 0, 0, 0, 0)
                        call('clone newnet', 56, 0x40000011, 0, 0, 0, 0)
                        call('chroot', 161, b'/tmp')
                        call('personality no-randomize', 135, 0x0040000)
                        call('personality query', 135, 0xffffffff)
                        call('prctl set-mm', 157, 35, 1, 0, 0, 0)
                        call('mknod device', 133, b'/tmp/disk', 0o60666, 0x800)
                        call('mknod fifo', 133, b'/tmp/fifo', 0o10666, 0)
                        call('syslog', 103, 3, 0, 0)
                        call('AF_ALG', 41, 38, 5, 0)
                        call('AF_VSOCK', 41, 40, 1, 0)
                        call('AF_PACKET', 41, 17, 3, 0)
                        call('SOCK_PACKET', 41, 2, 10, 0)
                        call('SCTP', 41, 2, 1, 132)
                        call('netfilter', 41, 16, 3, 12)
                        call('routes', 41, 16, 3, 0)
                        call('TCP', 41, 2, 1, 0)
                        call('from the future', 500)
                        call('skipped', -1)
                        """);
        assertThat(ran.lines())
                .containsExactly(
                        "ptrace EPERM",
                        "perf_event_open EPERM",
                        "userfaultfd EPERM",
                        "io_uring_setup ENOSYS",
                        "clone3 ENOSYS",
                        "openat2 ENOSYS",
                        "keyctl EPERM",
                        "unshare EPERM",
                        "unshare time EPERM",
                        "clone newuser EPERM",
                        "clone newnet EPERM",
                        "chroot EPERM",
                        "personality no-randomize EPERM",
                        "personality query done",
                        "prctl set-mm EPERM",
                        "mknod device EPERM",
                        "mknod fifo done",
                        "syslog EPERM",
                        "AF_ALG EAFNOSUPPORT",
                        "AF_VSOCK EAFNOSUPPORT",
                        "AF_PACKET EAFNOSUPPORT",
                        "SOCK_PACKET EPERM",
                        "SCTP EPROTONOSUPPORT",
                        "netfilter EPROTONOSUPPORT",
                        "routes done",
                        "TCP done",
                        "from the future ENOSYS",
                        "skipped ENOSYS");
    }

    @ParameterizedTest
    @CsvSource({
        "kexec_load, 246",
        "init_module, 175",
        "finit_module, 313",
        "delete_module, 176",
        "bpf, 321",
        "open_by_handle_at, 304",
        "mount, 165",
        "umount2, 166",
        "fsopen, 430",
        "open_tree, 428",
        "move_mount, 429",
        "pivot_root, 155",
        "setns, 308",
        "swapon, 167",
        "reboot, 169",
        "acct, 163",
        "iopl, 172",
        "getpid of x32, 1073741863",
    })
    void killsForWhatOnlyAnAttackerCalls(String name, int number) throws Exception {
        String attack = "attempt('%s', %d, 0, 0, 0, 0, 0)".formatted(name, number);

        assertThat(python(filter(true), attack).lines())
                .containsExactly(name + " tried", name + " killed by " + SIGSYS);
        assertThat(python(null, attack).lines())
                .as("without the filter the kernel answers")
                .hasSize(2)
                .noneMatch(line -> line.contains("killed"));
    }

    @Test
    void killsTheWholeBoxWhenItsOnlyProcessAttacks() throws Exception {
        Ran ran =
                python(
                        filter(true),
                        "print('tried', flush=True)\ncall('mount', 165, 0, 0, 0, 0, 0)");

        assertThat(ran.lines()).containsExactly("tried");
        assertThat(ran.status()).isEqualTo(128 + SIGSYS);
    }

    @Test
    void killsForACallOfThe32BitArchitecture() throws Exception {
        // mov eax, 20 (getpid on i386); int 0x80; ret
        String attack =
                """
                code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
                code.write(bytes.fromhex('b814000000cd80c3'))
                start = ctypes.addressof(ctypes.c_char.from_buffer(code))
                print('tried', flush=True)
                print('pid', ctypes.CFUNCTYPE(ctypes.c_int)(start)())
                """;
        Ran without = python(null, attack);
        assumeTrue(
                without.status() == 0,
                "this kernel has no 32-bit system calls: " + without.output().strip());

        Ran ran = python(filter(true), attack);

        assertThat(ran.lines()).containsExactly("tried");
        assertThat(ran.status()).isEqualTo(128 + SIGSYS);
    }

    @Test
    void refusesToTypeIntoATerminalAlsoWithUpperBitsSet() throws Exception {
        String attack =
                """
                import pty
                master, slave = pty.openpty()
                os.setsid()
                call('controlling', 16, slave, 0x540e, 0)
                call('size', 16, slave, 0x5413, ctypes.create_string_buffer(8))
                call('TIOCSTI', 16, slave, 0x5412, b'x')
                call('disguised', 16, slave, 0x5412 | 1 << 32, b'x')
                call('TIOCSETD', 16, slave, 0x5423, ctypes.byref(ctypes.c_int(0)))
                """;
        assertThat(python(filter(true), attack).lines())
                .containsExactly(
                        "controlling done",
                        "size done",
                        "TIOCSTI EPERM",
                        "disguised EPERM",
                        "TIOCSETD EPERM");
        assertThat(python(null, attack).lines()).as("without the filter").contains("TIOCSETD done");
    }

    @Test
    void refusesSetuidFilesByEveryWay() throws Exception {
        String attack =
                """
                os.umask(0)
                call('creat', 85, b'/tmp/a', 0o4755)
                call('open', 2, b'/tmp/b', os.O_CREAT | os.O_WRONLY, 0o4755)
                call('openat', 257, -100, b'/tmp/c', os.O_CREAT | os.O_WRONLY, 0o4755)
                call('tmpfile', 257, -100, b'/tmp', os.O_TMPFILE | os.O_RDWR, 0o4755)
                call('mknod', 133, b'/tmp/d', 0o104755, 0)
                call('mknodat', 259, -100, b'/tmp/e', 0o104755, 0)
                open('/tmp/f', 'w').close()
                fd = os.open('/tmp/f', os.O_RDWR)
                call('chmod', 90, b'/tmp/f', 0o4755)
                call('chmod disguised', 90, b'/tmp/f', 0o4755 | 1 << 32)
                call('fchmod', 91, fd, 0o2755)
                call('fchmodat', 268, -100, b'/tmp/f', 0o6755)
                call('plain chmod', 90, b'/tmp/f', 0o755)
                found = [n for n in os.listdir('/tmp') if os.stat('/tmp/' + n).st_mode & 0o6000]
                print('setuid files', len(found))
                """;
        assertThat(python(filter(true), attack).lines())
                .containsExactly(
                        "creat EPERM",
                        "open EPERM",
                        "openat EPERM",
                        "tmpfile EPERM",
                        "mknod EPERM",
                        "mknodat EPERM",
                        "chmod EPERM",
                        "chmod disguised EPERM",
                        "fchmod EPERM",
                        "fchmodat EPERM",
                        "plain chmod done",
                        "setuid files 0");
        assertThat(python(null, attack).lines())
                .as("without the filter each of creat, open, openat, mknod, mknodat makes one")
                .contains("setuid files 5");
    }

    @Test
    void reachesNoListenerWhereUnixSocketsAreNotAllowed() throws Exception {
        // Refused a socket, an attacker takes one half of a pair and connects that.
        String attack =
                """
                call('socket', 41, 1, 1, 0)
                call('stream pair', 53, 1, 1, 0, (ctypes.c_int * 2)())
                try:
                    mine, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
                    mine.connect('\\0listener')
                    print('reached')
                except OSError as e:
                    print('pair', errno.errorcode[e.errno])
                """;
        assertThat(python(filter(false), attack).lines())
                .containsExactly("socket EACCES", "stream pair done", "pair EACCES");
        String listener =
                """
                listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                listener.bind('\\0listener')
                """;
        assertThat(python(null, listener + attack).lines())
                .as("without the filter a pair can be connected to somebody else")
                .contains("reached");
    }

    @Test
    void letsPythonWork() throws Exception {
        Ran ran =
                boxed(
                        filter(false),
                        List.of(
                                PYTHON,
                                "-c",
                                """
                                import asyncio, multiprocessing, sqlite3, subprocess, threading
                                thread = threading.Thread(target=print, args=['thread'])
                                thread.start()
                                thread.join()
                                subprocess.run(['true'], check=True)
                                asyncio.run(asyncio.sleep(0))
                                with multiprocessing.get_context('fork').Pool(2) as pool:
                                    print(sum(pool.map(abs, [-1, 2])))
                                print(*sqlite3.connect('/tmp/db').execute('select 4').fetchone())
                                """));

        assertThat(ran.lines()).containsExactly("thread", "3", "4");
    }

    @Test
    void letsNodeWork() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/node")), "node is missing");
        Ran ran =
                boxed(
                        filter(false),
                        List.of(
                                "/usr/bin/node",
                                "-e",
                                """
                                require('child_process').execSync('true');
                                require('fs').promises.readFile('/proc/self/stat').then(() => {
                                  const { Worker } = require('worker_threads');
                                  new Worker("console.log('worker')", { eval: true });
                                });
                                """));

        assertThat(ran.lines()).containsExactly("worker");
    }

    @Test
    void letsTheShellAndItsToolsWork() throws Exception {
        Ran ran =
                shell(
                        """
                        mkfifo pipe; (echo through > pipe &); cat pipe
                        cp -a /etc/passwd copy; tar -c copy | tar -t
                        sleep 0.01 & wait
                        touch -d 2020-01-01 copy; stat -c %y copy | cut -c 1-4
                        find . -name 'c*y' | sort | xargs -n 1 basename
                        """);

        assertThat(ran.lines()).containsExactly("through", "copy", "2020", "copy");
    }

    @Test
    void letsGitWork() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/git")), "git is missing");
        Ran ran =
                shell(
                        """
                        git init -q first; cd first
                        git config user.email a@example.com; git config user.name a
                        echo 1 > file; git add file; git commit -qm message; git gc -q
                        git clone -q . ../second; git -C ../second log --format=%s
                        """);

        assertThat(ran.lines()).containsExactly("message");
    }

    @Test
    void letsACompilerAndItsProgramWork() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "gcc is missing");
        Ran ran =
                shell(
                        """
                        cat > a.c <<'END'
                        #include <pthread.h>
                        #include <stdio.h>
                        static void *hello(void *x) { puts("thread"); return x; }
                        int main(void) {
                          pthread_t t;
                          return pthread_create(&t, 0, hello, 0) || pthread_join(t, 0);
                        }
                        END
                        gcc -O2 -pthread a.c -o a && ./a
                        """);

        assertThat(ran.lines()).containsExactly("thread");
    }

    private static Ran python(@Nullable Path filter, String program) throws Exception {
        return boxed(filter, List.of(PYTHON, "-I", "-c", PRELUDE + program));
    }

    private static Ran shell(String script) throws Exception {
        return boxed(filter(false), List.of("/bin/bash", "-ec", script));
    }

    private static Path filter(boolean unixSockets) throws IOException {
        Path file = Files.createTempFile(requireNonNull(folder), "filter", ".bpf");
        return Files.write(
                file, Seccomp.filter(Architecture.X86_64, new Seccomp.Options(unixSockets, true)));
    }

    /** Runs a command in a box; the shell is there to hand the filter over as descriptor 9. */
    private static Ran boxed(@Nullable Path filter, List<String> command) throws Exception {
        List<String> line = new ArrayList<>();
        line.addAll(List.of("/bin/bash", "-c", "exec \"$@\" 9<\"$0\""));
        line.add(filter == null ? "/dev/null" : filter.toString());
        line.addAll(
                List.of("/usr/bin/bwrap", "--unshare-all", "--die-with-parent", "--new-session"));
        line.addAll(
                List.of("--cap-drop", "ALL", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"));
        line.addAll(List.of("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"));
        line.addAll(List.of("--tmpfs", "/tmp", "--chdir", "/tmp", "--setenv", "HOME", "/tmp"));
        if (filter != null) {
            line.addAll(List.of("--seccomp", "9"));
        }
        line.addAll(command);
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Ran(process.exitValue(), output);
    }

    private record Ran(int status, String output) {
        List<String> lines() {
            return output.lines().toList();
        }
    }
}
