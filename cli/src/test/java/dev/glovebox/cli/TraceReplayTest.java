package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code glovebox trace replay} makes of executions that were recorded. */
class TraceReplayTest {

    private static final int NOT_THE_SAME = 1;

    @TempDir private Path directory = Path.of("");

    @BeforeEach
    void aJail() {
        Cli.needs("jail");
    }

    private Cli.Ran glovebox(String... arguments) {
        return Cli.in(directory).run(arguments);
    }

    private String traced(String stdin, String... arguments) {
        Cli.Ran ran = Cli.in(directory).stdin(stdin).run(arguments);
        assertThat(ran.stderr()).contains("recorded: glovebox trace show ");
        return ran.stderr().strip().replaceFirst("(?s).* ", "");
    }

    private String bash(String source) {
        return traced(source, "exec", "--trace", "--lang", "bash", "-");
    }

    private String marking() throws IOException {
        return marking("echo hello");
    }

    /** A program that leaves a mark outside its box each time it runs, and then does more. */
    private String marking(String more) throws IOException {
        Path marks = Files.createDirectory(directory.resolve("marks"));
        // As root the box is another user.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(marks, PosixFilePermissions.fromString("rwxrwxrwx"));
        return traced(
                "echo ran > /marks/$RANDOM$RANDOM; " + more,
                "exec",
                "--trace",
                "--mount",
                marks + ":/marks:rw",
                "--lang",
                "bash",
                "-");
    }

    private List<Path> marks() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("marks"))) {
            return files.toList();
        }
    }

    @Test
    void a_replay_starts_no_box() throws IOException {
        String run = marking();
        assertThat(marks()).hasSize(1);
        Cli.Ran ran = glovebox("trace", "replay", run);
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        assertThat(ran.out())
                .isEqualTo("Faithful: the run " + run + " does what its 6 records say.\n");
        assertThat(marks()).hasSize(1);
        JsonNode json = glovebox("trace", "replay", "last", "--json").json();
        assertThat(json.get("verdict").textValue()).isEqualTo("faithful");
        assertThat(json.get("derived")).isEqualTo(json.get("recorded"));
        assertThat(json.get("executed")).isEmpty();
    }

    @Test
    void an_execution_is_really_repeated_and_comes_to_the_same() throws IOException {
        String run = marking();
        Cli.Ran ran = glovebox("trace", "replay", run, "--execute");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        assertThat(ran.out()).contains("sandbox.exec  bash  (exec#1:1)  reproduced\nFaithful");
        assertThat(marks()).hasSize(2);
    }

    @Test
    void a_replay_of_a_failed_program_is_faithful_too() {
        String run = bash("echo fault >&2; exit 3");
        assertThat(glovebox("trace", "replay", run, "--execute").exit()).isZero();
        traced("", "exec", "--trace", "--", "no-such-program");
        assertThat(glovebox("trace", "replay", "last", "--execute").exit()).isZero();
        glovebox("exec", "--trace", "--tier", "nowhere", "--", "true");
        Cli.Ran ran = glovebox("trace", "replay", "last", "--execute");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        assertThat(ran.stderr()).contains("nothing was executed");
    }

    @Test
    void the_stream_that_is_not_reproduced_is_named() throws IOException {
        bash("echo same >&2; cat /proc/sys/kernel/random/uuid");
        Cli.Ran ran = glovebox("trace", "replay", "last", "--execute");
        assertThat(ran.exit()).isEqualTo(NOT_THE_SAME);
        assertThat(ran.out())
                .contains("(exec#1:1)  not reproduced: standard output is not the same\n")
                .contains("Not reproduced: ");
        bash("date +%s%N >&2");
        JsonNode json = glovebox("trace", "replay", "last", "--execute", "--json").json();
        assertThat(json.get("verdict").textValue()).isEqualTo("not-reproduced");
        assertThat(json.at("/executed/0/why").textValue())
                .isEqualTo("standard error is not the same");
    }

    @Test
    void the_outcome_that_is_not_reproduced_is_named() throws IOException {
        String run = marking("exit $(ls /marks | wc -l)");
        assertThat(glovebox("trace", "replay", run, "--execute").out())
                .contains("the outcome (exited ");
    }

    @Test
    void what_was_passed_on_from_standard_input_is_passed_on_again() throws IOException {
        Files.writeString(directory.resolve("sum.sh"), "sha256sum");
        traced("some input", "exec", "--trace", "sum.sh");
        assertThat(glovebox("trace", "replay", "last", "--execute").exit()).isZero();
        traced("x".repeat(3_000_000), "exec", "--trace", "sum.sh");
        assertThat(glovebox("trace", "replay", "last").exit()).isZero();
        Cli.Ran ran = glovebox("trace", "replay", "last", "--execute");
        assertThat(ran.exit()).isEqualTo(NOT_THE_SAME);
        assertThat(ran.out())
                .contains("Only the first 1,048,576 of 3,000,000 bytes of its standard input");
    }

    @Test
    void files_that_go_in_and_come_out_are_compared_whatever_their_names() throws IOException {
        Files.writeString(directory.resolve("blob"), "in");
        String[] words = {"exec", "--trace", "--in", "blob", "--out", "out", "--lang", "bash", "-"};
        traced("rev blob > out", words);
        assertThat(glovebox("trace", "replay", "last", "--execute").exit()).isZero();
        traced("cp /proc/sys/kernel/random/uuid out", words);
        assertThat(glovebox("trace", "replay", "last", "--execute").out())
                .contains("not reproduced: the file out");
    }

    @Test
    void a_mount_that_is_gone_prevents_the_execution_and_not_the_replay() throws IOException {
        String run = marking();
        Files.delete(marks().getFirst());
        Files.delete(directory.resolve("marks"));
        assertThat(glovebox("trace", "replay", run).exit()).isZero();
        Cli.Ran ran = glovebox("trace", "replay", run, "--execute");
        assertThat(ran.exit()).isEqualTo(NOT_THE_SAME);
        assertThat(ran.out()).contains("not reproduced: ").contains("does not exist");
    }

    @Test
    void a_tampered_run_is_not_replayed() throws SQLException, IOException {
        String run = bash("echo hello");
        try (Connection database =
                DriverManager.getConnection(
                        "jdbc:sqlite:" + directory.resolve(Cli.HOME).resolve("trace.db"))) {
            int changed =
                    database.createStatement()
                            .executeUpdate(
                                    "UPDATE appended SET line = CAST(replace(CAST(line AS TEXT),"
                                            + " '\"code\":0', '\"code\":1') AS BLOB)");
            assertThat(changed).isPositive();
        }
        Cli.Ran ran = glovebox("trace", "replay", run, "--execute");
        assertThat(ran.exit()).isEqualTo(NOT_THE_SAME);
        assertThat(ran.out()).startsWith("Tampered with: record 3").contains("Nothing was done.");
        assertThat(glovebox("trace", "replay", run, "--json").json().get("verdict").textValue())
                .isEqualTo("tampered");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/entries/2/body/derived/details/source/blob",
                "/entries/2/body/derived/arguments/blob",
                "/entries/3/body/observed/details/stdout/blob",
                "/entries/0/body/derived/input/blob"
            })
    void of_a_redacted_run_it_is_told_that_content_was_deleted(String where) throws IOException {
        String run = bash("echo hello");
        String digest = glovebox("trace", "show", run, "--json").json().at(where).textValue();
        glovebox("trace", "redact", digest, "--reason", "asked to");
        Cli.Ran ran = glovebox("trace", "replay", run);
        assertThat(ran.exit()).isEqualTo(Main.USAGE);
        assertThat(ran.stderr()).contains(run).contains("deleted").hasLineCount(1);
    }

    @Test
    void a_fork_takes_over_what_came_before_and_does_the_rest() throws IOException {
        String run = marking();
        Cli.Ran whole = glovebox("trace", "replay", run, "--from", "6", "--json");
        assertThat(whole.exit()).as(whole.stderr()).isZero();
        assertThat(whole.json().get("origin").textValue()).isEqualTo(run);
        assertThat(whole.json().get("stop").textValue()).isEqualTo("completed");
        assertThat(marks()).hasSize(1);
        Cli.Ran again = glovebox("trace", "replay", run, "--from", "3");
        assertThat(again.exit()).as(again.stderr()).isZero();
        assertThat(again.out()).endsWith("  completed\n").doesNotContain(run);
        assertThat(marks()).hasSize(2);
        for (Cli.Ran forked : List.of(whole, again)) {
            String id =
                    forked.out()
                            .replaceFirst("(?s).*\"run\":\"", "")
                            .replaceFirst("(?s)[ \"].*", "");
            assertThat(glovebox("trace", "verify", id).exit()).isZero();
            assertThat(glovebox("trace", "replay", id).exit()).isZero();
        }
        Cli.Ran model = glovebox("trace", "replay", run, "--from", "3", "--model", "any");
        assertThat(model.exit()).isEqualTo(Main.USAGE);
        assertThat(model.stderr()).contains("ask no model");
    }

    @Test
    void a_fork_is_shown_as_a_run_of_its_own_and_a_replay_is_not() throws IOException {
        String run = bash("echo hello");
        try (Collector collector = new Collector()) {
            Cli cli = Cli.in(directory).env(collector.environment());
            assertThat(cli.run("trace", "replay", run).exit()).isZero();
            assertThat(collector.spans()).isEmpty();
            assertThat(cli.run("trace", "replay", run, "--from", "3").exit()).isZero();
            assertThat(collector.spans())
                    .contains("invoke_workflow exec", "sandbox.exec")
                    .doesNotContain(run);
        }
    }

    @Test
    void a_fork_of_a_program_that_fails_fails() {
        String run = bash("exit 3");
        Cli.Ran ran = glovebox("trace", "replay", run, "--from", "1");
        assertThat(ran.exit()).isEqualTo(Ending.STOPPED);
        assertThat(ran.out()).endsWith("  failed  exec#1: exited 3\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replay last --from 0",
                "replay last --from 7",
                "replay last --from -1",
                "replay last --from 99999999999999999999",
                "replay last --from x",
                "replay last --from 2 --execute",
                "replay last --model x",
                "replay last last",
                "replay",
                "replay ../../etc/passwd",
                "replay \033[31m",
                "resume",
                "resume last",
                "resume nobody",
                "answer",
                "answer last",
                "answer last yes",
                "answer last a b c",
                "answer last exec#1:1 yes",
                "answer nobody yes",
            })
    void bad_input_gets_one_clear_sentence(String words) {
        bash("true");
        Cli.Ran ran = glovebox(("trace " + words).split(" "));
        assertThat(ran.exit()).isEqualTo(Main.USAGE);
        assertThat(ran.stderr()).startsWith("glovebox: ").endsWith("\n").hasLineCount(1);
        assertThat(ran.stderr()).doesNotContain("inside Glovebox", "\033");
        assertThat(ran.stdout()).isEmpty();
    }
}
