package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.agent.support.Jail;
import dev.glovebox.run.Graph;
import dev.glovebox.run.Run;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Validators in the nodes of runs. */
class ValidatorsTest {

    @AutoClose private final Engine engine = new Engine();
    private final Runs runs = engine.runs();

    record Judged(String answer, String problem) {}

    private static Graph<Judged> graph(Validator validator) {
        return Graph.of("judge", Judged.class)
                .node(
                        "judge",
                        (state, context) ->
                                new Judged(
                                        state.answer(),
                                        validator.problem(state.answer(), context).orElse("")))
                .edge("judge", Graph.END)
                .build();
    }

    private Status.Finished<Judged> end(Validator validator, String answer) {
        Run<Judged> run = runs.start(graph(validator), new Judged(answer, "?"), "judge");
        Status.Finished<Judged> end = (Status.Finished<Judged>) run.await();
        assertThat(runs.replay(graph(validator), run.name()).isFaithful()).isTrue();
        return end;
    }

    private String problem(Validator validator, String answer) {
        Status.Finished<Judged> end = end(validator, answer);
        assertThat(end.reason()).isEqualTo(new StopReason.Completed());
        return end.state().problem();
    }

    private static JsonNode json(String text) {
        try {
            return new JsonMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static final JsonNode SCHEMA =
            json(
                    """
                    {"type": "object", "required": ["name", "age"], "additionalProperties": false,
                     "properties": {"name": {"type": "string", "pattern": "^(a|aa)+(\\\\1c)?$"},
                                    "age": {"type": "integer", "minimum": 0}}}\
                    """);

    @Test
    void aSchemaTellsFieldWhatIsExpectedAndWhatCame() {
        Validator schema = Validators.jsonSchema(SCHEMA);
        assertThat(problem(schema, "{\"name\":\"aaa\",\"age\":3}")).isEmpty();
        assertThat(problem(schema, "{\"name\":\"aaa\",\"age\":\"three\"}"))
                .isEqualTo(
                        """
                        {"error":"The answer must be JSON that follows its schema, and nothing else",\
                        "problems":[{"field":"/age","expected":"integer","got":"\\"three\\""}]}\
                        """);
        assertThat(problem(schema, "{\"name\":\"a\"}")).contains("/age", "a value", "nothing");
        assertThat(problem(schema, "{\"name\":\"a\",\"age\":1,\"x\":1}")).contains("/x");
        assertThat(problem(schema, "Sure! {\"name\":")).contains("no JSON: ");
        assertThat(problem(schema, "{} {}")).contains("no JSON: ");
        assertThat(problem(schema, "{\"age\":1,\"age\":2}")).contains("no JSON: ");
        assertThat(problem(schema, "")).contains("\"expected\":\"JSON\",\"got\":\"nothing\"");
    }

    record Due(LocalDate on) {}

    @Test
    void aDateInAnAnswerIsOne() {
        Validator due = new RecordAnswer<>(Due.class);
        assertThat(problem(due, "{\"on\":\"2025-01-31\"}")).isEmpty();
        for (String text : List.of("", " ", "2025-13-45")) {
            assertThat(problem(due, "{\"on\":\"" + text + "\"}"))
                    .contains("\"field\":\"/on\",\"expected\":\"a date such as 2025-01-31\"");
        }
    }

    record Count(String of, int number) {}

    @Test
    void aRecordIsJudgedOnlyIfTheAnswerIsOne() {
        Validator positive =
                Validators.record(
                        Count.class,
                        count ->
                                count.of().isBlank() || count.number() <= 0
                                        ? Optional.of("There must be some of it")
                                        : Optional.empty());
        assertThat(problem(positive, "{\"of\":\"gloves\",\"number\":2}")).isEmpty();
        assertThat(problem(positive, "{\"of\":\"gloves\",\"number\":0}"))
                .isEqualTo("There must be some of it");
        assertThat(problem(positive, "null")).contains("\"expected\":\"object\",\"got\":\"null\"");
        assertThat(problem(positive, "{\"number\":2}")).contains("/of", "a value", "nothing");
        assertThat(problem(positive, "{\"of\":\"gloves\",\"number\":\"2\"}")).contains("/number");
        assertThat(problem(positive, "two gloves")).contains("no JSON: ");
    }

    @Test
    void anAnswerMayStandInAFence() {
        Validator schema = Validators.jsonSchema(SCHEMA);
        assertThat(problem(schema, "Sure!\n```json\n{\"name\":\"a\",\"age\":3}\n```\n")).isEmpty();
        assertThat(problem(schema, "```json\n{\"name\":\"a\"}\n```")).contains("/age");
        Validator text = Validators.jsonSchema(json("{\"type\":\"string\"}"));
        assertThat(problem(text, "\"```\\n1\\n```\"")).isEmpty();
        assertThat(problem(text, "```\n1\n```")).contains("string");
        for (String odd : List.of("```", "``````", "```\n", "\n```json```", "```{}```")) {
            assertThat(problem(schema, odd)).contains("no JSON");
        }
    }

    @Test
    void aPatternThatTakesLongForEachOfManyTextsIsGivenUp() {
        Validator schema = Validators.jsonSchema(json("{\"items\":{\"pattern\":\"^a*a*a*a*b\"}}"));
        String text = "\"" + "a".repeat(60) + "\"";
        assertThat(problem(schema, "[" + text + "]")).contains("/0");
        assertThat(problem(schema, "[" + (text + ",").repeat(40) + text + "]"))
                .contains("It takes too long");
    }

    @Test
    @Timeout(60)
    void hostileAnswersAreJudgedInBoundedTimeAndWords() {
        Validator schema = Validators.jsonSchema(SCHEMA);
        assertThat(problem(schema, "{\"age\":1,\"name\":\"" + "a".repeat(60) + "b\"}"))
                .contains("a schema that can be checked", "It takes too long");
        assertThat(problem(schema, "[".repeat(100_000))).contains("no JSON: ");
        StringBuilder many = new StringBuilder("{\"age\":1,\"name\":\"a\"");
        for (int i = 0; i < 10_000; i++) {
            many.append(",\"").append("x".repeat(50)).append(i).append("\":1");
        }
        assertThat(problem(schema, many.append('}').toString()))
                .contains("more")
                .hasSizeLessThan(9000);
        Validator regex = Validators.regex(Pattern.compile("(a|aa)+(\\1c)?"));
        assertThat(problem(regex, "a".repeat(60) + "b")).startsWith("It takes too long");
        assertThat(problem(regex, "aaa")).isEmpty();
        assertThat(problem(regex, "aaab")).contains("does not match", "(a|aa)+");
    }

    @Test
    void aSchemaThatRefersElsewhereIsRefused() {
        assertThatThrownBy(() ->
                        Validators.jsonSchema(
                                json("{\"$ref\":\"https://example.com/schema.json\"}")))
                .isInstanceOf(IllegalArgumentException.class);
        Validator own =
                Validators.jsonSchema(
                        json("{\"$ref\":\"#/$defs/n\",\"$defs\":{\"n\":{\"type\":\"integer\"}}}"));
        assertThat(problem(own, "1")).isEmpty();
        assertThat(problem(own, "true")).contains("integer");
    }

    @Test
    void rulesAreNamedAndTheFirstThatIsBrokenIsTold() {
        Validator both =
                Validators.all(
                        Validators.rule("at most ten letters", text -> text.length() <= 10),
                        Validators.regex(Pattern.compile("[a-z]*")));
        assertThat(problem(both, "gloves")).isEmpty();
        assertThat(problem(both, "A".repeat(11)))
                .isEqualTo("The answer breaks the rule: at most ten letters");
        assertThat(problem(both, "A")).contains("does not match");
    }

    private static final Policy POLICY = Policy.denyAll().wall(Duration.ofSeconds(10));

    @Test
    void aProgramInABoxJudgesByItsExitCode() {
        Jail.assumed();
        Validator twice =
                Validators.program(
                        POLICY,
                        Program.bash(
                                """
                                [ "$(cat)" = "$(cat answer)" ] || exit 9
                                grep -q gloves answer || { echo "no gloves"; echo why >&2; exit 3; }
                                """));
        assertThat(problem(twice, "two gloves\n")).isEmpty();
        assertThat(problem(twice, "$(exit 0); `true`"))
                .startsWith("The check of the answer did not exit with 0 (")
                .contains("3", "stdout:\nno gloves", "stderr:\nwhy");
    }

    @Test
    void whatAProgramPrintsIsBounded() {
        Jail.assumed();
        Validator wordy =
                Validators.program(
                        POLICY,
                        Program.bash("head -c 500000 /dev/zero | tr '\\0' x; echo END; exit 1"));
        assertThat(problem(wordy, "a")).contains("xxxEND").hasSizeLessThan(3000);
        Validator slow =
                Validators.program(POLICY.wall(Duration.ofSeconds(1)), Program.bash("sleep 100"));
        assertThat(problem(slow, "a")).startsWith("The check of the answer did not exit with 0 (");
    }

    @Test
    void aCheckHasNoInputOfItsOwn() {
        assertThatThrownBy(() -> Validators.program(POLICY, Program.bash("cat").stdin("x")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
