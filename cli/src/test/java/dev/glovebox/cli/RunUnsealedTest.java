package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.agent.support.OpenAiServer;
import dev.glovebox.agent.support.Script;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a task when its record cannot be sealed, or not even written to its end. */
@Timeout(300)
class RunUnsealedTest {

    private static final JsonMapper JSON = new JsonMapper();

    @TempDir private Path directory;

    @BeforeEach
    void needsAJail() {
        Cli.needs("jail");
    }

    private Cli.Ran glovebox(String... arguments) {
        return Cli.in(directory).run(arguments);
    }

    /** Makes the key useless; what it was. */
    private String breakKey() throws IOException {
        assertThat(glovebox("run", "-q", "factorial of 6").exit()).isZero();
        String good = Files.readString(key());
        Files.writeString(key(), "nonsense");
        return good;
    }

    private Path key() {
        return directory.resolve(Cli.HOME).resolve("keys/signing.pem");
    }

    @Test
    void the_result_is_shown_and_the_lack_of_the_seal_said() throws IOException {
        String good = breakKey();
        Cli.Ran ran = glovebox("run", "mean and median of 2, 4 and 9");
        assertThat(ran.exit()).isEqualTo(RunCommand.STOPPED);
        assertThat(ran.out())
                .contains("── main.py", "import statistics", "── output", "Mean: 5", "Median: 4")
                .contains("✓ completed", "✗ not sealed")
                .doesNotContain("trace verify");
        assertThat(ran.stderr())
                .contains("glovebox: recorded, but not sealed: The key ", "signing.pem");
        assertThat(glovebox("trace", "show", "last").out()).contains("run finished: completed");

        Files.writeString(key(), good);
        assertThat(glovebox("trace", "list").exit()).isZero(); // seals what was left
        assertThat(glovebox("trace", "verify", "last").exit()).isZero();
    }

    @Test
    void one_document_says_so_as_well() throws IOException {
        breakKey();
        Cli.Ran ran = glovebox("run", "--json", "is 97 a prime number?");
        assertThat(ran.exit()).isEqualTo(RunCommand.STOPPED);
        JsonNode json = ran.json();
        assertThat(json.path("stop").asText()).isEqualTo("completed");
        assertThat(json.path("stdout").path("text").asText()).contains("97");
        assertThat(json.path("cost").isObject()).isTrue();
        assertThat(json.path("record").asText()).isEqualTo("not-sealed");
        assertThat(json.path("record_problem").asText()).contains("signing.pem");
        assertThat(json.path("trace").path("sealed").booleanValue()).isFalse();
        assertThat(ran.stderr()).startsWith("glovebox: recorded, but not sealed: ");
    }

    @Test
    void a_document_of_a_run_that_is_sealed_says_that() throws IOException {
        JsonNode json = glovebox("run", "--json", "is 97 a prime number?").json();
        assertThat(json.path("record").asText()).isEqualTo("sealed");
        assertThat(json.has("record_problem")).isFalse();
        assertThat(json.path("trace").path("sealed").booleanValue()).isTrue();
    }

    @Test
    void what_is_saved_and_why_it_stopped_are_not_lost_either() throws IOException {
        breakKey();
        Cli.Ran ran = glovebox("run", "-q", "--save", "made", "factorial of 6");
        assertThat(ran.exit()).isEqualTo(RunCommand.STOPPED);
        assertThat(ran.out()).contains("720");
        assertThat(ran.stderr()).contains("not sealed").doesNotContain("completed");
        assertThat(directory.resolve("made/main.py")).exists();
        Cli.Ran unknown = glovebox("run", "Train a neural network to recognise cats");
        assertThat(unknown.exit()).isEqualTo(RunCommand.STOPPED);
        assertThat(unknown.out()).contains("needs-input", "✗ not sealed");
    }

    @Test
    void problems_of_an_evaluation_are_counted_though_they_are_not_sealed() throws IOException {
        String good = breakKey();
        Files.writeString(
                directory.resolve("c.jsonl"),
                JSON.writeValueAsString(
                        Map.of(
                                "task_id",
                                "Add/1",
                                "prompt",
                                "def add(n):\n    \"\"\"Adds.\"\"\"\n",
                                "entry_point",
                                "add",
                                "canonical_solution",
                                "    return n + 1\n",
                                "test",
                                "def check(c):\n    assert c(5) == 6\n")));
        Cli.Ran ran = glovebox("eval", "c.jsonl", "--oracle");
        assertThat(ran.exit()).isEqualTo(EvalCommand.FAILED);
        assertThat(ran.out()).contains("solved 1 of 1", "✗ not all of it is sealed");
        assertThat(ran.stderr()).contains("recorded, but not all of it is sealed: The key ");
        JsonNode json = glovebox("eval", "c.jsonl", "--oracle", "--json").json();
        assertThat(json.path("solved").intValue()).isEqualTo(1);
        assertThat(json.path("record").asText()).isEqualTo("not-sealed");
        assertThat(json.path("record_problem").asText()).contains("signing.pem");

        Files.writeString(key(), good);
        assertThat(glovebox("trace", "list").exit()).isZero();
        assertThat(glovebox("trace", "verify", "--all").exit()).isZero();
    }

    /** A plan, and code for it; the store fails the first times that somebody asks for code. */
    private Script failing(int times) {
        AtomicInteger asked = new AtomicInteger();
        return Script.answering(prompt -> {
            boolean writes = prompt.contains("You write");
            if (writes && asked.incrementAndGet() <= times) {
                rename("appended", "gone");
            }
            return Turn.says((writes ? code() : plan()).toString());
        });
    }

    private static ObjectNode plan() {
        ObjectNode plan =
                JSON.createObjectNode()
                        .put("unclear", "")
                        .put("language", "PYTHON")
                        .put("shell", false)
                        .put("task", "Print 6.")
                        .put("output", "TEXT");
        plan.putArray("dependencies");
        plan.putArray("inputs");
        plan.putArray("checks").addObject().put("kind", "PRINTS").put("value", "6");
        return plan;
    }

    private static ObjectNode code() {
        ObjectNode code = JSON.createObjectNode().put("stuck", "").put("entry", "main.py");
        code.putArray("files").addObject().put("name", "main.py").put("text", "print(6)\n");
        code.putArray("dependencies");
        code.putArray("arguments");
        return code;
    }

    private void rename(String from, String to) {
        execute("ALTER TABLE " + from + " RENAME TO " + to);
    }

    private void execute(String command) {
        String database = "jdbc:sqlite:" + directory.resolve(Cli.HOME).resolve("trace.db");
        try (Connection connection = DriverManager.getConnection(database);
                Statement statement = connection.createStatement()) {
            statement.execute(command);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_run_of_which_there_is_no_record_cannot_be_resumed_and_was_not_begun()
            throws IOException {
        assertThat(glovebox("run", "-q", "factorial of 6").exit()).isZero();
        execute(
                "CREATE TRIGGER full BEFORE INSERT ON run_rows"
                        + " BEGIN SELECT RAISE(ABORT, 'no room'); END");
        Cli.Ran ran = glovebox("run", "--json", "factorial of 6");
        assertThat(ran.exit()).isEqualTo(Main.USAGE);
        assertThat(ran.stderr()).startsWith("glovebox: The trace store ").hasLineCount(1);
        assertThat(ran.json().at("/error/type").asText()).isEqualTo("trace");
        assertThat(ran.json().has("run")).isFalse();
    }

    @Test
    void a_store_that_fails_meanwhile_leaves_a_run_that_can_be_resumed() throws IOException {
        try (VendorServer server = OpenAiServer.start(failing(2))) {
            Cli.Ran ran =
                    glovebox(
                            "run",
                            "--json",
                            "--model",
                            "openai:small@" + server.address(),
                            "print six");
            assertThat(ran.exit()).as(ran.stderr()).isEqualTo(RunCommand.STOPPED);
            assertThat(ran.stderr())
                    .contains("what became of it could not be recorded: ")
                    .contains("to go on, when that is repaired: glovebox trace resume ");
            JsonNode json = ran.json();
            assertThat(json.path("record").asText()).isEqualTo("not-finished");
            assertThat(json.path("error").path("type").asText()).isEqualTo("trace");
            rename("gone", "appended");
            String run = json.path("run").asText();
            Cli.Ran again = glovebox("trace", "resume", run, "--json");
            assertThat(again.exit()).as(again.stderr()).isEqualTo(Ending.STOPPED);
            assertThat(again.stderr()).contains("what became of it could not be recorded: ");
            assertThat(again.json().path("record").asText()).isEqualTo("not-finished");
            rename("gone", "appended");
            Cli.Ran resumed = glovebox("trace", "resume", run, "--json");
            assertThat(resumed.exit()).as(resumed.stderr()).isZero();
            assertThat(resumed.json().path("record").asText()).isEqualTo("sealed");
            // The plan was recorded, the first code and the second were not.
            assertThat(server.requests()).hasSize(4);
        }
    }
}
