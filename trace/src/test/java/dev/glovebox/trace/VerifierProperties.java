package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whatever somebody makes of a file: there is a verdict, and it is not that all is well. */
class VerifierProperties {

    private static final String[] BITS = {
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        ",",
        "\\",
        "\n",
        "null",
        "-1",
        "1e9",
        "99999999999999999999",
        "\"blob\":",
        "{\"blob\":",
        "\"add\":[",
        "{\"seal\":",
        "{\"key\":",
        "{\"end\":",
        "\u0000",
        "é"
    };

    private static byte[] export = {};
    private static List<VerifyingKey> trusted = List.of();
    private static Path home = Path.of("");

    @BeforeContainer
    static void record() throws IOException {
        home = Files.createTempDirectory("glovebox-properties");
        try (Installation here = new Installation(home.resolve("keys"))) {
            String run = here.finished("run", 120);
            here.trace.rotate();
            export = here.export(run);
            trusted = here.trusted();
        }
    }

    @AfterContainer
    static void delete() throws IOException {
        try (var files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Property(tries = 3_000)
    void thereIsAlwaysAVerdict(@ForAll long seed) {
        Random random = new Random(seed);
        byte[] changed = export.clone();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            changed = changed(changed, random);
        }
        Verdict verdict = ExportLines.verdict(changed, trusted);

        assertThat(verdict instanceof Verdict.Intact).isEqualTo(Arrays.equals(changed, export));
        assertThat(verdict.sentence()).isNotBlank().hasSizeLessThan(500).doesNotContain("\n");
    }

    /** With the digest at its end put right, only what the run does not need can be left out. */
    @Property(tries = 1_000)
    void whoClosesTheFileAgainCannotChangeTheRun(@ForAll long seed) {
        Random random = new Random(seed);
        byte[] changed = changed(export, random);
        ExportLines lines = new ExportLines(changed);
        if (!lines.lines().isEmpty()) {
            lines.lines().removeLast();
        }
        String end = "{\"end\":\"" + Digests.hex(lines.bytes()) + "\"}";
        lines.lines().add(Installation.utf8(end));

        if (lines.verdict(trusted) instanceof Verdict.Intact) {
            assertThat(run(lines.bytes())).isEqualTo(run(export));
        }
    }

    /** The records and the blobs. */
    private static byte[] run(byte[] file) {
        ExportLines lines = new ExportLines(file);
        int end = lines.first("publicKey");
        lines.lines().subList(end, lines.size()).clear();
        return lines.bytes();
    }

    private static byte[] changed(byte[] file, Random random) {
        int at = random.nextInt(file.length + 1);
        int length = Math.min(random.nextInt(1 << random.nextInt(12)), file.length - at);
        return switch (random.nextInt(5)) {
            case 0 -> joined(file, at, new byte[0], at + length);
            case 1 -> joined(file, at, Arrays.copyOfRange(file, at, at + length), at);
            case 2 -> joined(file, at, Installation.utf8(BITS[random.nextInt(BITS.length)]), at);
            case 3 -> {
                byte[] noise = new byte[length];
                random.nextBytes(noise);
                yield joined(file, at, noise, at + length);
            }
            default -> {
                int from = random.nextInt(file.length - length + 1);
                yield joined(file, at, Arrays.copyOfRange(file, from, from + length), at + length);
            }
        };
    }

    private static byte[] joined(byte[] file, int to, byte[] middle, int from) {
        byte[] joined = Arrays.copyOf(file, to + middle.length + file.length - from);
        System.arraycopy(middle, 0, joined, to, middle.length);
        System.arraycopy(file, from, joined, to + middle.length, file.length - from);
        return joined;
    }
}
