package dev.glovebox.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Budget;
import dev.glovebox.run.Effect.IfUnknown;
import dev.glovebox.run.EffectFailed;
import dev.glovebox.run.Failure;
import dev.glovebox.run.Graph;
import dev.glovebox.run.OutcomeUnknown;
import dev.glovebox.run.Retry;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Trace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of tools as effects of runs. */
class ToolUseTest {

    private static final ToolOffer OFFER =
            new ToolOffer("any", "", JsonNodeFactory.instance.objectNode());

    @AutoClose private final Engine engine = new Engine();
    private final Trace trace = engine.trace();
    private final Runs runs = engine.runs();

    /** What a node sees of a tool. */
    record Seen(String text, boolean isError) {}

    private static Tool tool(ToolTraits traits, JavaTool.Body body) {
        return new JavaTool(OFFER, traits, body);
    }

    private static Tool tool(JavaTool.Body body) {
        return tool(ToolTraits.standard(), body);
    }

    /** A tool that does not care for what it may give back. */
    private static Tool raw(ToolOutput output) {
        return new Tool() {
            @Override
            public ToolOffer offer() {
                return OFFER;
            }

            @Override
            public ToolOutput call(ToolInput input) {
                return output;
            }
        };
    }

    private static Graph<Seen> graph(Tool tool) {
        return graph(tool, Guardrails.none());
    }

    private static Graph<Seen> graph(Tool tool, Guardrails guardrails) {
        ObjectNode arguments = JsonNodeFactory.instance.objectNode().put("x", 1);
        return Graph.of("any", Seen.class)
                .node(
                        "call",
                        (seen, context) -> {
                            try {
                                ToolOutput output =
                                        context.perform(
                                                new ToolUse(
                                                        tool,
                                                        arguments,
                                                        "ann",
                                                        "call-1",
                                                        guardrails));
                                return new Seen(output.text(), output.isError());
                            } catch (EffectFailed e) {
                                return new Seen(e.code(), true);
                            } catch (OutcomeUnknown e) {
                                return new Seen("unknown", true);
                            }
                        })
                .edge("call", Graph.END)
                .build();
    }

    private Seen seen(Tool tool) {
        Run<Seen> run = runs.start(graph(tool), new Seen("", false), "a tool");
        assertThat(run.await()).isInstanceOf(Status.Finished.class);
        Status.Finished<Seen> end = (Status.Finished<Seen>) run.await();
        assertThat(end.reason()).isEqualTo(new StopReason.Completed());
        assertThat(runs.replay(graph(tool), run.name()).isFaithful()).isTrue();
        return end.state();
    }

    @Test
    void aToolThatMakesAnotherExceptionOfItsInterruptionHasNotFailed() {
        ToolTraits brief =
                ToolTraits.standard().within(Duration.ofMillis(100)).ifUnknown(IfUnknown.TELL);
        Seen seen =
                seen(
                        tool(
                                brief,
                                input -> {
                                    try {
                                        return new CountDownLatch(1).await(1, TimeUnit.HOURS);
                                    } catch (InterruptedException e) {
                                        throw new IllegalStateException("The client failed", e);
                                    }
                                }));
        assertThat(seen).isEqualTo(new Seen("unknown", true));
    }

    @Test
    void whatAToolSaysIsWhatTheNodeGets() {
        assertThat(seen(tool(input -> input.agent() + input.arguments())))
                .isEqualTo(new Seen("ann{\"x\":1}", false));
        assertThat(seen(tool(input -> ToolOutput.error("no")))).isEqualTo(new Seen("no", true));
    }

    @Test
    void aToolThatThrowsHasAnErrorAsItsResult() {
        assertThat(
                        seen(
                                tool(input -> {
                                    throw new IllegalStateException("no disk");
                                })))
                .isEqualTo(new Seen("The tool failed: no disk", true));
        assertThat(
                        seen(
                                tool(input -> {
                                    throw new AssertionError();
                                })))
                .isEqualTo(new Seen("The tool failed: it does not say why", true));
        assertThat(seen(tool(ToolUseTest::endless)).text()).startsWith("The tool failed");
        assertThat(
                        seen(tool(input -> {
                            throw new IllegalStateException("x".repeat(1 << 20));
                        }))
                                .text())
                .hasSizeLessThan(3_000)
                .contains("bytes are not shown");
    }

    @SuppressWarnings("InfiniteRecursion")
    private static Object endless(ToolInput input) {
        return endless(input) + "x";
    }

    @SuppressWarnings({"NullAway", "NullOptional"}) // That is what it is about.
    @Test
    void aToolThatGivesNothingBackIsAnError() {
        Seen nothing = new Seen("The tool failed: it gave nothing back", true);
        assertThat(seen(tool(input -> null))).isEqualTo(nothing);
        assertThat(seen(raw(null))).isEqualTo(nothing);
        assertThat(seen(raw(new ToolOutput(null, false, Optional.empty())))).isEqualTo(nothing);
        assertThat(seen(raw(new ToolOutput("x", false, null)))).isEqualTo(new Seen("x", false));
    }

    @Test
    void whatCannotBeWrittenAsJsonIsAnError() {
        Object[] itself = new Object[1];
        itself[0] = itself;
        assertThat(seen(tool(input -> itself)).text()).startsWith("The tool failed");
    }

    @Test
    void ofTooMuchTheBeginningIsKeptAndTheRestCounted() {
        Seen seen = seen(tool(input -> "x".repeat(10 << 20)));
        assertThat(seen.text())
                .isEqualTo(
                        "x".repeat(64 << 10) + "\n[cut: 10420224 of 10485760 bytes are not shown]");
        assertThat(seen.isError()).isFalse();
    }

    @Test
    void charactersAreNotCutInTwo() {
        ToolTraits little = ToolTraits.standard().mostBytes(10);
        assertThat(seen(tool(little, input -> "😀😀😀")).text())
                .isEqualTo("😀😀\n[cut: 4 of 12 bytes are not shown]");
        assertThat(seen(tool(little, input -> "ééééé")).text()).isEqualTo("ééééé");
        assertThat(seen(tool(little, input -> "\ud800".repeat(4))).text())
                .isEqualTo("\ufffd".repeat(4));
    }

    /** What a model reads of a text of a tool that is too long, with a secret at some place. */
    private String cutAt(Guardrails guardrails, int before, JavaTool.Body body) {
        Run<Seen> run =
                runs.start(graph(tool(body), guardrails), new Seen("", false), "cut " + before);
        return ((Status.Finished<Seen>) run.await()).state().text();
    }

    private static String around(int before, String secret) {
        return "x".repeat(before) + "\n" + secret + "\n" + "y".repeat(100_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 11, 25, 29, 33, 36, 39})
    void noPartOfASecretPassesWhereAResultIsCut(int shown) {
        String secret = "ghp" + "_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5";
        for (Guardrails guardrails :
                List.of(
                        Guardrails.standard(),
                        Guardrails.none().with(Guardrails.secrets()).with(Guardrails.fence()))) {
            int result = (64 << 10) - 1 - shown;
            assertThat(cutAt(guardrails, result, input -> around(result, secret)))
                    .doesNotContain(secret.substring(0, 4))
                    .contains("bytes are not shown]")
                    .hasSizeLessThan((64 << 10) + 300);

            int message = 2_000 - "The tool failed: ".length() - 1 - shown;
            assertThat(
                            cutAt(
                                    guardrails,
                                    message,
                                    input -> {
                                        throw new IllegalStateException(around(message, secret));
                                    }))
                    .contains("The tool failed: x")
                    .doesNotContain(secret.substring(0, 4))
                    .contains("bytes are not shown]")
                    .hasSizeLessThan(2_300);
        }
    }

    @Test
    void whatIsCutStaysInItsFence() {
        String read =
                cutAt(Guardrails.none().with(Guardrails.fence()), 0, input -> "x".repeat(100_000));
        assertThat(read).startsWith("<data-").matches("(?s).*\n</data-[0-9a-f]{24}>");
        assertThat(read).contains("\n[cut: 34464 of 100000 bytes are not shown]\n</data-");
    }

    @Test
    void aToolThatHangsIsLeftBehind() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(1);
        JavaTool.Body hanging =
                input -> {
                    try {
                        return hang();
                    } finally {
                        interrupted.countDown();
                    }
                };
        ToolTraits brief = ToolTraits.standard().within(Duration.ofMillis(50));
        assertThat(seen(tool(brief, hanging)).text()).isEqualTo("unknown");
        interrupted.await();
        assertThat(seen(tool(brief.ifUnknown(IfUnknown.REPEAT), hanging)).text())
                .isEqualTo("time-out");
    }

    private static Object hang() throws InterruptedException {
        new CountDownLatch(1).await();
        return "";
    }

    @Test
    void whatFailsForAPassingReasonIsTriedAgain() {
        AtomicInteger calls = new AtomicInteger();
        Retry twice = new Retry(2, Duration.ZERO, Duration.ZERO);
        JavaTool.Body flaky =
                input -> {
                    if (calls.incrementAndGet() == 1) {
                        throw Failure.passing("busy", "not now");
                    }
                    return "done";
                };
        assertThat(seen(tool(ToolTraits.standard().retry(twice), flaky)))
                .isEqualTo(new Seen("done", false));
        calls.set(0);
        assertThat(seen(tool(flaky))).isEqualTo(new Seen("busy", true));
    }

    @Test
    void whoeverIsAskedToRepeatACallReadsWhichOne() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(2);
        Tool mail =
                tool(
                        ToolTraits.standard().ifUnknown(IfUnknown.ASK),
                        input -> {
                            begun.countDown();
                            return hang();
                        });
        Graph<Seen> graph =
                Graph.of("both", Seen.class)
                        .node(
                                "n",
                                (seen, context) -> {
                                    var _ =
                                            context.performAll(
                                                    List.of(to(mail, "anna"), to(mail, "bob")));
                                    return seen;
                                })
                        .edge("n", Graph.END)
                        .build();
        String name;
        try (Runs before = Runs.in(trace)) {
            name = before.start(graph, new Seen("", false), "x").name();
            begun.await();
        }
        assertThat(runs.resume(graph, name).await()).isInstanceOf(Status.Waiting.class);
        assertThat(runs.questions(name))
                .extracting(question -> question.question().text())
                .containsExactlyInAnyOrder(again("anna"), again("bob"));
    }

    private static ToolUse to(Tool mail, String whom) {
        ObjectNode arguments = JsonNodeFactory.instance.objectNode().put("to", whom);
        return new ToolUse(mail, arguments, "ann", whom, Guardrails.none());
    }

    private static String again(String whom) {
        return "tool any of the agent ann was interrupted, and nobody knows whether it was done. Do it again? {\"to\":\""
                + whom
                + "\"}";
    }

    @Test
    void aToolCannotChangeTheArgumentsOnRecord() {
        assertThat(seen(tool(input -> input.arguments().put("x", 2).toString())).text())
                .isEqualTo("{\"x\":2}");
    }

    @Test
    void eachCallCountsAgainstTheBudget() {
        Budget none = Budget.unlimited().toolCalls(0);
        Run<Seen> run =
                runs.start(
                        graph(tool(input -> "x")),
                        new Seen("", false),
                        RunOptions.titled("x").budget(none));
        assertThat(run.await().stop().orElseThrow()).isInstanceOf(StopReason.BudgetExhausted.class);
    }

    @Test
    void theRecordTellsWhoCalledWhatAndWhetherItWentWrong() {
        Run<Seen> run =
                runs.start(graph(tool(input -> ToolOutput.error("no"))), new Seen("", false), "x");
        var _ = run.await();
        try (Stream<dev.glovebox.trace.Entry> entries = trace.entries(run.name(), 0)) {
            var events = entries.map(dev.glovebox.trace.Entry::event).toList();
            EffectIntent intent =
                    events.stream()
                            .filter(EffectIntent.class::isInstance)
                            .map(EffectIntent.class::cast)
                            .findFirst()
                            .orElseThrow();
            assertThat(intent.id().kind()).isEqualTo("tool");
            assertThat(intent.name()).isEqualTo("any");
            assertThat(intent.details().path("callId").asText()).isEqualTo("call-1");
            assertThat(intent.details().path("agent").asText()).isEqualTo("ann");
            EffectOutcome outcome =
                    events.stream()
                            .filter(EffectOutcome.class::isInstance)
                            .map(EffectOutcome.class::cast)
                            .findFirst()
                            .orElseThrow();
            assertThat(outcome.details().path("isError").asBoolean()).isTrue();
            assertThat(
                            new String(
                                    trace.blob(outcome.result().orElseThrow().digest())
                                            .orElseThrow()
                                            .content(),
                                    UTF_8))
                    .contains("no");
        }
    }
}
