package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.Budget;
import dev.glovebox.run.Price;
import dev.glovebox.run.Prices;
import dev.glovebox.run.Resource;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.StopReason;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was answered is paid for, whatever became of the answer. */
class PaidAnswersTest {

    private record Nothing() {}

    private static final Tool LOOK = Tools.of("look", "Looks", Nothing.class, none -> "nothing");

    @TempDir private Path keys;

    private TaskResult run(Agent agent, Budget budget) {
        try (Trace trace = Trace.open(new MemoryStore(), keys);
                Runs runs = Runs.in(trace)) {
            TaskResult result = agent.run(runs, "Go.", RunOptions.titled("paid").budget(budget));
            assertThat(runs.replay(agent.graph(), result.run()).isFaithful()).isTrue();
            return result;
        }
    }

    @Test
    void anAnswerThatAGuardrailBlocksIsPaidFor() {
        ScriptedModel model = new ScriptedModel(Turn.says("damn ".repeat(400)));
        Agent agent =
                Agent.named("a", model)
                        .guardrails(
                                Guardrails.of(
                                        List.of(
                                                Guardrails.deny(
                                                        "manners", Pattern.compile("damn")))))
                        .build();
        TaskResult end = run(agent, Budget.unlimited().tokens(100_000));
        assertThat(end.stop()).isInstanceOf(StopReason.GuardrailTripped.class);
        assertThat(end.spent().tokens()).isGreaterThan(400);
        assertThat(end.spent().modelCalls()).isEqualTo(1);
    }

    @Test
    void anAnswerThatIsLostIsPaidForAsIfItWereTheLongest() {
        ScriptedModel model = new ScriptedModel(new Turn.Cut("Once upon"), Turn.says("Done."));
        Agent agent = Agent.named("a", model).mostTokens(1_000).build();
        TaskResult end = run(agent, Budget.unlimited().tokens(100_000));
        assertThat(end.stop()).isEqualTo(new StopReason.Completed());
        assertThat(end.spent().tokens()).isBetween(1_000L, 1_100L);
        assertThat(end.spent().modelCalls()).isEqualTo(2);
    }

    private static final String BEGUN = "word ".repeat(2_000);

    /** Guardrails look at what a model says, also when it fails; it costs the same. */
    private TaskResult asked(String vendor, Turn... turns) {
        TaskResult guarded = asked(vendor, Guardrails.standard(), turns);
        TaskResult plain = asked(vendor, Guardrails.of(List.of()), turns);
        assertThat(guarded.spent()).isEqualTo(plain.spent());
        return plain;
    }

    private TaskResult asked(String vendor, Guardrails guardrails, Turn... turns) {
        try (VendorServer server = Vendors.server(vendor, turns)) {
            Model model = Vendors.model(vendor, server);
            return run(
                    Agent.named("a", model).mostTokens(5_000).guardrails(guardrails).build(),
                    Budget.unlimited().tokens(100_000));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"anthropic", "openai", "google", "ollama"})
    void anAnswerThatSomethingBreaksInTheMiddleIsPaidForAsIfItWereTheLongest(String vendor) {
        TaskResult end = asked(vendor, new Turn.Breaks(BEGUN, "overloaded"), Turn.says("Done."));
        assertThat(end.stop()).isEqualTo(new StopReason.Completed());
        assertThat(end.spent().tokens()).isBetween(5_000L, 5_200L);
        assertThat(end.spent().modelCalls()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"anthropic", "openai"})
    void anAnswerThatTheVendorRefusesToEndIsPaidForAsIfItWereTheLongest(String vendor) {
        TaskResult end = asked(vendor, new Turn.Refuses(BEGUN));
        assertThat(end.stop()).isInstanceOf(StopReason.ModelFailed.class);
        assertThat(end.spent().tokens()).isBetween(5_000L, 5_100L);
        assertThat(end.spent().modelCalls()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "google"})
    void anAnswerThatAFilterEndsIsPaidForAsTheVendorCountsIt(String vendor) {
        TaskResult end = asked(vendor, new Turn.Filters(BEGUN));
        assertThat(end.stop()).isInstanceOf(StopReason.ModelFailed.class);
        assertThat(end.spent().tokens()).isEqualTo(120);
        assertThat(end.spent().modelCalls()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"anthropic", "openai", "google", "ollama"})
    void aQuestionThatIsRefusedBeforeAnythingCameCostsNoTokens(String vendor) {
        TaskResult end = asked(vendor, Turn.fails(400, "not like that"));
        assertThat(end.stop()).isInstanceOf(StopReason.ModelFailed.class);
        assertThat(end.spent().tokens()).isZero();
        assertThat(end.spent().modelCalls()).isEqualTo(1);
    }

    @Test
    void anErrorThatIsAllThatCameCostsNoTokens() {
        TaskResult end =
                asked(
                        "anthropic",
                        new Turn.Garbage(
                                "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"no\"}}"));
        assertThat(end.stop()).isInstanceOf(StopReason.ModelFailed.class);
        assertThat(end.spent().tokens()).isZero();
    }

    @Test
    void aServerThatRemembersMoreThanItReadsDoesNotEndTheRun() {
        String events =
                """
                {"id":"1","choices":[{"index":0,"delta":{"content":"Done."},"finish_reason":"stop"}]}

                data: {"id":"1","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,\
                "prompt_tokens_details":{"cached_tokens":1000}}}

                data: [DONE]\
                """;
        try (VendorServer server = Vendors.server("openai", new Turn.Garbage(events))) {
            Prices prices = Prices.none().with("openai:test", Price.of("3", "1", "10"));
            Agent agent = Agent.named("a", Vendors.model("openai", server)).prices(prices).build();
            TaskResult end = run(agent, Budget.unlimited().dollars("1"));
            assertThat(end.stop()).isEqualTo(new StopReason.Completed());
            assertThat(end.spent().microDollars()).isEqualTo(1_000 + 50);
        }
    }

    private record Report(String whatWasSeen, List<String> whatItMeans) {}

    @Test
    void theSchemaOfAnAnswerIsPaidForAsWell() {
        ScriptedModel model = new ScriptedModel(Turn.says("{}"));
        Agent plain = Agent.named("a", model).mostTokens(10).build();
        Agent bound = Agent.named("a", model).mostTokens(10).output(Report.class).build();
        Budget budget = Budget.unlimited().tokens(40);
        assertThat(run(bound, budget).stop())
                .isEqualTo(new StopReason.BudgetExhausted(Resource.TOKENS, 40));
        assertThat(model.prompts()).isEmpty();
        assertThat(run(plain, budget).stop()).isEqualTo(new StopReason.Completed());
    }

    @Test
    void anAnswerOfThousandsOfCallsFitsIntoARecordWithWhatGuardrailsSayOfIt() {
        ToolCall[] calls =
                IntStream.range(0, 5_000)
                        .mapToObj(i -> new ToolCall("call" + i, "look", "{}"))
                        .toArray(ToolCall[]::new);
        ScriptedModel model = new ScriptedModel(Turn.calls(calls), Turn.says("Done."));
        Agent agent = Agent.named("a", model).tools(LOOK).guardrails(Guardrails.standard()).build();
        assertThat(run(agent, Budget.unlimited()).stop()).isEqualTo(new StopReason.Completed());
    }

    /** Reads and writes a million tokens, of which it will remember half. */
    private static final class Costly implements Model {

        @Override
        public String name() {
            return "anthropic:claude-haiku-4-5-20251001";
        }

        @Override
        public Reply ask(Prompt prompt, Duration within, Consumer<String> words) {
            return new Reply(
                    Message.Assistant.of("Done."),
                    new Usage(1_000_000, 200_000, 500_000, 100_000),
                    false);
        }
    }

    @Test
    void moneyIsCountedAsTheVendorDoes() {
        Agent agent = Agent.named("a", new Costly()).prices(Prices.listed()).build();
        // 0.3 M read at $1, 0.2 M remembered at $0.10, 0.5 M to remember at $1.25, 0.1 M at $5.
        assertThat(run(agent, Budget.unlimited()).spent().microDollars())
                .isEqualTo(300_000 + 20_000 + 625_000 + 500_000);
    }
}
