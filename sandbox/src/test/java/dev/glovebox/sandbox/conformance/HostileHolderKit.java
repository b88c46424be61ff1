package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that go for what is ours inside the box: the process that holds it, the channels to its
 * commands, and its init process. They run as the same user, so they can; they must gain nothing,
 * and whoever waits outside must get an answer.
 */
public abstract class HostileHolderKit extends HostileKit {

    private Policy brief() {
        return policy().wall(seconds(2));
    }

    /** Starts an attack that goes on, and waits until it has told that it is done. */
    private static Execution begin(Sandbox box, String source) {
        AtomicBoolean told = new AtomicBoolean();
        Execution execution = box.start(program(source), chunk -> told.set(true));
        within(() -> told.get() || execution.done());
        assertThat(told).as("whether the attack was made").isTrue();
        return execution;
    }

    @Test
    void aProgramThatStopsItsHolderIsStillTimedOut() {
        Attack attack =
                attack(brief(), "attempt('stop', lambda: os.kill(2, 19))\ntime.sleep(600)\n");
        assertThat(attack.answer("stop")).isEqualTo("done");
        assertThat(attack.outcome()).isInstanceOf(Outcome.TimedOut.class);
    }

    @Test
    void aProgramThatStopsEverybodyIsStillTimedOut() {
        Attack attack =
                attack(brief(), "attempt('stop', lambda: os.kill(-1, 19))\ntime.sleep(600)\n");
        assertThat(attack.answer("stop")).isEqualTo("done");
        assertThat(attack.outcome()).isInstanceOf(Outcome.TimedOut.class);
    }

    @Test
    void aProgramThatKillsEverybodyEndsItsOwnBoxOnly() {
        try (Sandbox box = open(brief(), Language.PYTHON)) {
            Attack attack = attack(box, "tell('tried', 'kill')\nos.kill(-1, 9)\ntime.sleep(600)\n");
            assertThat(attack.answer("tried")).isEqualTo("kill");
            assertThat(attack.outcome())
                    .isInstanceOfAny(
                            Outcome.Unknown.class, Outcome.Signalled.class, Outcome.TimedOut.class);
            assertThatThrownBy(() -> box.run(Program.command("true"))).isInstanceOf(BoxGone.class);
        }
    }

    @Test
    void theInitProcessCannotBeSignalled() {
        Attack attack =
                attack(
                        """
                        for number in 9, 19, 15, 2, 11:
                            attempt(f'signal {number}', lambda: os.kill(1, number))
                        time.sleep(0.2)
                        tell('state', open('/proc/1/stat').read().split(')')[1].split()[0])
                        """);
        assertThat(attack.told()).hasSize(6);
        assertThat(attack.answer("state")).isEqualTo("S");
    }

    @Test
    void aProgramThatKillsItsHolderEndsItsOwnBoxOnly() {
        try (Sandbox box = open(brief(), Language.PYTHON)) {
            Attack attack = attack(box, "tell('tried', 'kill')\nos.kill(2, 9)\ntime.sleep(600)\n");
            assertThat(attack.answer("tried")).isEqualTo("kill");
            assertThat(attack.outcome())
                    .isInstanceOfAny(
                            Outcome.Unknown.class, Outcome.Signalled.class, Outcome.TimedOut.class);
            assertThatThrownBy(() -> box.run(Program.command("true"))).isInstanceOf(BoxGone.class);
        }
    }

    @Test
    void aCommandWhoseHolderIsStoppedEndsWithItsBox() throws Exception {
        try (Sandbox box = open(brief(), Language.PYTHON)) {
            Execution first =
                    begin(box, "attempt('stop', lambda: os.kill(2, 19))\ntime.sleep(600)\n");
            Result second = box.run(Program.command("true"));
            assertThat(second.outcome())
                    .isInstanceOfAny(Outcome.Cancelled.class, Outcome.TimedOut.class);
            assertThat(first.await().outcome())
                    .isInstanceOfAny(Outcome.Cancelled.class, Outcome.TimedOut.class);
        }
    }

    @Test
    void anOrderThatAStoppedHolderDoesNotTakeBlocksNobody() {
        // More than a pipe holds, so that writing it has to wait for the holder.
        String large = "x".repeat(100_000);
        try (Sandbox box = open(policy().wall(seconds(60)), Language.PYTHON)) {
            begin(box, "attempt('stop', lambda: os.kill(2, 19))\ntime.sleep(600)\n");
            assertThatThrownBy(() -> box.run(Program.command("true", large)))
                    .isInstanceOf(BoxGone.class);
        }
    }

    @Test
    void aForgedEndIsNotBelieved() {
        try (Sandbox box = open(brief(), Language.PYTHON)) {
            Attack attack =
                    attack(
                            box,
                            """
                            channel = os.open('/tmp/.glovebox/1.status', os.O_RDWR)
                            os.write(channel, b'status 0\\nready 1\\nready 2\\n')
                            tell('forged', 'done')
                            time.sleep(600)
                            """);
            assertThat(attack.answer("forged")).isEqualTo("done");
            assertThat(attack.outcome()).isInstanceOf(Outcome.TimedOut.class);
            assertThat(box.run(Program.bash("exit 7")).outcome()).isEqualTo(new Outcome.Exited(7));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 18})
    void aProgramThatKillsOrWakesItsParentIsNotASuccess(int signal) {
        Attack attack =
                attack(
                        brief(),
                        """
                        parent = os.getppid()
                        tell('parent', parent)
                        attempt('signal', lambda: os.kill(parent, %d))
                        time.sleep(0.3)
                        os._exit(3)
                        """
                                .formatted(signal));
        assertThat(attack.number("parent")).isGreaterThan(1);
        assertThat(attack.answer("signal")).isEqualTo("done");
        assertThat(attack.outcome())
                .isInstanceOfAny(Outcome.Unknown.class, Outcome.Exited.class)
                .isNotEqualTo(new Outcome.Exited(0));
    }

    @Test
    void aForgedStatusDoesNotHideThatMemoryRanOut() {
        promised(Promise.TREE_MEMORY);
        Attack attack =
                attack(
                        policy().wall(Duration.ofMinutes(1)),
                        """
                        channel = open('/tmp/.glovebox/1.status', 'w')
                        tell('tried', 'eat')
                        apart('eat', lambda: bytearray(700 << 20))
                        channel.write('status 0\\n')
                        channel.close()
                        time.sleep(600)
                        """);
        assertThat(attack.answer("tried")).isEqualTo("eat");
        assertThat(attack.outcome()).isInstanceOf(Outcome.LimitHit.class);
    }

    @Test
    void garbageOnTheStatusChannelIsBounded() {
        Attack attack =
                attack(
                        brief(),
                        """
                        tell('tried', 'flood')
                        channel = os.open('/tmp/.glovebox/1.status', os.O_WRONLY)
                        for _ in range(100000):
                            os.write(channel, os.urandom(4096))
                        """);
        assertThat(attack.answer("tried")).isEqualTo("flood");
        assertThat(attack.outcome()).isNotEqualTo(new Outcome.Exited(0));
    }

    @Test
    void channelsThatAreRemovedOrReplacedEndTheBoxNotTheHost() {
        try (Sandbox box = open(brief(), Language.PYTHON)) {
            Attack attack =
                    attack(
                            box,
                            """
                            os.chdir('/tmp/.glovebox')
                            for name in os.listdir('.'):
                                attempt('unlink ' + name, lambda: os.unlink(name))
                            for name in '2.in', '2.out', '2.err', '2.status':
                                attempt('plant ' + name, lambda: os.symlink('/etc/passwd', name))
                            """);
            assertThat(attack.told().size()).isGreaterThanOrEqualTo(8);
            assertThat(attack.told().values()).containsOnly("done");
            assertThat(attack.outcome()).isEqualTo(new Outcome.Exited(0));
            assertThatThrownBy(() -> box.run(Program.command("true"))).isInstanceOf(BoxGone.class);
        }
    }

    @Test
    void commandsThatAreRefusedLeaveNoDescriptorsInTheJvm() throws IOException {
        long before = descriptors();
        try (Sandbox box = open(brief(), Language.PYTHON)) {
            attack(box, "attempt('plant', lambda: os.mkfifo('/tmp/.glovebox/2.err'))\n");
            assertThatThrownBy(() -> box.run(Program.command("true"))).isInstanceOf(BoxGone.class);
        }
        assertThat(within(() -> descriptors() <= before)).as("descriptors are given back").isTrue();
    }

    private static long descriptors() {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aBoxIsClosedBeforeItsCommandHasBegun() {
        // Nobody has opened the command's channels by then, so none of them hangs up by itself.
        for (int i = 0; i < 20; i++) {
            try (Sandbox box = open(brief(), Language.PYTHON)) {
                box.start(Program.command("sleep", "600"), chunk -> {});
            }
        }
    }

    @Test
    void ordersCannotBeForged() {
        Attack attack =
                attack(
                        """
                        attempt('write', lambda: os.write(os.open('/proc/2/fd/0', os.O_WRONLY | os.O_NONBLOCK),
                            b'run\\x001\\x00/\\x001\\x00/bin/true\\x000\\x00'))
                        attempt('garbage', lambda: os.write(os.open('/proc/2/fd/0', os.O_WRONLY | os.O_NONBLOCK), b'x' * 70000))
                        """);
        // As an ordinary user the pipe is the program's own, and the holder can be told to run what
        // the program can run anyway.
        assertThat(attack.told().values()).isSubsetOf(ownUid() == 0 ? "EACCES" : "done", "EAGAIN");
    }

    @Test
    void aProgramCannotTakeOverTheInitProcessAndSoOutliveTheJvm() {
        promised(Promise.SYSCALLS_FILTERED);
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "The attack is x86_64 code");
        Attack attack =
                attack(
                        """
                        def number(n):
                            return n.to_bytes(8, 'little')

                        # The init process waits in a system call; what it executes next is rewritten to make a
                        # thread that executes a program. That is the init process then, and does not die with
                        # its parent: a thread inherits no PR_SET_PDEATHSIG.
                        def take_over(path):
                            where = open('/proc/1/syscall').read().split()
                            code, room = int(where[-1], 16), int(where[-2], 16) - 16384
                            words = (b'/bin/sleep'.ljust(32, bytes(1)) + b'600'.ljust(32, bytes(1))
                                + number(room) + number(room + 32) + number(0))
                            execute = (bytes.fromhex('48bf') + number(room) + bytes.fromhex('48be')
                                + number(room + 64) + bytes.fromhex('31d2' 'b83b000000' '0f05'))
                            clone = (bytes.fromhex('b838000000' 'bf000f0100' '48be') + number(room - 4096)
                                + bytes.fromhex('31d2' '4d31d2' '4d31c0' '0f05' '85c0' '75') + bytes([len(execute)]))
                            pause = bytes.fromhex('b822000000' '0f05' 'ebf7')
                            memory = os.open(path, os.O_RDWR)
                            os.pwrite(memory, words, room)
                            os.pwrite(memory, clone + execute + pause, code)

                        attempt('mem', lambda: take_over('/proc/1/mem'))
                        attempt('task', lambda: take_over('/proc/1/task/1/mem'))
                        attempt('read', lambda: os.open('/proc/1/mem', os.O_RDONLY))
                        # An orphan, whose end wakes the init process.
                        if os.fork() == 0:
                            if os.fork() == 0:
                                time.sleep(0.1)
                            os._exit(0)
                        os.wait()
                        time.sleep(1)
                        tell('init', open('/proc/1/comm').read().strip())
                        """);
        assertThat(attack.answer("mem")).isEqualTo("EACCES");
        assertThat(attack.answer("task")).isEqualTo("EACCES");
        assertThat(attack.answer("read")).isEqualTo("EACCES");
        assertThat(attack.answer("init")).isEqualTo("bwrap");
    }
}
