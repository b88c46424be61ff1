package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.EffectFailed;
import dev.glovebox.run.Graph;
import dev.glovebox.run.OpenQuestion;
import dev.glovebox.run.Permissions;
import dev.glovebox.run.Run;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import dev.glovebox.run.spi.Decision;
import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.run.spi.Request;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What agents may do with tools, whatever their models want. */
class ToolRulesTest {

    private static final JsonMapper JSON = new JsonMapper();

    private final AtomicInteger calls = new AtomicInteger();
    private Trace trace;

    @BeforeEach
    void open(@TempDir Path keys) {
        trace = Trace.open(new MemoryStore(), keys);
    }

    @AfterEach
    void close() {
        trace.close();
    }

    private static Request request(String agent, String tool, String arguments) {
        try {
            return new Request(
                    "r", "n", agent, "tool", tool, JSON.readTree(arguments.replace('\'', '"')));
        } catch (IOException e) {
            throw new AssertionError(arguments, e);
        }
    }

    private static String decision(Interceptor rules, String agent, String tool, String arguments) {
        return switch (rules.before(request(agent, tool, arguments))) {
            case Decision.Allow allow -> "allow";
            case Decision.Approve approve -> "ask";
            case Decision.Refuse refuse -> "deny";
            case Decision.StopRun stop -> "stop";
        };
    }

    @Test
    void theFirstRuleThatFitsDecides() {
        ToolRules rules =
                ToolRules.denyAll()
                        .rule("run_shell")
                        .when("command", Pattern.compile("rm|curl"))
                        .deny()
                        .rule("run_shell")
                        .when("command", Pattern.compile("ls( [a-z]+)?"))
                        .allow()
                        .rule("run_shell")
                        .by("boss")
                        .allow()
                        .rule("run_shell")
                        .ask();
        assertThat(decision(rules, "ann", "run_shell", "{'command':'ls x'}")).isEqualTo("allow");
        assertThat(decision(rules, "ann", "run_shell", "{'command':'make'}")).isEqualTo("ask");
        assertThat(decision(rules, "boss", "run_shell", "{'command':'make'}")).isEqualTo("allow");
        assertThat(decision(rules, "boss", "run_shell", "{'command':'rm x'}")).isEqualTo("deny");
        assertThat(decision(rules, "boss", "send_mail", "{}")).isEqualTo("deny");
        assertThat(decision(ToolRules.allowAll(), "ann", "send_mail", "{}")).isEqualTo("allow");
    }

    @Test
    void allConditionsMustFitAlsoSeveralOfOneArgument() {
        ToolRules rules =
                ToolRules.denyAll()
                        .rule("read")
                        .when("path", Pattern.compile("/data/.*"))
                        .when("/path", Pattern.compile(".*\\.txt"))
                        .allow();
        assertThat(decision(rules, "", "read", "{'path':'/data/a.txt'}")).isEqualTo("allow");
        assertThat(decision(rules, "", "read", "{'path':'/etc/a.txt'}")).isEqualTo("deny");
        assertThat(decision(rules, "", "read", "{'path':'/data/a.csv'}")).isEqualTo("deny");
    }

    @Test
    void aRuleIsForOneAgent() {
        ToolRules.Draft draft = ToolRules.denyAll().rule("read").by("ann");
        assertThatThrownBy(() -> draft.by("bob"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ann")
                .hasMessageContaining("bob");
    }

    @Test
    void toAllowTheWholeArgumentMustFitAndToDenyAnyPartOfIt() {
        ToolRules rules =
                ToolRules.denyAll()
                        .rule("t")
                        .when("c", Pattern.compile("secret"))
                        .deny()
                        .rule("t")
                        .when("c", Pattern.compile("ls"))
                        .allow();
        assertThat(decision(rules, "", "t", "{'c':'ls'}")).isEqualTo("allow");
        assertThat(decision(rules, "", "t", "{'c':'ls; rm x'}")).isEqualTo("deny");
        assertThat(decision(rules, "", "t", "{'c':'ls\\n'}")).isEqualTo("deny");
        assertThat(decision(rules, "", "t", "{'c':'x\\nsecret\\n'}")).isEqualTo("deny");
        assertThat(decision(rules, "", "t", "{}")).isEqualTo("deny");
    }

    @Test
    void argumentsWithinArgumentsAndOtherThanTextsAreLookedAt() {
        ToolRules rules =
                ToolRules.allowAll()
                        .rule("mail")
                        .when("/to/0/host", Pattern.compile("evil"))
                        .deny()
                        .rule("mail")
                        .when("to", Pattern.compile("other"))
                        .ask()
                        .rule("pay")
                        .when("sum", Pattern.compile("\\d{4}"))
                        .ask()
                        .rule("odd")
                        .when("a/b~c", Pattern.compile("x"))
                        .deny();
        assertThat(decision(rules, "", "mail", "{'to':[{'host':'evil.org'}]}")).isEqualTo("deny");
        assertThat(decision(rules, "", "mail", "{'to':[{'host':'other'}]}")).isEqualTo("ask");
        assertThat(decision(rules, "", "mail", "{'to':[]}")).isEqualTo("allow");
        assertThat(decision(rules, "", "pay", "{'sum':1000}")).isEqualTo("ask");
        assertThat(decision(rules, "", "pay", "{'sum':10}")).isEqualTo("allow");
        assertThat(decision(rules, "", "odd", "{'a/b~c':'x'}")).isEqualTo("deny");
    }

    @Test
    void whatIsDeniedIsDeniedAlsoWithinListsAndObjectsWhereJsonWritesItInAnotherWay() {
        ToolRules rules =
                ToolRules.denyAll()
                        .rule("run")
                        .when("commands", Pattern.compile("rm\\s+-rf|^sudo$"))
                        .deny()
                        .rule("run")
                        .when("commands", Pattern.compile("^[0-9]{4}$|^curl\\s"))
                        .ask()
                        .rule("run")
                        .allow();
        assertThat(decision(rules, "", "run", "{'commands':'rm\\t-rf x'}")).isEqualTo("deny");
        assertThat(decision(rules, "", "run", "{'commands':['ls','rm\\t-rf x']}"))
                .isEqualTo("deny");
        assertThat(decision(rules, "", "run", "{'commands':[{'then':['rm\\n-rf x']}]}"))
                .isEqualTo("deny");
        assertThat(decision(rules, "", "run", "{'commands':{'rm\\t-rf x':[]}}")).isEqualTo("deny");
        assertThat(decision(rules, "", "run", "{'commands':['sudo','ls']}")).isEqualTo("deny");
        assertThat(decision(rules, "", "run", "{'commands':['curl\\tx']}")).isEqualTo("ask");
        assertThat(decision(rules, "", "run", "{'commands':[[1e3]]}")).isEqualTo("ask");
        assertThat(decision(rules, "", "run", "{'commands':['ls','rm x']}")).isEqualTo("allow");
    }

    @Test
    void toAllowAListAllOfItMustFitAsItStandsInJson() {
        ToolRules rules =
                ToolRules.denyAll().rule("run").when("commands", Pattern.compile("ls")).allow();
        assertThat(decision(rules, "", "run", "{'commands':'ls'}")).isEqualTo("allow");
        assertThat(decision(rules, "", "run", "{'commands':['ls','rm']}")).isEqualTo("deny");
    }

    record Payment(String to, int cents, List<Double> parts) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "50000000",
                "5e7",
                "50000000.0",
                "5000000.0e1",
                "0.5E8",
                "50000000.0000000000000000000000"
            })
    void aNumberIsSeenByRulesAsTheToolGetsItHoweverItIsWritten(String written) {
        ToolRules rules =
                ToolRules.denyAll()
                        .rule("pay")
                        .when("cents", Pattern.compile("^[0-9]{5,}$"))
                        .ask()
                        .rule("pay")
                        .when("parts", Pattern.compile("[0-9]{5,}"))
                        .deny()
                        .rule("pay")
                        .allow();
        assertThat(paying(rules, written, "1")).isEqualTo("ask");
        assertThat(paying(rules, "1", written)).isEqualTo("deny");
        assertThat(paying(rules, "5e2", "5e2")).isEqualTo("allow");
        // Not each call comes from a model's text: defaults come from a schema.
        assertThat(decision(rules, "", "pay", "{'cents':" + written + "}")).isEqualTo("ask");
        assertThat(decision(rules, "", "pay", "{'parts':[{'a':" + written + "}]}"))
                .isEqualTo("deny");
    }

    private static String paying(ToolRules rules, String cents, String part) {
        Tool pay =
                Tools.of(
                        "pay",
                        "",
                        Payment.class,
                        payment -> {
                            throw new AssertionError("called");
                        });
        String arguments = "{'to':'mallory','cents':%s,'parts':[%s]}".formatted(cents, part);
        ToolCheck.Fit fit =
                (ToolCheck.Fit)
                        Toolbox.of(List.of(pay))
                                .check(new ToolCall("1", "pay", arguments.replace('\'', '"')));
        return decision(rules, "", "pay", fit.arguments().toString());
    }

    @Test
    void aNumberWithAPointIsSeenByRulesInPlainDigits() {
        ToolRules rules =
                ToolRules.allowAll()
                        .rule("pay")
                        .when("sum", Pattern.compile("^[0-9]{5,}|^0\\.0000"))
                        .deny();
        assertThat(decision(rules, "", "pay", "{'sum':12345678.5}")).isEqualTo("deny");
        assertThat(decision(rules, "", "pay", "{'sum':0.00000025}")).isEqualTo("deny");
        assertThat(decision(rules, "", "pay", "{'sum':1234.5}")).isEqualTo("allow");
    }

    @Test
    void thePolicyFileHasRulesAndWhatItDoesNotNameIsDenied() {
        Policy policy =
                Policy.parse(
                        "tools: {run_python: allow, run_shell: ask, send_mail: deny}",
                        "test",
                        Path.of("/"));
        ToolRules rules = ToolRules.of(policy);
        assertThat(decision(rules, "", "run_python", "{}")).isEqualTo("allow");
        assertThat(decision(rules, "", "run_shell", "{}")).isEqualTo("ask");
        assertThat(decision(rules, "", "send_mail", "{}")).isEqualTo("deny");
        assertThat(decision(rules, "", "anything", "{}")).isEqualTo("deny");
    }

    @Test
    void effectsOfOtherKindsAreNotTheirBusiness() {
        Request model =
                new Request("r", "n", "ann", "model", "gpt", JsonNodeFactory.instance.objectNode());
        assertThat(ToolRules.denyAll().before(model)).isEqualTo(Decision.ALLOW);
        assertThat(ToolRules.of(Permissions.none()).before(model)).isEqualTo(Decision.ALLOW);
    }

    @Test
    void theQuestionShowsTheArgumentsInBoundsAndWithNothingHidden() {
        ToolRules rules = ToolRules.denyAll().rule("t").ask();
        String hostile = "{'c':'" + "\u202e\u0007\u001b[2J" + "x".repeat(5_000) + "'}";
        String escaped = hostile.replace("\u0007", "\\u0007").replace("\u001b", "\\u001b");
        Decision decision = rules.before(request("ann", "t", escaped));
        assertThat(((Decision.Approve) decision).question().text())
                .startsWith("May the agent ann use the tool t? {\"c\":\"\\u202e\\u0007\\u001B[2Jx")
                .contains("x\"[… 1006 characters are not shown …]\"x")
                .hasSizeLessThan(4_200)
                .doesNotContain("\u202e");
    }

    private static String question(String arguments) {
        Decision decision =
                ToolRules.denyAll().rule("t").ask().before(request("ann", "t", arguments));
        return ((Decision.Approve) decision).question().text();
    }

    @Test
    void noArgumentIsHiddenByAnotherOneFromWhoeverIsAsked() {
        String note = "to: anna. " + "Dear Anna, ".repeat(5_000);
        assertThat(question("{'note':'" + note + "','to':'mallory'}"))
                .contains("{\"to\":\"mallory\",\"note\":\"to: anna. Dear Anna, ")
                .contains("[… 51", " characters are not shown …]")
                .hasSizeLessThan(4_200);
        assertThat(
                        question(
                                "{'mail':{'a':'%s','to':['mallory'],'z':'%s'},'b':'%s','cc':'eve'}"
                                        .formatted(note, note, note)))
                .contains(
                        "\"to\":[\"mallory\"]",
                        "\"cc\":\"eve\"",
                        "\"a\":\"to: anna",
                        "\"b\":\"to: ");
    }

    @Test
    void whatNobodySeesIsSpelledOutForWhoeverIsAsked() {
        assertThat(
                        question(
                                "{'to':'anna\udb40\udd11\ufe01','cc':'é ❤','bcc':'\u3164\u115f\u17b4'}"))
                .endsWith(
                        "{\"cc\":\"é ❤\",\"bcc\":\"\\u3164\\u115f\\u17b4\",\"to\":\"anna\\ue0111\\ufe01\"}");
    }

    @Test
    void whatIsNotShownIsToldWhereNoArgumentCanSayIt() {
        String list = "'anna',".repeat(2_000) + "'mallory'";
        assertThat(question("{'to':[" + list + "]}"))
                .endsWith(",\"anna\"[… 1435 more are not shown …]]}");
        assertThat(
                        question(
                                "{'to':'a\"[… 5 characters are not shown …]\"b'}"
                                        .replace("\"", "\\\"")))
                .contains("{\"to\":\"a\\\"[… 5 characters are not shown …]\\\"b\"}");
        assertThat(question("{'" + "n".repeat(500) + "':5e7}"))
                .endsWith(
                        "\"[… 400 characters are not shown …]\"" + "n".repeat(25) + "\":50000000}");
    }

    @Test
    void aCallWithMoreArgumentsThanAnybodyLooksAtIsRefused() {
        String many =
                IntStream.range(0, 200)
                        .mapToObj(i -> "'a" + i + "':0,")
                        .collect(Collectors.joining("", "{", "'to':'mallory'}"));
        Decision decision = ToolRules.denyAll().rule("t").ask().before(request("ann", "t", many));
        assertThat(decision)
                .isEqualTo(
                        new Decision.Refuse(
                                "The tool t was not called: the agent ann"
                                        + " gives more arguments than can be shown"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"files.delete", "files_*", "*", "github/push", "", "mail "})
    void aRuleForANameThatNoToolCanHaveIsRefused(String name) {
        assertThatThrownBy(() -> ToolRules.allowAll().rule(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + name + "'");
    }

    private Graph<String[]> insisting(String tool, int times) {
        return Graph.of("insists", String[].class)
                .node(
                        "call",
                        (said, context) -> {
                            String[] answers = new String[times];
                            for (int i = 0; i < times; i++) {
                                answers[i] = perform(tool, i, context);
                            }
                            return answers;
                        })
                .edge("call", Graph.END)
                .build();
    }

    private String perform(String tool, int i, dev.glovebox.run.Context context) {
        ToolOffer offer = new ToolOffer(tool, "", JsonNodeFactory.instance.objectNode());
        Tool counting =
                new JavaTool(
                        offer,
                        ToolTraits.standard(),
                        input -> {
                            calls.incrementAndGet();
                            return "called";
                        });
        ObjectNode arguments = JsonNodeFactory.instance.objectNode().put("please", i);
        try {
            return context.perform(new ToolUse(counting, arguments, "ann", "c", Guardrails.none()))
                    .text();
        } catch (EffectFailed e) {
            return e.code() + ": " + e.getMessage();
        }
    }

    @Test
    void aModelThatInsistsOnADeniedToolStillCannotUseIt() {
        try (Runs runs = Runs.in(trace, ToolRules.denyAll().rule("other").allow())) {
            Run<String[]> run = runs.start(insisting("mail", 4), new String[0], "x");
            assertThat(((Status.Finished<String[]>) run.await()).state())
                    .hasSize(4)
                    .allSatisfy(said ->
                            assertThat(said)
                                    .startsWith("refused: ")
                                    .contains("The tool mail was not called")
                                    .contains("the agent ann is not allowed to use it"));
            assertThat(calls).hasValue(0);
            var _ = runs.start(insisting("other", 1), new String[0], "x").await();
            assertThat(calls).hasValue(1);
        }
    }

    @Test
    void anAgentWithoutPermissionCannotUseATool() {
        Permissions permissions =
                Permissions.none()
                        .allow("ann", Permissions.Action.TOOL, "search")
                        .allow("boss", Permissions.Action.TOOL, Permissions.ANY);
        Interceptor interceptor = ToolRules.of(permissions);
        assertThat(decision(interceptor, "ann", "search", "{}")).isEqualTo("allow");
        assertThat(decision(interceptor, "ann/7", "search", "{}")).isEqualTo("allow");
        assertThat(decision(interceptor, "ann", "mail", "{}")).isEqualTo("deny");
        assertThat(decision(interceptor, "boss", "mail", "{}")).isEqualTo("allow");
        assertThat(decision(interceptor, "", "search", "{}")).isEqualTo("deny");
        try (Runs runs = Runs.in(trace, interceptor)) {
            var _ = runs.start(insisting("mail", 1), new String[0], "x").await();
            assertThat(calls).hasValue(0);
        }
    }

    private Run<String[]> asked(Runs runs, String answer) {
        Run<String[]> run = runs.start(insisting("pay", 1), new String[0], "x");
        assertThat(run.await()).isInstanceOf(Status.Waiting.class);
        assertThat(calls).hasValue(0);
        OpenQuestion question = runs.questions(run.name()).getFirst();
        assertThat(question.question().text())
                .isEqualTo("May the agent ann use the tool pay? {\"please\":0}");
        runs.answer(run.name(), question.key(), answer, "me");
        return run;
    }

    private static Status.Finished<String[]> end(Run<String[]> run) {
        return (Status.Finished<String[]>) run.awaitEnd();
    }

    @Test
    void aRunWaitsForApprovalAndGoesOn() {
        try (Runs runs = Runs.in(trace, ToolRules.denyAll().rule("pay").ask())) {
            Status.Finished<String[]> end = end(asked(runs, "yes"));
            assertThat(end.state()).containsExactly("called");
            assertThat(calls).hasValue(1);
        }
    }

    @Test
    void aRunWhoseCallIsNotApprovedStops() {
        try (Runs runs = Runs.in(trace, ToolRules.denyAll().rule("pay").ask())) {
            Status.Finished<String[]> end = end(asked(runs, "no"));
            assertThat(end.reason()).isInstanceOf(StopReason.ApprovalDenied.class);
            assertThat(calls).hasValue(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"'%s'", "{'%s':0}"})
    void aPatternThatTakesLongForEachOfManyTextsAllowsNothing(String part) {
        ToolRules rules =
                ToolRules.allowAll().rule("mail").when("to", Pattern.compile("^a*a*a*a*b")).deny();
        String one = part.formatted("a".repeat(60));
        assertThat(decision(rules, "ann", "mail", "{'to':[" + one + "]}")).isEqualTo("allow");
        String many = String.join(",", Collections.nCopies(40, one));
        assertThatThrownBy(() -> decision(rules, "ann", "mail", "{'to':[" + many + "]}"))
                .isInstanceOf(BoundedPattern.TooCostly.class);
    }

    @Test
    void aPatternThatTakesForeverAllowsNothing() {
        ToolRules rules =
                ToolRules.allowAll().rule("mail").when("t", Pattern.compile("^(a+)+$")).deny();
        try (Runs runs = Runs.in(trace, rules)) {
            Graph<String[]> graph =
                    Graph.of("x", String[].class)
                            .node(
                                    "n",
                                    (said, context) -> {
                                        ToolOffer offer =
                                                new ToolOffer(
                                                        "mail",
                                                        "",
                                                        JsonNodeFactory.instance.objectNode());
                                        Tool tool =
                                                new JavaTool(
                                                        offer, ToolTraits.standard(), in -> "sent");
                                        ObjectNode arguments =
                                                JsonNodeFactory.instance
                                                        .objectNode()
                                                        .put("t", "a".repeat(5_000) + "!");
                                        try {
                                            return new String[] {
                                                context.perform(
                                                                new ToolUse(
                                                                        tool,
                                                                        arguments,
                                                                        "a",
                                                                        "c",
                                                                        Guardrails.none()))
                                                        .text()
                                            };
                                        } catch (EffectFailed e) {
                                            return new String[] {e.code()};
                                        }
                                    })
                            .edge("n", Graph.END)
                            .build();
            Run<String[]> run = runs.start(graph, new String[0], "x");
            assertThat(((Status.Finished<String[]>) run.await()).state())
                    .containsExactly("refused");
        }
    }
}
