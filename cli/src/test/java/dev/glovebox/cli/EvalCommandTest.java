package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.agent.support.OpenAiServer;
import dev.glovebox.agent.support.Script;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Evaluations and statistics as a person starts them. */
class EvalCommandTest {

    private static final Pattern NAME = Pattern.compile("evaluation ([0-9a-f-]+)");

    @TempDir Path folder;

    @BeforeEach
    void needs() {
        Cli.needs("jail");
    }

    private Cli.Ran eval(String... arguments) {
        List<String> words = new ArrayList<>(List.of("eval", "c.jsonl"));
        words.addAll(List.of(arguments));
        return Cli.in(folder).run(words.toArray(String[]::new));
    }

    /** A corpus of additions; each program sleeps a little. */
    private void corpus(int problems, String solution) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < problems; i++) {
            lines.append(
                            new JsonMapper()
                                    .writeValueAsString(
                                            Map.of(
                                                    "task_id",
                                                    "Add/" + i,
                                                    "prompt",
                                                    "def add(n):\n    \"\"\"Adds.\"\"\"\n",
                                                    "entry_point",
                                                    "add",
                                                    "canonical_solution",
                                                    solution.formatted(i),
                                                    "test",
                                                    "def check(c):\n    assert c(5) == %d\n"
                                                            .formatted(5 + i))))
                    .append('\n');
        }
        Files.writeString(folder.resolve("c.jsonl"), lines);
    }

    @Test
    void solutions_are_solved_and_the_statistics_say_the_same() throws IOException {
        corpus(3, "    return n + %d\n");
        Cli.Ran ran = eval("--oracle", "--json");
        assertThat(ran.exit()).isZero();
        JsonNode report = ran.json();
        assertThat(report.path("solved").intValue()).isEqualTo(3);
        assertThat(report.path("tasks")).hasSize(3);
        assertThat(ran.stderr()).contains("3/3 Add/");

        JsonNode stats = Cli.in(folder).run("stats", "--json").json();
        assertThat(stats.path("runs").intValue()).isEqualTo(3);
        assertThat(stats.path("attempts_per_success").path("1").intValue()).isEqualTo(3);
        assertThat(stats.path("programs").path("count").intValue()).isEqualTo(6);
        String run = report.path("tasks").path(0).path("run").textValue();
        assertThat(Cli.in(folder).run("trace", "verify", run).exit()).isZero();
    }

    @Test
    void what_is_wrong_is_reported_as_not_solved() throws IOException {
        corpus(2, "    return 5\n");
        Cli.Ran ran = eval("--oracle");
        assertThat(ran.exit()).isZero();
        assertThat(ran.out())
                .contains("solved 1 of 2 (50.0 %), 1 of them at the first attempt")
                .contains("assertion                                1         0")
                .contains("not solved\n  Add/1\n");
        assertThat(ran.out().lines()).allMatch(line -> line.length() <= 80);
    }

    /** A program of a model, with what a diagnosis needs as well. */
    private static Turn program(String text, boolean repair) {
        ObjectNode program = new JsonMapper().createObjectNode().put("entry", "main.py");
        program.putArray("files").addObject().put("name", "main.py").put("text", text);
        program.putArray("dependencies");
        program.putArray("arguments");
        return Turn.says(
                (repair
                                ? program.put("category", "assertion")
                                        .put("cause", "One is missing")
                                        .put("fix", "Add it")
                                        .put("confidence", 0.5)
                                : program.put("stuck", ""))
                        .toString());
    }

    @Test
    void a_model_writes_and_repairs_and_is_counted_by_role() throws IOException {
        corpus(2, "    return n + %d\n");
        Script model =
                Script.answering(prompt ->
                        prompt.contains("You write")
                                ? program("def add(n):\n    return n\n", false)
                                : program("def add(n):\n    return n + 1\n", true));
        try (VendorServer server = OpenAiServer.start(model)) {
            Cli.Ran ran =
                    Cli.in(folder)
                            .env(Map.of("OPENAI_API_KEY", "a-key"))
                            .run(
                                    "eval",
                                    "c.jsonl",
                                    "--json",
                                    "--model",
                                    "openai:small@" + server.address());
            assertThat(ran.exit()).as(ran.stderr()).isZero();
            assertThat(ran.json().path("solved").intValue()).isEqualTo(2);
            assertThat(server.requests()).hasSize(3);
            assertThat(server.requests().toString()).doesNotContain("assert c(5)");
            // What was learned elsewhere would be measured, too.
            assertThat(folder.resolve(Cli.HOME).resolve("memory.db")).doesNotExist();
            String stats = Cli.in(folder).run("stats").out();
            assertThat(stats).containsPattern("coder +2 ").containsPattern("debugger +1 ");
        }
    }

    /** Solves each problem, whichever it is. */
    private static Script solving() {
        return Script.answering(
                prompt -> program("import sys\ndef add(n):\n    return n\n", false));
    }

    @Test
    void a_budget_is_that_of_the_whole_evaluation() throws IOException {
        corpus(20, "    return n + 0 * %d\n");
        try (VendorServer server = OpenAiServer.start(solving())) {
            String model = "coder=openai:small@" + server.address();
            Cli.Ran ran = eval("--json", "--attempts", "1", "--model", model, "--tokens", "10000");
            assertThat(ran.exit()).as(ran.stderr()).isEqualTo(EvalCommand.FAILED);
            assertThat(ran.json().path("stop").asText()).isEqualTo("budget-exhausted");
            assertThat(ran.stderr()).contains("what is left of 10000 tokens", "--resume ");
            int asked = server.requests().size();
            assertThat(asked).isBetween(1, 19);

            String name = ran.json().path("eval").asText();
            String[] again = {"--attempts", "1", "--model", model, "--resume", name, "--tokens"};
            // What was spent before counts: nothing more is asked.
            assertThat(eval(with(again, "10000")).exit()).isEqualTo(EvalCommand.FAILED);
            assertThat(server.requests()).hasSize(asked);
            Cli.Ran rest = eval(with(again, "1000000"));
            assertThat(rest.exit()).as(rest.stderr()).isZero();
            assertThat(rest.out()).contains("solved 1 of 20");
            assertThat(server.requests()).hasSize(20);
        }
    }

    private static String[] with(String[] words, String last) {
        List<String> all = new ArrayList<>(List.of(words));
        all.add(last);
        return all.toArray(String[]::new);
    }

    @Test
    void spans_are_shown_here_if_somebody_wants_that() throws IOException {
        corpus(2, "    return n + %d\n");
        Cli.Ran ran = eval("--oracle", "--otel", "console");
        assertThat(ran.exit()).isZero();
        assertThat(ran.stderr().split("invoke_workflow coder", -1)).hasSize(3);
        assertThat(ran.out()).doesNotContain("invoke_workflow");
    }

    @Test
    void mistakes_are_repaired() throws IOException {
        corpus(3, "    if n > 0:\n        return (n + %d)\n    return n\n");
        assertThat(eval("--oracle-with-bugs", "--json").json().path("solved").intValue())
                .isEqualTo(3);
        assertThat(Cli.in(folder).run("stats").out())
                .contains("attempts per success\n  2 ")
                .contains("failed attempts by category");
    }

    @Test
    void what_was_killed_goes_on_and_does_nothing_twice() throws Exception {
        corpus(12, "    import time\n    time.sleep(0.2)\n    return n + %d\n");
        ProcessBuilder command =
                Cli.in(folder).process("eval", "c.jsonl", "--oracle", "--jobs", "1");
        command.environment().put("GLOVEBOX_HOME", folder.resolve(Cli.HOME).toString());
        Process process = command.start();
        StringBuilder before = new StringBuilder();
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (line != null && !line.contains("3/12")) {
                before.append(line).append('\n');
                line = lines.readLine();
            }
            // Not the process itself: that would close its streams as well.
            process.toHandle().destroyForcibly();
            before.append(line);
            lines.lines().forEach(rest -> before.append('\n').append(rest));
        }
        process.waitFor();
        String name =
                NAME.matcher(before).results().findFirst().map(found -> found.group(1)).orElse("");

        Cli.Ran ran = eval("--oracle", "--resume", name);
        assertThat(ran.exit()).isZero();
        assertThat(ran.out()).contains("solved 12 of 12");
        Set<String> twice = new HashSet<>(tasks(before.toString()));
        assertThat(twice).hasSizeGreaterThanOrEqualTo(3).hasSizeLessThan(12);
        twice.retainAll(tasks(ran.stderr()));
        assertThat(twice).isEmpty();
        assertThat(Cli.in(folder).run("stats", "--json").json().path("runs").intValue())
                .isEqualTo(12);

        // All is done: nothing is left to do.
        assertThat(eval("--oracle", "--resume", name).stderr()).doesNotContain("Add/");
    }

    private static List<String> tasks(String said) {
        return Pattern.compile("Add/\\d+").matcher(said).results().map(MatchResult::group).toList();
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void an_interrupt_says_how_to_go_on(String signal, int exit) throws Exception {
        corpus(50, "    import time\n    time.sleep(0.2)\n    return n + %d\n");
        ProcessBuilder command = Cli.in(folder).process("eval", "c.jsonl", "--oracle", "--json");
        command.environment().put("GLOVEBOX_HOME", folder.resolve(Cli.HOME).toString());
        Process process = command.start();
        StringBuilder said = new StringBuilder();
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.append(line).append('\n');
                if (line.contains("2/50")) {
                    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                            .start()
                            .waitFor();
                }
            }
        }
        JsonNode error = new JsonMapper().readTree(process.getInputStream()).path("error");
        assertThat(process.waitFor()).isEqualTo(exit);
        assertThat(said.toString()).contains("interrupted; to go on, say the same with --resume ");
        assertThat(error.path("type").asText()).isEqualTo("interrupted");
        assertThat(said.toString()).contains(error.path("message").asText());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eval",
                "eval c.jsonl",
                "eval c.jsonl --oracle --oracle-with-bugs",
                "eval c.jsonl c.jsonl --oracle",
                "eval none.jsonl --oracle",
                "eval c.jsonl --oracle --jobs 0",
                "eval c.jsonl --oracle --attempts x",
                "eval c.jsonl --oracle --limit -1",
                "eval c.jsonl --oracle --resume 12345678-123456",
                "eval c.jsonl --oracle --resume ../x",
                "eval c.jsonl --oracle --otel otlp",
                "eval c.jsonl --oracle --tokens few",
                "eval c.jsonl --model planner=ollama:a",
                "eval c.jsonl --model debugger=ollama:a",
                "eval c.jsonl --model openai:nobody-knows@http://localhost:1 --budget 1",
                "stats --since yesterday"
            })
    void nonsense_is_bad_usage_and_nothing_runs(String line) throws IOException {
        corpus(1, "    return n\n");
        Cli.Ran ran = Cli.in(folder).run(line.split(" "));
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.stderr()).startsWith("glovebox: ").hasLineCount(1);
        assertThat(folder.resolve(Cli.HOME)).doesNotExist();
    }

    @Test
    void a_broken_corpus_is_bad_usage_with_the_line() throws IOException {
        Files.writeString(folder.resolve("c.jsonl"), "{}\n");
        Cli.Ran ran = eval("--oracle");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.stderr()).contains("Line 1 of c.jsonl");
    }

    @Test
    void an_evaluation_in_which_no_model_answered_is_no_result_and_goes_on_when_one_does()
            throws IOException {
        corpus(2, "    return n + 0 * %d\n");
        AtomicBoolean answers = new AtomicBoolean();
        Script model =
                Script.answering(prompt ->
                        answers.get()
                                ? program("def add(n):\n    return n\n", false)
                                : Turn.fails(401, "no such key"));
        try (VendorServer server = OpenAiServer.start(model)) {
            String spec = "openai:small@" + server.address();
            Cli.Ran ran = eval("--json", "--model", spec);
            assertThat(ran.exit()).as(ran.stderr()).isEqualTo(EvalCommand.NO_ANSWER);
            assertThat(ran.json().path("stop").asText()).isEqualTo("model-failed");
            assertThat(ran.json().path("why").asText()).contains("openai:small");
            assertThat(ran.stderr())
                    .contains("no problem was tried, since no model answered: openai:small");

            answers.set(true);
            String name = ran.json().path("eval").asText();
            Cli.Ran rest = eval("--model", spec, "--resume", name);
            assertThat(rest.exit()).as(rest.stderr()).isZero();
            assertThat(rest.out()).contains("solved 1 of 2");
        }
    }

    @Test
    void statistics_of_nothing_say_so() throws IOException {
        assertThat(Cli.in(folder).run("stats").stderr()).contains("no coder has run here yet");
        assertThat(Cli.in(folder).run("stats", "--json", "--since", "7d").json().path("runs"))
                .hasToString("0");
    }
}
