package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.FileGrant;
import dev.glovebox.sandbox.InvalidPolicy;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that look around, and that write where they should not. */
public abstract class HostileSightKit extends HostileKit {

    private static final int SWAPS = 50;

    @Test
    void theHostsFilesAreNotThere(@TempDir Path folder) throws IOException {
        promised(Promise.JAIL_LAYOUT);
        promised(Promise.FILES_CONFINED);
        Path secret = Files.writeString(folder.resolve("secret"), "a secret of the host");
        Attack attack =
                attack(
                        """
                        for path in ('/etc/shadow', '/etc/hostname', '/etc/machine-id', '/etc/sudoers', '/etc/ssh',
                                     '/etc/ssl/private', '/root', '/home', '/var', '/sys', '/boot', '/srv', '/mnt', '/media',
                                     '/var/run', '/run/systemd', '/dev/mem', '/dev/kmsg', '/dev/vda', '/dev/sda', '/dev/kvm',
                                     '%s', '%s'):
                            attempt(path, lambda: os.open(path, os.O_RDONLY | os.O_NONBLOCK))
                        """
                                .formatted(secret, System.getProperty("user.home")));
        assertThat(secret).isReadable();
        assertThat(attack.told().size()).isGreaterThanOrEqualTo(22);
        assertThat(attack.told().values()).as(attack.toString()).containsOnly("ENOENT");
    }

    @Test
    void noProcessIsADoorToTheHostsFiles(@TempDir Path folder) throws IOException {
        promised(Promise.JAIL_LAYOUT);
        promised(Promise.FILES_CONFINED);
        Path secret = Files.writeString(folder.resolve("secret"), "a secret of the host");
        Attack attack =
                attack(
                        """
                        for number in [name for name in os.listdir('/proc') if name.isdigit()] + ['self', 'thread-self']:
                            for door in 'root', 'cwd':
                                for path in '%s', 'etc/shadow', '../../../../etc/shadow', 'home', 'var':
                                    attempt(f'{number} {door} {path}', lambda: os.open(f'/proc/{number}/{door}/{path}', os.O_RDONLY))
                            for fd in os.listdir(f'/proc/{number}/fd'):
                                try:
                                    os.listdir(f'/proc/{number}/fd/{fd}/..')
                                    tell(f'{number} fd {fd}', 'done')
                                except OSError as e:
                                    pass
                        for path in '/proc/kcore', '/proc/kmsg', '/proc/kpageflags', '/proc/slabinfo', '/proc/vmallocinfo':
                            attempt(path, lambda: open(path, 'rb').read(16))
                        tell('addresses', {line.split()[0] for line in open('/proc/kallsyms')} if os.path.exists('/proc/kallsyms') else '')
                        """
                                .formatted(secret.toString().substring(1)));
        assertThat(attack.told().size()).isGreaterThan(50);
        assertThat(attack.answer("addresses")).matches("|\\{'0+'}|set\\(\\)");
        attack.told()
                .forEach((name, answer) -> {
                    if (!name.equals("addresses")) {
                        assertThat(answer).as(name).isIn("ENOENT", "EACCES", "EPERM");
                    }
                });
    }

    @Test
    void theHostsProcessesAreNotSeenNorSignalled() {
        promised(Promise.PROCESSES_HIDDEN);
        long jvm = ProcessHandle.current().pid();
        Attack attack =
                attack(
                        """
                        jvm = %d
                        numbers = [int(name) for name in os.listdir('/proc') if name.isdigit()]
                        tell('most', max(numbers))
                        tell('commands', [open(f'/proc/{n}/cmdline').read().split('\\0')[0] for n in numbers])
                        for n in range(1, 400):
                            if n not in numbers and n != jvm:
                                try:
                                    os.kill(n, 0)
                                    tell(f'hidden {n}', 'done')
                                except OSError as e:
                                    pass
                        if jvm not in numbers:
                            attempt('signal', lambda: os.kill(jvm, 0))
                            attempt('handle', lambda: os.pidfd_open(jvm))
                            attempt('environment', lambda: open(f'/proc/{jvm}/environ').read())
                            attempt('limit', lambda: syscall(302, 261, jvm, 7, 0, 0))
                        """
                                .formatted(jvm));
        assertThat(attack.answer("commands")).doesNotContain("java");
        assertThat(attack.number("most")).isLessThan(100);
        assertThat(attack.told().keySet()).noneMatch(name -> name.startsWith("hidden"));
        if (jvm > 100) {
            assertThat(attack.answer("signal")).isEqualTo("ESRCH");
            assertThat(attack.answer("handle")).isIn("ESRCH", "ENOSYS");
            assertThat(attack.answer("environment")).isEqualTo("ENOENT");
            assertThat(attack.answer("limit")).isIn("ESRCH", "ENOSYS");
        }
    }

    @Test
    void theHostsNameAndUsersAreHidden() throws IOException {
        promised(Promise.JAIL_LAYOUT);
        promised(Promise.FILES_CONFINED);
        Attack attack =
                attack(
                        """
                        import pwd, grp, socket
                        tell('name', socket.gethostname())
                        tell('node', os.uname().nodename)
                        tell('users', sorted(user.pw_name for user in pwd.getpwall()))
                        tell('groups', sorted(group.gr_name for group in grp.getgrall()))
                        tell('me', pwd.getpwuid(os.getuid()).pw_name)
                        tell('hosts', open('/etc/hosts').read().replace('\\n', ' '))
                        tell('mine', os.getgroups())
                        """);
        assertThat(attack.answer("name")).isEqualTo("box");
        assertThat(attack.answer("node")).isEqualTo("box");
        assertThat(attack.answer("me")).isEqualTo("box");
        assertThat(attack.answer("users")).isEqualTo("['box', 'nobody']");
        assertThat(attack.answer("groups")).isEqualTo("['box', 'nogroup']");
        assertThat(attack.answer("mine")).isIn("[]", "[1000]", "[65534]", "[1000, 65534]");
        String hostName = text(Path.of("/proc/sys/kernel/hostname")).strip();
        assertThat(attack.answer("hosts")).doesNotContain(" " + hostName + " ");
    }

    @Test
    void theBoxesOwnProcessesTellNothingOfTheHost() {
        promised(Promise.JAIL_LAYOUT);
        promised(Promise.PROCESSES_HIDDEN);
        Attack attack =
                attack(
                        """
                        tell('environment of 1', open('/proc/1/environ').read())
                        tell('environment of 2', sorted(one.split('=')[0] for one in open('/proc/2/environ').read().split('\\0') if one))
                        tell('command of 1', open('/proc/1/cmdline').read().replace('\\0', ' '))
                        tell('folder of 1', os.readlink('/proc/1/cwd'))
                        tell('root of 1', os.readlink('/proc/1/root'))
                        tell('own', sorted(os.environ))
                        """);
        assertThat(attack.answer("environment of 1")).isEmpty();
        assertThat(attack.answer("environment of 2"))
                .isEqualTo("['HOME', 'LANG', 'PATH', 'PWD', 'TMPDIR']");
        assertThat(attack.answer("command of 1"))
                .doesNotContain(System.getProperty("user.dir"))
                .doesNotContain(System.getProperty("user.home") + "/")
                .doesNotContain("java");
        assertThat(attack.answer("folder of 1")).startsWith("/tmp");
        assertThat(attack.answer("root of 1")).isEqualTo("/");
        assertThat(attack.answer("own"))
                .isEqualTo("['GLOVEBOX_TEST', 'HOME', 'LANG', 'PATH', 'SHLVL', 'TMPDIR']");
    }

    @Test
    void descriptorsOfTheJvmAreNotInherited(@TempDir Path folder) throws Throwable {
        promised(Promise.JAIL_LAYOUT);
        promised(Promise.FILES_CONFINED);
        Path secret = Files.writeString(folder.resolve("secret"), "a secret of the host");
        int fd = openWithoutCloseOnExec(secret);
        assertThat(Path.of("/proc/self/fd/" + fd)).as("open in this JVM").exists();
        Attack attack =
                attack(
                        """
                        for number in '1', '2', 'self':
                            for fd in sorted(os.listdir(f'/proc/{number}/fd'), key=int):
                                try:
                                    tell(f'{number} {fd}', os.readlink(f'/proc/{number}/fd/{fd}'))
                                except FileNotFoundError:
                                    pass # of the listing itself
                        """);
        assertThat(attack.told().size()).isGreaterThanOrEqualTo(7);
        assertThat(attack.told().values())
                .as(attack.toString())
                .allMatch(target ->
                        target.startsWith("pipe:")
                                || target.startsWith("anon_inode:[eventfd]")
                                || target.startsWith("/dev/null")
                                || target.startsWith("/tmp/.glovebox/")
                                || target.equals("/run/glovebox/holder"));
    }

    /** All of Java's own descriptors are closed on exec; others in the JVM may be careless. */
    @SuppressWarnings("restricted")
    private static int openWithoutCloseOnExec(Path file) throws Throwable {
        Linker linker = Linker.nativeLinker();
        try (Arena arena = Arena.ofConfined()) {
            return (int)
                    linker.downcallHandle(
                                    linker.defaultLookup().find("creat").orElseThrow(),
                                    FunctionDescriptor.of(
                                            ValueLayout.JAVA_INT,
                                            ValueLayout.ADDRESS,
                                            ValueLayout.JAVA_INT))
                            .invokeExact(arena.allocateFrom(file.toString()), 0600);
        }
    }

    @Test
    void nothingCanBeWrittenOutsideTheScratch() {
        promised(Promise.JAIL_LAYOUT);
        promised(Promise.FILES_CONFINED);
        Attack attack =
                attack(
                        """
                        tried = 0
                        written = []
                        def walk(top, depth):
                            global tried
                            tried += 1
                            try:
                                file = os.path.join(top, 'planted')
                                os.close(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600))
                                os.unlink(file)
                                written.append(top)
                            except OSError:
                                pass
                            try:
                                inner = [entry.path for entry in os.scandir(top) if entry.is_dir(follow_symlinks=False)]
                            except OSError:
                                return
                            for path in inner:
                                if depth < 5:
                                    walk(path, depth + 1)
                        walk('/', 0)
                        tell('tried', tried)
                        tell('written', sorted(written))
                        opened = []
                        for top in '/usr/bin', '/usr/lib', '/etc', '/run':
                            for folder, _, names in os.walk(top):
                                for name in names[:50]:
                                    try:
                                        os.close(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW))
                                        opened.append(os.path.join(folder, name))
                                    except OSError:
                                        pass
                        tell('opened', opened)
                        attempt('holder', lambda: open('/run/glovebox/holder', 'a'))
                        attempt('null', lambda: os.chmod('/dev/null', 0o600))
                        attempt('times', lambda: os.utime('/usr/bin/env', (1, 1)))
                        attempt('replace', lambda: os.rename('/etc/passwd', '/etc/old'))
                        attempt('link out', lambda: os.link('/etc/passwd', '/tmp/scratch/passwd'))
                        """);
        assertThat(attack.number("tried")).isGreaterThan(100);
        assertThat(attack.answer("opened")).isEqualTo("[]");
        assertThat(attack.answer("written"))
                .isEqualTo("['/tmp', '/tmp/.glovebox', '/tmp/.shm', '/tmp/scratch']");
        assertThat(attack.answer("holder")).isIn("EROFS", "EACCES");
        assertThat(attack.answer("null")).isIn("EPERM", "EROFS");
        assertThat(attack.answer("times")).isIn("EPERM", "EROFS", "EACCES");
        assertThat(attack.answer("replace")).isEqualTo("EROFS");
        assertThat(attack.answer("link out")).isIn("EXDEV", "EPERM");
    }

    @Test
    void aFolderThatABoxSwapsForALinkIsNotShownToAnotherBox(@TempDir Path folder)
            throws IOException {
        promised(Promise.FILES_GRANTED);
        promised(Promise.JAIL_LAYOUT); // what makes other walls' mounts looks them up by itself
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Path inner = Files.createDirectory(shared.resolve("inner"));
        Files.writeString(inner.resolve("file"), "harmless");
        Files.writeString(
                Files.createDirectory(folder.resolve("outside")).resolve("file"), "secret");
        for (Path one : List.of(folder, shared, inner)) {
            Files.setPosixFilePermissions(one, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        Policy first =
                policy().wall(seconds(60))
                        .cpuTime(seconds(60))
                        .grant(new FileGrant(shared, "/shared", FileGrant.Mode.WRITE));
        Policy second = policy().grant(new FileGrant(inner, "/data", FileGrant.Mode.READ));
        try (Sandbox box = open(first, Language.PYTHON)) {
            Execution swapping =
                    box.start(
                            program(
                                    """
                                    os.symlink('../outside', '/shared/link')
                                    tell('tried', 'swap')
                                    while True:
                                        libc.syscall(276 if arm else 316, -100, b'/shared/inner', -100, b'/shared/link', 2)
                                    """),
                            chunk -> {});
            within(() -> Files.isSymbolicLink(shared.resolve("link")));
            int shown = 0;
            int refused = 0;
            // Until both sides of the swap were met, which proves that the race was on.
            for (int i = 0; i < SWAPS || ((shown == 0 || refused == 0) && !swapping.done()); i++) {
                try (Sandbox other = open(second)) {
                    Result result = other.run(Program.command("cat", "/data/file"));
                    assertThat(result.stdout().text()).as(told(result)).isEqualTo("harmless");
                    shown++;
                } catch (InvalidPolicy | NotEnforceable e) {
                    refused++;
                }
            }
            assertThat(swapping.done()).as("the attack has ended early").isFalse();
            assertThat(shown).isPositive();
            assertThat(refused).isPositive();
        }
    }

    @Test
    void aGrantedFileOfRootsAloneStaysUnreadable(@TempDir Path folder) throws IOException {
        promised(Promise.FILES_GRANTED);
        promised(Promise.JAIL_LAYOUT);
        promised(Promise.FILES_CONFINED);
        assumeTrue(ownUid() == 0, "Only a box that is opened as root has a user of its own");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path open = Files.writeString(folder.resolve("open"), "for all");
        Path shut = Files.writeString(folder.resolve("shut"), "for root");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        Files.setPosixFilePermissions(shut, PosixFilePermissions.fromString("rw-------"));
        Attack attack =
                attack(
                        policy().grant(new FileGrant(folder, "/data", FileGrant.Mode.WRITE)),
                        """
                        attempt('open', lambda: open('/data/open').read())
                        attempt('shut', lambda: open('/data/shut').read())
                        attempt('change', lambda: open('/data/open', 'w'))
                        attempt('mode', lambda: os.chmod('/data/shut', 0o644))
                        attempt('remove', lambda: os.unlink('/data/shut'))
                        attempt('plant', lambda: open('/data/planted', 'w'))
                        tell('owner', os.stat('/data/shut').st_uid)
                        """);
        assertThat(attack.answer("open")).isEqualTo("done");
        assertThat(attack.answer("shut")).isEqualTo("EACCES");
        assertThat(attack.answer("change")).isEqualTo("EACCES");
        assertThat(attack.answer("mode")).isEqualTo("EPERM");
        assertThat(attack.answer("remove")).isEqualTo("EACCES");
        assertThat(attack.answer("plant")).isEqualTo("EACCES");
        assertThat(attack.answer("owner")).isEqualTo("65534");
        assertThat(shut).content().isEqualTo("for root");
    }

    @Test
    void resultFilesThatArePlantedLinksFifosOrDevicesAreNotRead(@TempDir Path folder)
            throws IOException {
        promised(Promise.FILES_CONFINED);
        Path secret = Files.writeString(folder.resolve("secret"), "a secret of the host");
        List<String> traps =
                List.of(
                        "link",
                        "passwd",
                        "relative",
                        "magic",
                        "fifo",
                        "socket",
                        "folder/link",
                        "sparse");
        try (Sandbox box = open(Language.PYTHON)) {
            var program =
                    program(
                            """
                            import socket
                            attempt('link', lambda: os.symlink('%s', 'link'))
                            attempt('passwd', lambda: os.symlink('/etc/passwd', 'passwd'))
                            attempt('relative', lambda: os.symlink('../../../../../../etc/passwd', 'relative'))
                            attempt('magic', lambda: os.symlink('/proc/self/root' '/etc/passwd', 'magic'))
                            attempt('fifo', lambda: os.mkfifo('fifo'))
                            attempt('socket', lambda: socket.socket(socket.AF_UNIX).bind('socket'))
                            attempt('folder', lambda: os.symlink('/etc', 'folder'))
                            attempt('sparse', lambda: os.truncate(os.open('sparse', os.O_CREAT | os.O_RDWR), 1 << 40))
                            open('honest', 'w').write('kept')
                            """
                                    .formatted(secret));
            for (String trap : traps) {
                program = program.output(trap);
            }
            Result result = box.run(program.output("folder/passwd").output("honest"));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            Attack attack = read(result);
            assertThat(attack.answer("link")).isEqualTo("done");
            assertThat(attack.answer("fifo")).isEqualTo("done");
            assertThat(attack.answer("sparse")).as("RLIMIT_FSIZE").isEqualTo("EFBIG");
            assertThat(result.files()).containsKey("honest");
            for (String trap : traps) {
                byte[] content = result.files().getOrDefault(trap, new byte[0]);
                assertThat(content).as(trap + ": " + Arrays.toString(content)).isEmpty();
            }
            assertThat(result.files()).doesNotContainKey("folder/passwd");
        }
    }
}
