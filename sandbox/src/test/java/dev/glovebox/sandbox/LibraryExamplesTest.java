package dev.glovebox.sandbox;

import static dev.glovebox.sandbox.Bytes.mebibytes;
import static dev.glovebox.sandbox.Language.PYTHON;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.conformance.Walls;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/library.md}. */
class LibraryExamplesTest {

    private final StringBuilder shown = new StringBuilder();

    private static void needsAJail() {
        Walls.needed("jail");
    }

    private void show(Chunk chunk) {
        shown.append(new String(chunk.bytes(), UTF_8));
    }

    @Test
    void theFiveLines() {
        needsAJail();
        Policy policy = Policy.denyAll().wall(ofSeconds(10)).memory(mebibytes(256));
        try (Sandbox box = Sandboxes.open(policy, PYTHON)) {
            Result result = box.run(Program.python("print(6 * 7)"));
            System.out.println(result.stdout().text());
        }
    }

    @Test
    void howItEnded() {
        needsAJail();
        try (Sandbox box = Sandboxes.open(Policy.denyAll(), PYTHON)) {
            Result result = box.run(Program.python("print(6 * 7); exit(3)"));
            String verdict =
                    switch (result.outcome()) {
                        case Outcome.Exited(int code) -> "exit code " + code;
                        case Outcome.Signalled(int signal) -> "signal " + signal;
                        case Outcome.TimedOut(Duration limit) -> "longer than " + limit;
                        case Outcome.LimitHit(Limit limit, long value, long peak) ->
                                limit + ": " + peak + " of " + value;
                        case Outcome.Denied(String rule, String what) -> rule + " refused " + what;
                        case Outcome.Cancelled(String reason) -> reason;
                        case Outcome.NotStarted(String reason) -> reason;
                        case Outcome.Unknown(String reason) -> reason;
                    };
            assertThat(verdict).isEqualTo("exit code 3");
            assertThat(result.stdout().text()).isEqualTo("42\n");
        }
    }

    @Test
    void streamingFilesAndSeveralCommands() throws Exception {
        needsAJail();
        byte[] csv = "40,2\n".getBytes(UTF_8);
        String source = "open('plot.png', 'wb').write(open('data/numbers.csv', 'rb').read())";
        try (Sandbox box = Sandboxes.open(Policy.denyAll(), PYTHON)) {
            Execution running =
                    box.start(Program.bash("read name; echo hello $name"), chunk -> show(chunk));
            running.stdin().write("world\n".getBytes(UTF_8));
            running.stdin().close();
            Result result = running.await();

            box.files().write("data/numbers.csv", csv);
            Map<String, byte[]> made = box.run(Program.python(source).output("plot.png")).files();

            assertThat(result.stdout().text()).isEqualTo("hello world\n").isEqualTo(shown + "");
            assertThat(made).containsEntry("plot.png", csv);
        }
    }
}
