package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What hostile programs have in common: they tell what they tried and what answer they got, and
 * nothing of them may be left afterwards.
 *
 * <p>A program tells by lines {@code name=answer}, where the answer is {@code done}, the name of an
 * error, or the signal that ended the attempt. So a test sees that the attack was made, and what
 * stopped it.
 */
public abstract class HostileKit extends ConformanceKit {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String MARK = "GLOVEBOX_TEST";
    // What moves the bytes of a program, or is the program.
    private static final Set<String> THREADS = Set.of("glovebox-pump", "glovebox-wasm");

    /** The words that the attacks are written in. */
    private static final String WORDS =
            """
            import ctypes, errno, os, platform, signal, sys, time

            libc = ctypes.CDLL(None, use_errno=True)
            libc.syscall.restype = ctypes.c_long
            arm = platform.machine() == 'aarch64'

            def tell(name, answer):
                print(f'{name}={answer}', flush=True)

            def attempt(name, action):
                try:
                    action()
                    tell(name, 'done')
                except OSError as e:
                    tell(name, errno.errorcode.get(e.errno, e.errno))

            def syscall(x86, aarch64, *arguments):
                words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
                result = libc.syscall(ctypes.c_long(aarch64 if arm else x86), *words)
                if result == -1:
                    raise OSError(ctypes.get_errno(), 'refused')
                return result

            # In a process of its own, since some attempts are deadly.
            def apart(name, action):
                child = os.fork()
                if child == 0:
                    attempt(name, action)
                    os._exit(0)
                status = os.waitpid(child, 0)[1]
                if os.WIFSIGNALED(status):
                    tell(name, signal.Signals(os.WTERMSIG(status)).name)

            """;

    /** The same for attacks in JavaScript. */
    private static final String JAVASCRIPT_WORDS =
            """
            const tell = (name, answer) => console.log(`${name}=${answer}`);
            const attempt = (name, action) => {
              try { action(); tell(name, 'done') } catch (e) { tell(name, e?.code ?? e?.name ?? e) }
            };
            """;

    private final String mark = UUID.randomUUID().toString();
    private final List<Long> hostUids = new ArrayList<>();
    private long pumpsBefore;

    /** What came of an attack: the result, and what the program told. */
    protected record Attack(Result result, Map<String, String> told) {

        Outcome outcome() {
            return result.outcome();
        }

        /** What the program told about one attempt. */
        String answer(String name) {
            assertThat(told).as("what was told: " + this).containsKey(name);
            return told.getOrDefault(name, "");
        }

        long number(String name) {
            return Long.parseLong(answer(name));
        }

        @Override
        public String toString() {
            return ConformanceKit.told(result);
        }
    }

    @Override
    protected Policy policy() {
        return super.policy().env(MARK, mark);
    }

    /** Runs an attack written in Python, with our words for it, in a box of its own. */
    protected final Attack attack(Policy policy, String source) {
        try (Sandbox box = open(policy, Language.PYTHON)) {
            return attack(box, source);
        }
    }

    /** Runs an attack that must end by itself, after it has made all its attempts. */
    protected final Attack attack(String source) {
        // Also where the machine is busy: some try thousands of things.
        Attack attack = attack(policy().wall(seconds(30)), source);
        assertThat(attack.outcome()).as(attack.toString()).isEqualTo(new Outcome.Exited(0));
        return attack;
    }

    /** Runs an attack in a box that others use as well. */
    protected final Attack attack(Sandbox box, String source) {
        return read(box.run(program(source)));
    }

    /** The attack as a program, for whoever starts it himself. */
    protected static Program program(String source) {
        return Program.python(WORDS + source);
    }

    /** Runs an attack written in JavaScript, with our words for it, in a box of its own. */
    protected final Attack attackInJavaScript(Policy policy, String source) {
        try (Sandbox box = open(policy, Language.JAVASCRIPT)) {
            return read(box.run(Program.javascript(JAVASCRIPT_WORDS + source)));
        }
    }

    /** Runs an attack in JavaScript that must end by itself, after all its attempts. */
    protected final Attack attackInJavaScript(String source) {
        Attack attack = attackInJavaScript(policy(), source);
        assertThat(attack.outcome()).as(attack.toString()).isEqualTo(new Outcome.Exited(0));
        return attack;
    }

    /** Reads what a program told. */
    protected final Attack read(Result result) {
        Map<String, String> told = new TreeMap<>();
        result.stdout()
                .text()
                .lines()
                .filter(line -> line.contains("="))
                .forEach(line ->
                        told.put(
                                line.substring(0, line.indexOf('=')),
                                line.substring(line.indexOf('=') + 1)));
        OptionalLong hostUid = result.receipt().hostUid();
        if (hostUid.isPresent() && hostUid.getAsLong() != ownUid()) {
            hostUids.add(hostUid.getAsLong());
        }
        return new Attack(result, told);
    }

    @BeforeEach
    final void countPumps() {
        pumpsBefore = pumps();
    }

    @AfterEach
    final void nothingOfItIsLeftAndTheNextBoxWorks() {
        within(() -> survivors().isEmpty());
        assertThat(survivors()).as("processes of the box on the host").isEmpty();
        within(() -> pumps() <= pumpsBefore);
        assertThat(pumps())
                .as("threads that still work for the box")
                .isLessThanOrEqualTo(pumpsBefore);
        try (Sandbox box = open(super.policy())) {
            Result result = box.run(harmless());
            assertThat(result.stdout().text()).as(told(result)).isEqualTo("fine\n");
        }
    }

    private Program harmless() {
        return notPromised().containsKey(Promise.COMMANDS)
                ? Program.javascript("console.log('fine')")
                : Program.command("echo", "fine");
    }

    /** Processes of the host that are, or come from, a box of this test. */
    protected final List<String> survivors() {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> processes =
                Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                String uid = status(process, "Uid");
                boolean zombie = status(process, "State").startsWith("Z");
                boolean ours =
                        hostUids.stream().anyMatch(one -> uid.startsWith(one + "\t"))
                                || text(process.resolve("environ")).contains(MARK + "=" + mark);
                if (ours && !zombie) {
                    found.add(process + " " + text(process.resolve("cmdline")).replace('\0', ' '));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static long pumps() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> THREADS.contains(thread.getName()))
                .count();
    }

    /** Waits for something that is sure to come, unless the test is going to fail. */
    protected static boolean within(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            try {
                Thread.sleep(Duration.ofMillis(5));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    /** The user that this JVM is. */
    protected static long ownUid() {
        return Long.parseLong(status(Path.of("/proc/self"), "Uid").split("\t")[0]);
    }

    private static String status(Path process, String name) {
        return text(process.resolve("status"))
                .lines()
                .filter(line -> line.startsWith(name + ":\t"))
                .map(line -> line.substring(name.length() + 2))
                .findFirst()
                .orElse("");
    }

    /** A file of the host's /proc, empty if it is gone. */
    protected static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
