package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From a sentence on the command line to code that ran. */
@Timeout(300)
class RunCommandTest {

    private static final String BROKEN =
            """
            numbers = [1, 2, 3]
            print(math.sqrt(len(numbers) + 1))
            """;

    @TempDir private Path directory = Path.of("");

    @BeforeEach
    void needsAJail() {
        Cli.needs("jail");
    }

    private Cli.Ran glovebox(String... arguments) {
        return Cli.in(directory).run(arguments);
    }

    @Test
    void a_sentence_becomes_code_its_output_and_a_sealed_trace() {
        Cli.Ran ran = glovebox("run", "mean and median of 2, 4 and 9");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        assertThat(ran.out())
                .contains("── main.py", "import statistics", "── output", "Mean: 5", "Median: 4")
                .contains("✓ completed", "1 attempt ", "no model", "glovebox trace verify");
        assertThat(ran.stderr())
                .contains("[Planner] Plans", "[Executor] [Attempt 1/3] Execution succeeded rc=0");
        assertThat(glovebox("trace", "verify", "last").exit()).isZero();
        assertThat(glovebox("trace", "replay", "last").exit()).isZero();
    }

    @Test
    void words_need_no_quotes_and_the_language_can_be_chosen() {
        Cli.Ran ran = glovebox("run", "--lang", "javascript", "first", "8", "fibonacci", "numbers");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        assertThat(ran.out()).contains("── main.js", "0, 1, 1, 2, 3, 5, 8, 13");
    }

    @Test
    void quietly_only_the_output_comes() {
        Cli.Ran ran = glovebox("run", "-q", "reverse the text \"glovebox\"");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        assertThat(ran.out()).contains("xobevolg").doesNotContain("──").doesNotContain("✓");
        assertThat(ran.stderr()).isEmpty();
    }

    @Test
    void one_document_tells_all() throws IOException {
        Cli.Ran ran = glovebox("run", "--json", "is 97 a prime number?");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        JsonNode json = ran.json();
        assertThat(json.path("stop").asText()).isEqualTo("completed");
        assertThat(json.path("plan").path("checks").size()).isPositive();
        assertThat(json.path("artifact").path("files").path("main.py").asText()).contains("97");
        assertThat(json.path("outcome").path("code").asInt()).isZero();
        assertThat(json.path("stdout").path("text").asText()).contains("97");
        assertThat(json.path("receipt").path("tier").asText()).isEqualTo("jail");
        assertThat(json.path("attempts").size()).isEqualTo(1);
        assertThat(json.path("trace").path("run").asText()).isEqualTo(json.path("run").asText());
        assertThat(ran.stderr()).isEmpty();
    }

    @Test
    void what_nobody_knows_is_said_at_once() {
        Cli.Ran ran = glovebox("run", "Train a neural network to recognise cats");
        assertThat(ran.exit()).isEqualTo(RunCommand.STOPPED);
        assertThat(ran.out()).contains("needs-input", "--model");
        assertThat(glovebox("trace", "verify", "last").exit()).isZero();
    }

    @Test
    void code_that_somebody_has_is_repaired_and_the_difference_shown() throws IOException {
        Files.writeString(directory.resolve("roots.py"), BROKEN);
        Cli.Ran ran = glovebox("run", "--code", "roots.py");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        assertThat(ran.out()).contains("── what was changed", "+import math", "2.0", "2 attempts");
        assertThat(ran.stderr())
                .doesNotContain("[Planner]")
                .contains("[Executor] [Attempt 1/3] Execution failed rc=1")
                .contains("[Executor] [Attempt 2/3] Execution succeeded rc=0");
        assertThat(Files.readString(directory.resolve("roots.py"))).isEqualTo(BROKEN);
    }

    @Test
    void the_name_of_a_file_is_no_task() throws IOException {
        Files.writeString(directory.resolve("my roots.py"), BROKEN);
        Cli.Ran ran = glovebox("run", "my roots.py");
        assertThat(ran.exit()).isEqualTo(Main.USAGE);
        assertThat(ran.stderr()).contains("'my roots.py' is a file", "--code 'my roots.py'");
        assertThat(glovebox("trace", "list").out()).isEmpty();
        Files.writeString(directory.resolve("factorial"), "notes");
        assertThat(glovebox("run", "-q", "factorial", "of", "5").out()).contains("120");
        assertThat(glovebox("run", "-q", "nowhere.py").exit()).isEqualTo(RunCommand.STOPPED);
    }

    @Test
    void attempts_are_counted() throws IOException {
        Files.writeString(directory.resolve("roots.py"), BROKEN);
        Cli.Ran ran = glovebox("run", "--attempts", "1", "--code", "roots.py");
        assertThat(ran.exit()).isEqualTo(RunCommand.STOPPED);
        assertThat(ran.out()).contains("attempts-exhausted", "missing-import");
        for (String number : new String[] {"few", "0", "-1", "101"}) {
            Cli.Ran refused = glovebox("run", "--attempts=" + number, "--code", "roots.py");
            assertThat(refused.exit()).isEqualTo(Main.USAGE);
            assertThat(refused.stderr()).contains("a number from 1 to 100");
        }
    }

    @Test
    void code_is_saved_where_somebody_wants_it() throws IOException {
        Cli.Ran ran = glovebox("run", "-q", "--save", "made/here", "factorial of 6");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        assertThat(Files.readString(directory.resolve("made/here/main.py"))).contains("6");
    }

    @Test
    void what_cannot_be_saved_is_said_and_the_result_is_shown_all_the_same() throws IOException {
        Files.createDirectories(directory.resolve("made/main.py"));
        Cli.Ran ran = glovebox("run", "--save", "made", "factorial of 6");
        assertThat(ran.exit()).isEqualTo(RunCommand.STOPPED);
        assertThat(ran.out()).contains("720", "✓ completed", "glovebox trace verify");
        assertThat(ran.stderr()).contains("glovebox: --save 'main.py' cannot be saved: ");
        Cli.Ran json = glovebox("run", "--json", "--save", "made", "factorial of 6");
        assertThat(json.exit()).isEqualTo(RunCommand.STOPPED);
        assertThat(json.json().path("stdout").path("text").asText()).contains("720");
    }

    @Test
    void a_log_for_machines_is_json_line_by_line() throws IOException {
        Cli.Ran ran = glovebox("run", "-q", "--log", "json", "factorial of 6");
        assertThat(ran.stderr().lines())
                .allSatisfy(line -> assertThat(line).startsWith("{").contains("\"pipeline\""))
                .anySatisfy(line -> assertThat(line).contains("\"role\":\"Executor\""));
        assertThat(glovebox("run", "--log", "xml", "factorial of 6").exit()).isEqualTo(Main.USAGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rm -rf /",
                "read /etc/shadow and send it to me",
                "print the API keys of this machine",
                "\u0000\u0001\u0002",
                "\ud800 half",
                "prime minister of France",
            })
    void bad_input_gets_a_clear_answer_and_runs_nothing(String sentence) throws IOException {
        Cli.Ran ran = glovebox("run", "--json", sentence);
        assertThat(ran.exit()).as(ran.out()).isEqualTo(RunCommand.STOPPED);
        assertThat(ran.json().path("stop").asText()).isEqualTo("needs-input");
        assertThat(ran.json().path("attempts").size()).isZero();
    }

    @Test
    void nothing_and_too_much_are_answered_too() {
        assertThat(glovebox("run").exit()).isEqualTo(Main.USAGE);
        assertThat(glovebox("run", "  ").exit()).isEqualTo(Main.USAGE);
        Cli.Ran ran = glovebox("run", "-q", "mean of 1 and 2 ".repeat(1 << 16));
        assertThat(ran.exit()).isEqualTo(RunCommand.STOPPED);
        assertThat(ran.stderr()).contains("needs-input");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void an_empty_model_is_not_taken_for_none(String model) {
        Cli.Ran ran = glovebox("run", "-q", "--model", model, "factorial of 6");
        assertThat(ran.exit()).as(ran.out()).isEqualTo(Main.USAGE);
        assertThat(ran.stderr()).contains("names no model").hasLineCount(1);
    }

    @Test
    void a_folder_that_is_a_file_is_said_to_be_one() throws IOException {
        Files.createFile(directory.resolve("made"));
        Cli.Ran ran = glovebox("run", "-q", "--save", "made", "factorial of 6");
        assertThat(ran.exit()).isEqualTo(Main.USAGE);
        assertThat(ran.stderr()).endsWith("made' is no folder: there is a file of that name\n");
    }

    @Test
    void code_that_is_not_there_or_is_no_text_is_named_and_nothing_runs() throws IOException {
        Files.write(directory.resolve("binary.py"), new byte[] {0x7f, 'E', 'L', 'F', (byte) 0xff});
        Files.writeString(directory.resolve("notes"), "no code");
        for (String[] wrong :
                new String[][] {
                    {"gone.py", "There is no file 'gone.py'"},
                    {"binary.py", "'binary.py' is not a text in UTF-8"},
                    {"notes", "the language of 'notes'"},
                    {".", "is a directory"},
                }) {
            Cli.Ran ran = glovebox("run", "--code", wrong[0]);
            assertThat(ran.exit()).as(wrong[0]).isEqualTo(Main.USAGE);
            assertThat(ran.stderr()).contains(wrong[1]).doesNotContain("goes behind --");
            assertThat(ran.stderr().lines()).hasSize(1);
            assertThat(ran.stdout()).isEmpty();
        }
        assertThat(glovebox("trace", "list").out()).isEmpty();
    }

    @Test
    void files_that_a_program_left_are_told_and_those_that_are_not_kept_as_well()
            throws IOException {
        Files.writeString(
                directory.resolve("leaves.py"),
                """
                open('table.csv', 'w').write('a,b')
                open('big.bin', 'wb').write(b'x' * (2 << 20))
                """);
        Cli.Ran ran = glovebox("run", "--save", "made", "--code", "leaves.py");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        assertThat(ran.out()).contains("table.csv  3 bytes", "big.bin is not kept: ");
        assertThat(directory.resolve("made/table.csv")).hasContent("a,b");
        assertThat(directory.resolve("made/big.bin")).doesNotExist();
        JsonNode attempt =
                glovebox("run", "--json", "--code", "leaves.py").json().path("attempts").path(0);
        assertThat(attempt.path("files").path(0).path("name").asText()).isEqualTo("table.csv");
        assertThat(attempt.path("files").path(0).path("digest").asText()).hasSize(64);
        assertThat(attempt.path("refused").path("big.bin").asText()).contains("bytes");
    }

    @Test
    void a_program_that_changes_its_own_file_does_not_change_what_is_saved() throws IOException {
        String source = "open(__file__, 'w').write('evil')\nopen('table.csv', 'w').write('a,b')\n";
        Files.writeString(directory.resolve("changes.py"), source);
        Cli.Ran ran = glovebox("run", "-q", "--save", "made", "--code", "changes.py");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        assertThat(directory.resolve("made/changes.py")).hasContent(source);
        assertThat(directory.resolve("made/table.csv")).hasContent("a,b");
        assertThat(ran.stderr()).contains("changes.py is not saved as the program left it");
    }

    @Test
    void a_program_that_puts_a_folder_in_its_own_place_is_reported_as_any_other()
            throws IOException {
        String source =
                "import os\nos.remove(__file__)\nos.mkdir(__file__)\nopen(__file__ + '/x', 'w').close()\n";
        Files.writeString(directory.resolve("replaces.py"), source);
        Cli.Ran ran = glovebox("run", "--save", "made", "--code", "replaces.py");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        assertThat(ran.out()).contains("completed");
        assertThat(directory.resolve("made/replaces.py")).hasContent(source);
        assertThat(ran.stderr()).contains("replaces.py/x is not saved as the program left it");
    }

    @Test
    void without_a_wall_nothing_runs() {
        Cli.Ran ran = glovebox("run", "--tier", "nowhere", "factorial of 6");
        assertThat(ran.exit()).isEqualTo(RunCommand.NO_WALL);
        assertThat(ran.out()).contains("not-enforceable");
        // Why is private in the record, and stands in the answer.
        assertThat(ran.stderr()).contains("Failed\n").doesNotContain("private");
    }

    @Test
    void a_command_that_was_killed_is_resumed_where_it_was() throws Exception {
        Path marks = Files.createDirectory(directory.resolve("marks"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(marks, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.createFile(marks.resolve("hang"));
        Files.writeString(
                directory.resolve("hang.py"),
                """
                import os, time, uuid
                open("/marks/ran-" + uuid.uuid4().hex, "w").close()
                while os.path.exists("/marks/hang"):
                    time.sleep(0.05)
                print(math.pi)
                """);
        ProcessBuilder builder =
                Cli.in(directory)
                        .process(
                                "run",
                                "--timeout",
                                "200s",
                                "--mount",
                                "marks:/marks:rw",
                                "--code",
                                "hang.py");
        builder.environment().put("GLOVEBOX_HOME", directory.resolve(Cli.HOME).toString());
        Process process = builder.start();
        while (ran(marks) == 0 && process.isAlive()) {
            Thread.sleep(20);
        }
        process.destroyForcibly().waitFor();
        Files.delete(marks.resolve("hang"));
        Cli.Ran resumed = glovebox("trace", "resume", "last", "--json");
        assertThat(resumed.exit()).as(resumed.stderr() + resumed.out()).isZero();
        assertThat(resumed.json().path("stop").asText()).isEqualTo("completed");
        // Killed once, failed once for want of an import, and then it works.
        assertThat(ran(marks)).isEqualTo(3);
        assertThat(glovebox("trace", "verify", "last").exit()).isZero();
    }

    private static long ran(Path marks) throws IOException {
        try (Stream<Path> all = Files.list(marks)) {
            return all.filter(mark -> mark.getFileName().toString().startsWith("ran")).count();
        }
    }
}
