package dev.glovebox.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.FileGrant;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a hostile program sees of its container, and what it can do to the process that holds it.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ContainerSightTest {

    /** The holder is the one process of Python's that is not the program itself. */
    private static final String HOLDER =
            """
            import os
            me = os.getpid()
            holder = os.getppid()
            def attempt(what):
                try:
                    what()
                    return 'done'
                except OSError as e:
                    return 'refused'
            """;

    @BeforeEach
    void anEngineIsHere() {
        assumeTrue(TestEngine.HOST.isPresent(), "No container engine can be had here");
    }

    private static Policy policy() {
        return Policy.denyAll().isolation(Isolation.CONTAINER).wall(Duration.ofSeconds(5));
    }

    private static Result run(Policy policy, String source) {
        try (Sandbox box = TestEngine.CONTAINER.open(policy)) {
            return box.run(Program.python(HOLDER + source));
        }
    }

    private static String say(String source) {
        Result result = run(policy(), source);
        assertThat(result.outcome()).as(result.stderr().text()).isEqualTo(new Outcome.Exited(0));
        return result.stdout().text().strip();
    }

    @Test
    void nothingOfTheHostIsThere(@TempDir Path folder) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "42");
        assertThat(
                        say(
                                """
                                found = [path for path in ['%s', '/var/run/docker.sock', '/run/docker.sock', '/run/podman', '/home', '/root' '/.ssh']
                                         + ['/proc/%%s/root%%s' %% (one, '%s') for one in os.listdir('/proc') if one.isdigit()]
                                         if os.path.exists(path)]
                                print(found, len([one for one in os.listdir('/proc') if one.isdigit()]) < 5)
                                """
                                        .formatted(secret, secret)))
                .isEqualTo("[] True");
    }

    @Test
    void nothingCanBeWrittenOutsideTheScratch() {
        assertThat(
                        say(
                                """
                                places = []
                                for top, folders, _ in os.walk('/'):
                                    if top.startswith('/proc'):
                                        folders.clear()
                                    try:
                                        os.close(os.open(top + '/planted', os.O_CREAT | os.O_WRONLY))
                                        places.append(top)
                                    except OSError:
                                        pass
                                print(places)
                                """))
                .isEqualTo("['/tmp', '/tmp/scratch']");
    }

    @Test
    void controlGroupsAndTheKernelsSettingsCannotBeChanged() {
        assertThat(
                        say(
                                """
                                paths = ['/sys/fs/cgroup/memory/memory.limit_in_bytes', '/sys/fs/cgroup/memory/release_agent',
                                         '/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/cgroup.procs', '/sys/fs/cgroup/pids/pids.max',
                                         '/proc/sysrq-trigger', '/proc/sys/kernel/core_pattern', '/sys/kernel/uevent_helper']
                                print({attempt(lambda: open(path, 'w')) for path in paths}, open('/proc/self/cgroup').read().count('/docker'))
                                """))
                .isEqualTo("{'refused'} 0");
    }

    @Test
    void theHolderCannotBeReadNorWrittenNorTraced() {
        assertThat(
                        say(
                                """
                                doors = [lambda: open('/proc/%d/mem' % holder, 'r+b'), lambda: os.listdir('/proc/%d/fd' % holder),
                                         lambda: open('/proc/%d/fd/1' % holder, 'wb'), lambda: open('/proc/%d/environ' % holder),
                                         lambda: os.listdir('/proc/%d/root' % holder), lambda: open('/proc/%d/oom_score_adj' % holder, 'w'),
                                         lambda: open('/proc/%d/maps' % holder).read()]
                                print({attempt(door) for door in doors})
                                """))
                .isEqualTo("{'refused'}");
    }

    @Test
    void signalsThatAProgramSendsToTheInitProcessDoNotEndTheBox() {
        try (Sandbox box = TestEngine.CONTAINER.open(policy())) {
            Result result =
                    box.run(
                            Program.python(
                                    "import os, time\nfor s in 15, 2, 1, 3, 10, 12, 14:\n    os.kill(1, s)\ntime.sleep(0.3)"));
            assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
            assertThat(box.run(Program.bash("echo on")).stdout().text()).isEqualTo("on\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"os.kill(holder, 9)", "os.kill(-1, 9)"})
    void aProgramThatKillsItsHolderEndsItsOwnBoxOnly(String attack) {
        Result result = run(policy(), attack + "\nimport time; time.sleep(60)");
        assertThat(result.outcome()).isInstanceOf(Outcome.Unknown.class);
        assertThat(say("print(1)")).isEqualTo("1");
    }

    @Test
    void aProgramThatStopsItsHolderIsStillTimedOut() {
        Policy brief = policy().wall(Duration.ofSeconds(1));
        Result result = run(brief, "os.kill(holder, 19)\nimport time\nwhile True: time.sleep(1)");
        assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(Duration.ofSeconds(1)));
    }

    @Test
    void aGrantedFileOfRootsAloneStaysUnreadable(@TempDir Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path secret = Files.writeString(folder.resolve("secret"), "42");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(folder.resolve("open"), "43");
        Policy policy = policy().grant(new FileGrant(folder, "/data", FileGrant.Mode.READ));
        Result result =
                run(
                        policy,
                        "print(attempt(lambda: open('/data/secret')), open('/data/open').read(),"
                                + " attempt(lambda: open('/data/new', 'w')))");
        assertThat(result.stdout().text()).isEqualTo("refused 43 refused\n");
        assertThat(result.receipt().control("file")).isPresent();
    }
}
