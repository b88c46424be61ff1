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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command with a model, against a vendor's server of our own; and who is told of it. */
@Timeout(300)
class RunModelTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final String LESSON = "Open the valve before the pump";

    private static final Turn PLAN = Turn.says(plan().toString());
    private static final Turn STUCK =
            Turn.says(code("raise SystemExit('the valve is stuck')\n").toString());
    private static final Turn REPAIR = Turn.says(repair(code("print(sum(range(4)))\n")).toString());

    @TempDir private Path directory;

    @BeforeEach
    void needsAJail() {
        Cli.needs("jail");
    }

    private static ObjectNode plan() {
        ObjectNode plan =
                JSON.createObjectNode()
                        .put("unclear", "")
                        .put("language", "PYTHON")
                        .put("shell", false)
                        .put("task", "Print the sum of 1 to 3.")
                        .put("output", "TEXT");
        plan.putArray("dependencies");
        plan.putArray("inputs");
        plan.putArray("checks").addObject().put("kind", "PRINTS").put("value", "6");
        return plan;
    }

    private static ObjectNode code(String text) {
        ObjectNode code = JSON.createObjectNode().put("stuck", "").put("entry", "main.py");
        code.putArray("files").addObject().put("name", "main.py").put("text", text);
        code.putArray("dependencies");
        code.putArray("arguments");
        return code;
    }

    private static ObjectNode repair(ObjectNode code) {
        code.remove("stuck");
        return code.put("category", "value")
                .put("cause", LESSON)
                .put("fix", "Do that")
                .put("confidence", 0.9);
    }

    private Cli.Ran run(VendorServer server, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(more);
        all.put("OPENAI_API_KEY", "a-key");
        return Cli.in(directory)
                .env(all)
                .run("run", "--model", "openai:small@" + server.address(), "add up 1 to 3");
    }

    @Test
    void what_helped_once_is_told_the_debugger_of_the_next_run() {
        try (VendorServer server = OpenAiServer.start(PLAN, STUCK, REPAIR, PLAN, STUCK, REPAIR)) {
            Cli.Ran first = run(server, Map.of());
            assertThat(first.exit()).as(first.stderr() + first.out()).isZero();
            assertThat(first.out()).contains("2 attempts", "360 tokens", "print(sum(range(4)))");
            Cli.Ran second = run(server, Map.of());
            assertThat(second.exit()).as(second.stderr()).isZero();
            assertThat(server.requests().get(2).toString()).doesNotContain("Similar mistakes");
            assertThat(server.requests().get(5).toString()).contains("Similar mistakes", LESSON);
            assertThat(glovebox("trace", "replay", "last").exit()).isZero();
            assertThat(glovebox("trace", "verify", "last").exit()).isZero();
        }
    }

    private Cli.Ran asked(String... words) {
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(List.of(words));
        return Cli.in(directory)
                .env(Map.of("OPENAI_API_KEY", "a-key"))
                .run(all.toArray(String[]::new));
    }

    @Test
    void a_model_that_nobody_answers_for_is_named_once() {
        Cli.Ran ran = asked("--model", "openai:any@http://127.0.0.1:1", "add up 1 to 3");
        assertThat(ran.exit()).isOne();
        assertThat(ran.out() + ran.stderr())
                .contains("model-failed  openai:any: nobody answers there. Is the server running");
    }

    @Test
    void each_role_can_have_models_of_its_own_and_a_larger_one_when_they_fail() {
        try (VendorServer rest = OpenAiServer.start(PLAN, REPAIR);
                VendorServer small =
                        OpenAiServer.start(
                                Script.answering(asked -> Turn.fails(401, "Not for you")));
                VendorServer large = OpenAiServer.start(STUCK)) {
            Cli.Ran ran =
                    asked(
                            "--model",
                            "openai:any@" + rest.address(),
                            "--model",
                            "coder=openai:small@%s, openai:large@%s"
                                    .formatted(small.address(), large.address()),
                            "add up 1 to 3");
            assertThat(ran.exit()).as(ran.stderr() + ran.out()).isZero();
            assertThat(rest.requests()).hasSize(2);
            assertThat(small.requests()).isNotEmpty();
            assertThat(large.requests()).hasSize(1);
            assertThat(large.requests().getFirst().toString()).contains("You write");
            assertThat(glovebox("trace", "replay", "last").exit()).isZero();
            assertThat(glovebox("stats").out()).contains("planner", "coder", "debugger");
        }
    }

    @Test
    void roles_without_a_model_work_by_recipes_and_rules() throws IOException {
        Files.writeString(directory.resolve("pump.py"), "raise SystemExit('stuck')\n");
        try (VendorServer server = OpenAiServer.start(REPAIR)) {
            String debugger = "debugger=openai:small@" + server.address();
            assertThat(asked("--model", debugger, "factorial of 6").out()).contains("720");
            assertThat(server.requests()).isEmpty();
            Cli.Ran ran = asked("--model", debugger, "--code", "pump.py");
            assertThat(ran.exit()).as(ran.stderr() + ran.out()).isZero();
            assertThat(server.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--model writer=openai:a        | there is no role 'writer', but planner, coder, debugger",
                "--model executor=openai:a      | there is no role 'executor', but planner, coder, debugger",
                "--model planner=openai:a       | needs a coder with one",
                "--model coder=                 | names no model",
                "--model coder=openai           | Not a model: 'openai'",
                "--model openai:a --model openai:b             | given twice for all roles",
                "--model coder=openai:a --model coder=openai:b | given twice for the coder",
                "--model openai:a --budget 1    | Nobody here knows what openai:a costs",
                "--model openai:gpt-5,openai:a --budget 1      | Nobody here knows what openai:a costs",
                "--budget 0                     | such as 0.50, not '0'",
                "--budget -1                    | such as 0.50, not '-1'",
                "--budget much                  | such as 0.50, not 'much'",
                "--budget 1e-999999999          | such as 0.50",
                "--budget 1e999999999           | such as 0.50",
                "--tokens 0                     | a number above 0, not '0'",
                "--tokens 1.5                   | a number above 0, not '1.5'",
                "--otel otlp                    | --otel knows 'console' only"
            })
    void what_makes_no_sense_is_bad_usage_and_nothing_runs(String options, String said) {
        List<String> words = new ArrayList<>(List.of(options.split(" ")));
        words.add("add up 1 to 3");
        Cli.Ran ran = asked(words.toArray(String[]::new));
        assertThat(ran.exit()).isEqualTo(Main.USAGE);
        assertThat(ran.stderr()).contains(said).hasLineCount(1);
        assertThat(directory.resolve(Cli.HOME)).doesNotExist();
    }

    @Test
    void a_budget_of_tokens_ends_the_run_before_it_is_exceeded() {
        try (VendorServer server = OpenAiServer.start(PLAN)) {
            String model = "openai:small@" + server.address();
            Cli.Ran ran = asked("--model", model, "--tokens", "8000", "add up 1 to 3");
            assertThat(ran.exit()).isEqualTo(RunCommand.STOPPED);
            assertThat(ran.out())
                    .contains("✗ budget-exhausted  what is left of 8000 tokens is not enough");
            assertThat(server.requests()).isEmpty();
            assertThat(glovebox("trace", "replay", "last").exit()).isZero();
        }
    }

    @Test
    void a_budget_of_money_is_kept_by_the_prices_of_the_models() throws IOException {
        try (VendorServer server = OpenAiServer.start(PLAN, STUCK, REPAIR)) {
            String model = "openai:gpt-5-mini@" + server.address();
            Cli.Ran none = asked("--json", "--model", model, "--budget", "0.01", "add up 1 to 3");
            assertThat(none.exit()).isEqualTo(RunCommand.STOPPED);
            assertThat(none.json().path("stop").asText()).isEqualTo("budget-exhausted");
            assertThat(none.json().path("why").asText()).contains("what is left of $0.01 is not");
            assertThat(server.requests()).isEmpty();
            Cli.Ran enough = asked("--model", model, "--budget", "0.50", "add up 1 to 3");
            assertThat(enough.exit()).as(enough.stderr() + enough.out()).isZero();
        }
    }

    @Test
    void spans_are_shown_here_if_somebody_wants_that() {
        Cli.Ran ran = asked("-q", "--otel", "console", "factorial of 6");
        assertThat(ran.out()).contains("720").doesNotContain("invoke_workflow");
        assertThat(ran.stderr()).contains("invoke_workflow coder", "sandbox.tier=jail");
    }

    private Cli.Ran glovebox(String... words) {
        return Cli.in(directory).run(words);
    }

    @Test
    void a_memory_that_cannot_be_used_is_said_and_nothing_else() throws IOException {
        Path home = Files.createDirectory(directory.resolve(Cli.HOME));
        Files.writeString(home.resolve("memory.db"), "no database ".repeat(1_000));
        try (VendorServer server = OpenAiServer.start(PLAN, STUCK, REPAIR)) {
            Cli.Ran ran = run(server, Map.of());
            assertThat(ran.exit()).as(ran.stderr()).isZero();
            assertThat(ran.stderr()).contains("what helped could not be remembered");
        }
    }

    @Test
    void what_is_redacted_is_not_remembered_either() throws IOException {
        try (VendorServer server = OpenAiServer.start(PLAN, STUCK, REPAIR, PLAN, STUCK, REPAIR)) {
            assertThat(run(server, Map.of()).exit()).isZero();
            JsonNode shown = glovebox("trace", "show", "last", "--json").json();
            String digest = shown.findValue("blob").asText();
            Cli.Ran redacted = glovebox("trace", "redact", digest, "--reason", "asked for");
            assertThat(redacted.exit()).as(redacted.stderr()).isZero();
            assertThat(run(server, Map.of()).exit()).isZero();
            assertThat(server.requests().get(5).toString()).doesNotContain("Similar mistakes");
        }
    }

    @Test
    void spans_and_metrics_go_where_the_environment_says() throws IOException {
        try (Collector collector = new Collector();
                VendorServer server = OpenAiServer.start(PLAN, STUCK, REPAIR)) {
            Cli.Ran ran = run(server, collector.environment());
            assertThat(ran.exit()).as(ran.stderr()).isZero();
            assertThat(collector.spans())
                    .contains("invoke_workflow coder", "glovebox.node", "sandbox.exec")
                    .contains("chat small", "search_memory")
                    .doesNotContain("valve", "range(4)", "add up 1 to 3");
            assertThat(collector.metrics())
                    .contains("glovebox.run.count", "completed")
                    .contains("glovebox.run.attempts", "glovebox.attempt.failures", "value")
                    .contains("glovebox.sandbox.duration", "jail")
                    .contains("gen_ai.client.token.usage", "planner", "debugger")
                    .doesNotContain("valve", "range(4)", "add up 1 to 3");
        }
    }

    @Test
    void nothing_is_sent_where_it_does_not_say_so() throws IOException {
        try (Collector collector = new Collector()) {
            for (Map<String, String> off :
                    List.of(
                            Map.<String, String>of(),
                            Map.of(
                                    "OTEL_EXPORTER_OTLP_ENDPOINT",
                                    collector.address(),
                                    "OTEL_SDK_DISABLED",
                                    "true"))) {
                Cli.Ran ran = Cli.in(directory).env(off).run("run", "-q", "factorial of 6");
                assertThat(ran.exit()).as(ran.stderr()).isZero();
            }
            assertThat(collector.spans()).isEmpty();
            assertThat(collector.metrics()).isEmpty();
        }
    }

    @Test
    void a_receiver_that_is_not_there_holds_nobody_up_and_nonsense_is_named() {
        Map<String, String> nobody = Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1");
        assertThat(Cli.in(directory).env(nobody).run("run", "-q", "factorial of 6").exit())
                .isZero();
        Map<String, String> nonsense =
                Map.of(
                        "OTEL_EXPORTER_OTLP_ENDPOINT",
                        "http://127.0.0.1:1",
                        "OTEL_EXPORTER_OTLP_PROTOCOL",
                        "grpc");
        Cli.Ran refused = Cli.in(directory).env(nonsense).run("run", "-q", "factorial of 6");
        assertThat(refused.exit()).isEqualTo(Main.USAGE);
        assertThat(refused.stderr()).contains("grpc");
    }
}
