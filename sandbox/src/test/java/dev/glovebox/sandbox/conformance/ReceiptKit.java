package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Receipt;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** A receipt tells what was really in force, and its digests can be computed by anyone. */
public abstract class ReceiptKit extends ConformanceKit {

    private static final String SHA_256 = "[0-9a-f]{64}";

    @Test
    void digestsAreThoseThatAnybodyComputes() throws NoSuchAlgorithmException {
        String source = "import sys\nprint('out ä'); print('err', file=sys.stderr)";
        byte[] input = {0, 1, (byte) 0xff};
        Policy policy = policy().env("A", "b");
        try (Sandbox box = open(policy, Language.PYTHON)) {
            Receipt receipt =
                    box.run(
                                    Program.python(source)
                                            .input("in/put", input)
                                            .input("empty", new byte[0]))
                            .receipt();
            assertThat(receipt.codeDigest()).isEqualTo(sha256(utf8(source)));
            assertThat(receipt.inputDigests())
                    .isEqualTo(Map.of("in/put", sha256(input), "empty", sha256(new byte[0])));
            assertThat(receipt.stdoutDigest()).isEqualTo(sha256(utf8("out ä\n")));
            assertThat(receipt.stderrDigest()).isEqualTo(sha256(utf8("err\n")));
            assertThat(receipt.policyDigest()).isEqualTo(policy.digest()).matches(SHA_256);
        }
    }

    @Test
    void aCommandsDigestTellsItsArgumentsApart() {
        promised(Promise.COMMANDS);
        try (Sandbox box = open()) {
            String one = codeDigest(box, Program.command("echo", "a", "b"));
            assertThat(one).matches(SHA_256);
            assertThat(codeDigest(box, Program.command("echo", "a", "b"))).isEqualTo(one);
            assertThat(codeDigest(box, Program.command("echo", "a b"))).isNotEqualTo(one);
            assertThat(codeDigest(box, Program.command("echo", "b", "a"))).isNotEqualTo(one);
        }
    }

    private static String codeDigest(Sandbox box, Program program) {
        return box.run(program).receipt().codeDigest();
    }

    @Test
    void theInterpreterIsTheOneThatRan() {
        Policy policy = policy();
        try (Sandbox box = open(policy, Language.PYTHON)) {
            Result result =
                    box.run(Program.python("import sys; print(*sys.version_info[:3], sep='.')"));
            Optional<Interpreter> interpreter = result.receipt().interpreter();
            assertThat(interpreter).isEqualTo(tier().interpreter(Language.PYTHON, policy));
            assertThat(interpreter.orElseThrow().version())
                    .isEqualTo(result.stdout().text().strip());
            assertThat(interpreter.orElseThrow().path()).isAbsolute();
        }
    }

    @Test
    void aCommandHasNoInterpreter() {
        promised(Promise.COMMANDS);
        try (Sandbox box = open()) {
            assertThat(box.run(Program.command("true")).receipt().interpreter()).isEmpty();
        }
    }

    @Test
    void tierAndControlsAreNamed() {
        try (Sandbox box = open(Language.BASH)) {
            assertThat(box.tier()).isEqualTo(tier().name());
            Receipt receipt = box.run(Program.bash("true")).receipt();
            assertThat(receipt.tier()).isEqualTo(tier().name());
            assertThat(receipt.tierVersion()).isNotBlank();
            assertThat(receipt.controls())
                    .isNotEmpty()
                    .allSatisfy(control -> {
                        assertThat(control.name()).isNotBlank();
                        assertThat(control.value()).isNotBlank().isNotEqualTo("?");
                        assertThat(control.by()).isNotBlank();
                    });
            assertThat(receipt.controls())
                    .as("whether writing to disks is bounded")
                    .extracting(Control::name)
                    .contains("disk-rate");
        }
    }

    @Test
    void thereIsAReceiptHoweverTheProgramEnds() {
        Duration wall = Duration.ofMillis(500);
        try (Sandbox box = open(policy().wall(wall), Language.BASH)) {
            List<Program> programs =
                    List.of(
                            Program.bash("exit 3"),
                            Program.bash("kill -9 $$"),
                            Program.bash("sleep 60"),
                            Program.command("no-such-command"));
            for (Program program : programs) {
                Result result = box.run(program);
                assertThat(result.receipt().controls()).as(told(result)).isNotEmpty();
                assertThat(result.receipt().policyDigest()).matches(SHA_256);
                assertThat(result.receipt().stdoutDigest()).isEqualTo(result.stdout().digest());
                assertThat(result.usage().wall()).isPositive();
            }
        }
    }

    @Test
    void theHostUserIsTheOneThatTheHostSees() throws Exception {
        promised(Promise.THIS_MACHINE);
        promised(Promise.COMMANDS);
        // A number that no other sleep on this machine has.
        String token = "60." + ThreadLocalRandom.current().nextLong(1L << 40, 1L << 50);
        try (Sandbox box = open()) {
            Execution execution = box.start(Program.command("sleep", token), chunk -> {});
            Optional<Long> seen = Optional.empty();
            while (seen.isEmpty() && !execution.done()) {
                seen = userOfSleep(token);
            }
            execution.cancel("seen");
            Result result = execution.await();
            assumeTrue(
                    seen.isPresent() || result.receipt().hostUid().isPresent(),
                    () ->
                            "Programs of the tier "
                                    + tier().name()
                                    + " are no processes of the host");
            assertThat(result.outcome()).isInstanceOf(Outcome.Cancelled.class);
            assertThat(result.receipt().hostUid()).hasValue(seen.orElseThrow());
        }
    }

    private static Optional<Long> userOfSleep(String token) throws IOException {
        try (DirectoryStream<Path> processes =
                Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                try {
                    String words = Files.readString(process.resolve("cmdline"));
                    if (words.equals("sleep\0" + token + "\0")) {
                        return Files.readAllLines(process.resolve("status")).stream()
                                .filter(line -> line.startsWith("Uid:"))
                                .map(line -> Long.valueOf(line.split("\\s+")[1]))
                                .findFirst();
                    }
                } catch (IOException e) {
                    // It has ended meanwhile.
                }
            }
        }
        return Optional.empty();
    }

    @Test
    void theHostUserIsNotRootAndNotThatOfAnotherBoxWhereWeAreRoot() throws Exception {
        promised(Promise.NO_PRIVILEGES);
        try (Sandbox one = open(Language.BASH);
                Sandbox other = open(Language.BASH)) {
            Receipt first = one.run(Program.bash("true")).receipt();
            Receipt second = other.run(Program.bash("true")).receipt();
            assumeTrue(
                    first.hostUid().isPresent(),
                    () -> "Programs of the tier " + tier().name() + " have no host user");
            assertThat(first.hostUid().getAsLong()).isNotZero();
            if (Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
                assertThat(first.hostUid()).isNotEqualTo(second.hostUid());
            }
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
