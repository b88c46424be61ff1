package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.sandbox.spi.Availability;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The command as a test uses it: in this JVM, or as a process of its own. */
record Cli(Path directory, byte[] stdin, Map<String, String> env) {

    /** Where it keeps traces, below its directory. */
    static final String HOME = ".glovebox";

    /** What came of it. */
    record Ran(int exit, byte[] stdout, String stderr) {

        String out() {
            return new String(stdout, StandardCharsets.UTF_8);
        }

        /** The one document on standard output. */
        JsonNode json() throws JsonProcessingException {
            return JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build()
                    .readTree(out());
        }
    }

    static Cli in(Path directory) {
        return new Cli(directory, new byte[0], Map.of());
    }

    Cli stdin(String text) {
        return new Cli(directory, text.getBytes(StandardCharsets.UTF_8), env);
    }

    /** With more variables. */
    Cli env(Map<String, String> more) {
        return new Cli(directory, stdin, more);
    }

    Ran run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Map<String, String> variables = new HashMap<>(env);
        // Never the traces of whoever runs the tests.
        variables.putIfAbsent("GLOVEBOX_HOME", directory.resolve(HOME).toString());
        Shell shell =
                new Shell(
                        new ByteArrayInputStream(stdin),
                        out,
                        err,
                        directory,
                        variables,
                        () -> false,
                        () -> false);
        int exit = new Main(shell).run(arguments);
        return new Ran(exit, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
    }

    /** Starts it as a person does: with a JVM, a process and streams of its own. */
    ProcessBuilder process(String... arguments) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                // What a shell starts in the background ignores interrupts, and
                                // so do its children.
                                "env",
                                "--default-signal=INT",
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        words.addAll(List.of(arguments));
        return new ProcessBuilder(words).directory(directory.toFile());
    }

    static Ran await(Process process) throws IOException, InterruptedException {
        byte[] out = process.getInputStream().readAllBytes();
        byte[] err = process.getErrorStream().readAllBytes();
        return new Ran(process.waitFor(), out, new String(err, StandardCharsets.UTF_8));
    }

    /** Skips the test, and says why, where a wall does not work; fails where it has to. */
    static void needs(String tier) {
        String why =
                Sandboxes.tiers().stream()
                        .filter(one -> one.name().equals(tier))
                        .findFirst()
                        .map(one ->
                                switch (one.probe()) {
                                    case Availability.Works _ -> "";
                                    case Availability.Missing(String reason, _) -> reason;
                                })
                        .orElse("there is no such tier");
        List<String> required =
                List.of(System.getProperty("glovebox.required-tiers", "").split("[, ]+"));
        if (!why.isEmpty() && required.contains(tier)) {
            fail("The tier '%s' has to work here and does not: %s", tier, why);
        }
        assumeTrue(why.isEmpty(), () -> "tier '" + tier + "' does not work here: " + why);
    }
}
