package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that are killed while a program runs, and what becomes of their runs. */
@Timeout(240)
class TraceResumeTest {

    private static final int INTERRUPTED = 130;

    // Hangs while there is a file that tells it to, and shows outside that it is there.
    private static final String PROGRAM =
            """
            echo begun
            touch "/marks/ran-$RANDOM$RANDOM"
            while [ -e /marks/hang ]; do sleep 0.05; done
            echo done
            """;

    @TempDir private Path directory = Path.of("");

    @BeforeEach
    void aProgramThatHangs() throws IOException {
        Cli.needs("jail");
        Path marks = Files.createDirectory(directory.resolve("marks"));
        // As root the box is another user.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(marks, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(directory.resolve("hang.sh"), PROGRAM);
        Files.createFile(marks.resolve("hang"));
    }

    private Cli.Ran glovebox(String... arguments) {
        return Cli.in(directory).run(arguments);
    }

    private long begun() throws IOException {
        try (Stream<Path> marks = Files.list(directory.resolve("marks"))) {
            return marks.filter(mark -> mark.getFileName().toString().startsWith("ran")).count();
        }
    }

    private void noMoreHanging() throws IOException {
        Files.delete(directory.resolve("marks/hang"));
    }

    /** Starts a command, waits until its program runs, and sends it a signal. */
    private Cli.Ran killed(String signal, String... arguments)
            throws IOException, InterruptedException {
        long before = begun();
        ProcessBuilder builder = Cli.in(directory).process(arguments);
        builder.environment().put("GLOVEBOX_HOME", directory.resolve(Cli.HOME).toString());
        Process process = builder.start();
        while (begun() == before && process.isAlive()) {
            Thread.sleep(20);
        }
        assertThat(begun()).isEqualTo(before + 1);
        assertThat(
                        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                                .start()
                                .waitFor())
                .isZero();
        return Cli.await(process);
    }

    private Cli.Ran killed(String signal) throws IOException, InterruptedException {
        return killed(
                signal,
                "exec",
                "--trace",
                "--timeout",
                "200s",
                "--mount",
                "marks:/marks:rw",
                "hang.sh");
    }

    private List<String> types() throws IOException {
        JsonNode entries = glovebox("trace", "show", "last", "--json").json().get("entries");
        return entries.valueStream().map(entry -> entry.get("type").textValue()).toList();
    }

    @Test
    void a_run_whose_command_was_killed_is_resumed() throws IOException, InterruptedException {
        killed("KILL");
        assertThat(types()).containsExactly("run.started", "node.started", "effect.intent");
        assertThat(glovebox("trace", "replay", "last").exit()).isEqualTo(3);
        noMoreHanging();
        Cli.Ran ran = glovebox("trace", "resume", "last", "--json");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        assertThat(ran.json().get("stop").textValue()).isEqualTo("completed");
        assertThat(begun()).isEqualTo(2);
        assertThat(types())
                .containsExactly(
                        "run.started",
                        "node.started",
                        "effect.intent",
                        "run.claimed",
                        "effect.intent",
                        "effect.outcome",
                        "node.finished",
                        "run.finished");
        assertThat(glovebox("trace", "show", "last").out())
                .contains("| begun", "bash  once more", "| done");
        assertThat(glovebox("trace", "verify", "last").exit()).isZero();
        assertThat(glovebox("trace", "replay", "last", "--execute").exit()).isZero();
        Cli.Ran again = glovebox("trace", "resume", "last");
        assertThat(again.exit()).isEqualTo(Main.USAGE);
        assertThat(again.stderr()).contains("is finished");
    }

    @Test
    void of_a_run_that_is_resumed_the_whole_is_shown_and_what_is_new_is_counted()
            throws IOException, InterruptedException {
        killed("KILL");
        noMoreHanging();
        try (Collector collector = new Collector()) {
            Cli.Ran ran =
                    Cli.in(directory).env(collector.environment()).run("trace", "resume", "last");
            assertThat(ran.exit()).as(ran.stderr()).isZero();
            assertThat(collector.spans())
                    .contains("invoke_workflow exec", "sandbox.exec", "run.claimed", "completed")
                    .doesNotContain("glovebox.partial", "glovebox.unfinished");
            assertThat(collector.metrics()).contains("glovebox.sandbox.duration");
        }
    }

    @Test
    void a_resumption_that_is_interrupted_can_be_resumed()
            throws IOException, InterruptedException {
        killed("KILL");
        Cli.Ran interrupted = killed("INT", "trace", "resume", "last");
        assertThat(interrupted.exit()).isEqualTo(INTERRUPTED);
        assertThat(interrupted.stderr()).contains("interrupted; to go on: glovebox trace resume");
        assertThat(types())
                .containsExactly(
                        "run.started",
                        "node.started",
                        "effect.intent",
                        "run.claimed",
                        "effect.intent");
        noMoreHanging();
        Cli.Ran ran = glovebox("trace", "resume", "last");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        assertThat(begun()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run --json --timeout 200s --mount marks:/marks:rw --code hang.sh",
                "trace resume last --json"
            })
    void an_interrupt_of_what_can_be_resumed_is_a_document(String words)
            throws IOException, InterruptedException {
        killed("KILL");
        Cli.Ran interrupted = killed("INT", words.split(" "));
        assertThat(interrupted.exit()).isEqualTo(INTERRUPTED);
        JsonNode json = interrupted.json();
        String run = glovebox("trace", "show", "last", "--json").json().path("run").asText();
        assertThat(json.path("run").asText()).isEqualTo(run);
        assertThat(json.path("record").asText()).isEqualTo("not-finished");
        assertThat(json.at("/error/type").asText()).isEqualTo("interrupted");
        assertThat(json.at("/error/message").asText()).endsWith("glovebox trace resume " + run);
    }

    @Test
    void of_a_replay_that_is_interrupted_no_verdict_is_told()
            throws IOException, InterruptedException {
        noMoreHanging();
        Cli.Ran ran = glovebox("exec", "--trace", "--mount", "marks:/marks:rw", "hang.sh");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        Files.createFile(directory.resolve("marks/hang"));
        Cli.Ran interrupted = killed("INT", "trace", "replay", "last", "--execute", "--json");
        assertThat(interrupted.exit()).isEqualTo(INTERRUPTED);
        assertThat(interrupted.stderr()).isEqualTo("glovebox: interrupted\n");
        assertThat(interrupted.json().at("/error/type").asText()).isEqualTo("interrupted");
    }

    @Test
    void an_interrupted_command_has_recorded_that() throws IOException, InterruptedException {
        Cli.Ran ran = killed("INT");
        assertThat(ran.exit()).isEqualTo(INTERRUPTED);
        assertThat(ran.stderr()).isEqualTo("glovebox: interrupted\n");
        assertThat(glovebox("trace", "show", "last").out())
                .contains("cancelled interrupted")
                .contains("| begun")
                .contains("run finished: cancelled");
        assertThat(glovebox("trace", "replay", "last").exit()).isZero();
    }
}
