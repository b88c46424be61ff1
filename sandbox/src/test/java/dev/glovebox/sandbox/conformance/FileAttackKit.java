package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * The file API cannot be tricked out of the box, however the program in it prepares the scratch:
 * what the kits for this have in common is a secret on the host, which stays untouched.
 *
 * <p>This is asked of every tier, also of one that lets its programs see the host: it is this JVM,
 * which may have more rights than the program, that reads and writes here.
 */
abstract class FileAttackKit extends ConformanceKit {

    @TempDir Path host = Path.of("");
    final String secret = "secret " + UUID.randomUUID();

    @BeforeEach
    void putASecretOnTheHost() throws IOException {
        Files.createDirectories(host.resolve("safe"));
        Files.writeString(host.resolve("safe/file"), secret);
    }

    @AfterEach
    void theHostIsUntouched() throws IOException {
        assertThat(Files.readString(host.resolve("safe/file"))).isEqualTo(secret);
        try (Stream<Path> all = Files.list(host.resolve("safe"))) {
            assertThat(all).containsExactly(host.resolve("safe/file"));
        }
        try (Stream<Path> all = Files.list(host)) {
            assertThat(all).containsExactly(host.resolve("safe"));
        }
    }

    /** Runs a script that prepares the scratch; {@code SAFE} is where the secret is. */
    final void plant(Sandbox box, String script) {
        Result result =
                box.run(
                        Program.bash("set -e\n" + script)
                                .env("SAFE", host.resolve("safe").toString()));
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
    }

    static String tree(BoxFiles files, String directory) {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        files.getTree(directory, tar);
        return tar.toString(StandardCharsets.UTF_8);
    }

    static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(FileRefused.class);
    }

    /** For what need not work, but must end. */
    static void doneOrRefused(Runnable call) {
        try {
            call.run();
        } catch (FileRefused e) {
            assertThat(e).hasMessageMatching("(?s).+");
        }
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
