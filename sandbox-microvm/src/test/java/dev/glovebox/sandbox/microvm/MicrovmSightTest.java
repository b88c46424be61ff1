package dev.glovebox.sandbox.microvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.ConformanceKit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a hostile program sees of its machine, and what it can do to the agent in it. */
@Behind(MicrovmWall.class)
final class MicrovmSightTest extends ConformanceKit {

    private static final String WORDS =
            """
            import os, socket
            def attempt(what):
                try:
                    what()
                    return 'done'
                except OSError as e:
                    return 'refused'
            """;

    private String say(String source) {
        try (Sandbox box = open(Language.PYTHON)) {
            Result result = box.run(Program.python(WORDS + source));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            return result.stdout().text().strip();
        }
    }

    @Test
    void nothingOfTheHostIsThere(@TempDir Path folder) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "42");
        assertThat(
                        say(
                                """
                                print([one for one in ['%s', '%s', '/root' '/.ssh', '/boot'] if os.path.exists(one)])
                                print(sorted(os.listdir('/dev')))
                                print(len([one for one in os.listdir('/proc') if one.isdigit()]))
                                print([line.split(':')[0].strip() for line in open('/proc/net/dev').readlines()[2:]])
                                """
                                        .formatted(secret, Path.of("").toAbsolutePath())))
                .isEqualTo(
                        """
                        []
                        ['fd', 'full', 'null', 'random', 'shm', 'stderr', 'stdin', 'stdout', 'tty', 'urandom', 'zero']
                        1
                        ['lo']\
                        """);
    }

    @Test
    void nothingCanBeWrittenOutsideTheScratch() {
        assertThat(
                        say(
                                """
                                places = []
                                for top, folders, _ in os.walk('/'):
                                    if top.startswith(('/proc', '/usr')):
                                        folders.clear()
                                    try:
                                        os.close(os.open(top + '/planted', os.O_CREAT | os.O_WRONLY))
                                        places.append(top)
                                    except OSError:
                                        pass
                                doors = ['/sys/box/memory.max', '/sys/cgroup.procs', '/proc/sysrq-trigger', '/proc/sys/kernel/core_pattern',
                                         '/proc/sys/kernel/modprobe', '/proc/sys/user/max_user_namespaces', '/dev/vda', '/dev/vport0p1', '/dev/mem']
                                print(places, {attempt(lambda: open(door, 'w')) for door in doors})
                                """))
                .isEqualTo("['/tmp', '/tmp/scratch'] {'refused'}");
    }

    @Test
    void theAgentCannotBeReachedNorEnded() {
        assertThat(
                        say(
                                """
                                doors = [lambda: os.kill(1, 9), lambda: os.kill(1, 0), lambda: os.listdir('/proc/1'),
                                         lambda: open('/proc/1/mem', 'r+b'), lambda: open('/glovebox/agent.py', 'a'),
                                         lambda: os.setuid(0), lambda: os.mknod('port', 0o20666, os.makedev(242, 1)),
                                         lambda: os.unshare(os.CLONE_NEWUSER) if hasattr(os, 'unshare') else open('/none'),
                                         lambda: socket.socket(40, socket.SOCK_STREAM)]
                                print([attempt(door) for door in doors if attempt(door) != 'refused'])
                                """))
                .isEqualTo("[]");
    }
}
