package dev.glovebox.agent;

import static dev.glovebox.agent.Vendors.model;
import static dev.glovebox.agent.Vendors.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.support.AnthropicServer;
import dev.glovebox.agent.support.OpenAiServer;
import dev.glovebox.agent.support.Script;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.Budget;
import dev.glovebox.run.Failure;
import dev.glovebox.run.Replay;
import dev.glovebox.run.Resource;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Stop;
import dev.glovebox.run.StopReason;
import dev.langchain4j.agent.tool.P;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentTest {

    @AutoClose private final Engine engine = new Engine();
    private final Runs runs = engine.runs();

    private record Sum(int a, int b) {}

    private static final Tool ADD =
            Tools.of("add", "Adds two numbers", Sum.class, sum -> "" + (sum.a() + sum.b()));

    private void assertFaithful(Agent agent, TaskResult result) {
        Replay replay = runs.replay(agent.graph(), result.run());
        assertThat(replay.divergence()).isEmpty();
        assertThat(replay.isFaithful()).isTrue();
    }

    private static List<Message.ToolResult> results(TaskResult result) {
        return result.messages().stream()
                .filter(Message.ToolResult.class::isInstance)
                .map(Message.ToolResult.class::cast)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic"})
    void anAgentCallsAToolAndAnswers(String vendor) {
        try (VendorServer server =
                server(vendor, Turn.calls("add", "{\"a\":40,\"b\":2}"), Turn.says("It is 42."))) {
            StringBuilder words = new StringBuilder();
            Agent agent =
                    Agent.named("clerk", model(vendor, server))
                            .instructions("You add.")
                            .tools(ADD)
                            .words((name, text) -> words.append(text))
                            .build();

            TaskResult result = agent.run(runs, "What is 40 + 2?");

            assertThat(result.stop()).isEqualTo(new StopReason.Completed());
            assertThat(result.text()).isEqualTo("It is 42.");
            assertThat(results(result))
                    .containsExactly(
                            new Message.ToolResult(
                                    results(result).getFirst().call(), "add", "42", false));
            long written = vendor.equals("anthropic") ? 20 : 0;
            assertThat(result.usage()).isEqualTo(new Usage(200, 120, written, 40));
            assertThat(result.spent().modelCalls()).isEqualTo(2);
            assertThat(result.spent().toolCalls()).isEqualTo(1);
            assertThat(words).hasToString("It is 42.");
            assertThat(server.requests().getLast().toString()).contains("42", "You add.");
            assertThat(server.problems()).isEmpty();
            assertFaithful(agent, result);
        }
    }

    @Test
    void severalCallsOfOneAnswerAreMadeAtOnceAndAnsweredInTheirOrder() {
        CyclicBarrier together = new CyclicBarrier(3);
        Tool meet =
                Tools.of(
                        "meet",
                        "Waits for the others",
                        Sum.class,
                        sum -> {
                            together.await();
                            return sum.a();
                        });
        try (VendorServer server =
                server(
                        "openai",
                        Turn.calls(
                                new ToolCall("x", "meet", "{\"a\":1,\"b\":0}"),
                                new ToolCall("y", "meet", "{\"a\":2,\"b\":0}"),
                                new ToolCall("z", "meet", "{\"a\":3,\"b\":0}")),
                        Turn.says("All met."))) {
            Agent agent = Agent.named("host", model("openai", server)).tools(meet).build();

            TaskResult result = agent.run(runs, "Let them meet.");

            assertThat(result.text()).isEqualTo("All met.");
            assertThat(results(result)).extracting(Message::text).containsExactly("1", "2", "3");
            assertFaithful(agent, result);
        }
    }

    @Test
    void aPolicyThatCannotBeEnforcedStopsTheRunAlsoWhereADelegateIsConcerned() {
        Tool walled =
                Tools.of(
                        "add",
                        "Adds",
                        Sum.class,
                        sum -> {
                            throw Failure.lasting(Failure.NOT_ENFORCEABLE, "no wall here");
                        });
        ToolCall call = new ToolCall("x", "add", "{\"a\":1,\"b\":2}");
        ToolCall other = new ToolCall("y", "add", "{\"a\":3,\"b\":4}");
        Agent alone =
                Agent.named("clerk", new ScriptedModel(Turn.calls(call))).tools(walled).build();
        Agent atOnce =
                Agent.named("clerk", new ScriptedModel(Turn.calls(call, other)))
                        .tools(walled)
                        .build();
        ScriptedModel boss = new ScriptedModel(Turn.calls("clerk", "{\"task\":\"Add.\"}"));
        Agent delegating =
                Agent.named("boss", boss)
                        .delegates(
                                Agent.named("clerk", new ScriptedModel(Turn.calls(call)))
                                        .tools(walled)
                                        .build())
                        .build();
        for (Agent agent : List.of(alone, atOnce, delegating)) {
            TaskResult result = agent.run(runs, "Add.");

            assertThat(result.stop()).isEqualTo(new StopReason.NotEnforceable("no wall here"));
            assertFaithful(agent, result);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic"})
    void nonsenseIsToldToTheModelAndNeverCallsATool(String vendor) {
        AtomicInteger called = new AtomicInteger();
        Tool counted =
                Tools.of(
                        "add",
                        "Adds",
                        Sum.class,
                        sum -> {
                            called.incrementAndGet();
                            return sum.a();
                        });
        try (VendorServer server =
                server(
                        vendor,
                        Turn.calls("subtract", "{}"),
                        Turn.calls("add", "{\"a\":\"forty\"}"),
                        Turn.calls("add", "{\"a\":1,\"b\":2,\"c\":3}"),
                        Turn.says("I give up."))) {
            Agent agent = Agent.named("clerk", model(vendor, server)).tools(counted).build();

            TaskResult result = agent.run(runs, "Subtract.");

            assertThat(called).hasValue(0);
            assertThat(results(result)).allMatch(Message.ToolResult::isError);
            assertThat(results(result).get(0).text()).contains("no such tool", "add");
            assertThat(results(result).get(1).text()).contains("/a", "integer", "forty");
            assertThat(results(result).get(2).text()).contains("c");
            assertThat(result.text()).isEqualTo("I give up.");
            assertFaithful(agent, result);
        }
    }

    private record Invoice(String customer, int cents) {}

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic"})
    void anAnswerThatIsNoRecordGoesBackUntilItIs(String vendor) {
        try (VendorServer server =
                server(
                        vendor,
                        Turn.says("Sure, here it is!"),
                        Turn.says("{\"customer\":\"Ada\",\"cents\":\"a lot\"}"),
                        Turn.says("```json\n{\"customer\":\"Ada\",\"cents\":1200}\n```"))) {
            Agent agent = Agent.named("clerk", model(vendor, server)).output(Invoice.class).build();

            TaskResult result = agent.run(runs, "Bill Ada.");

            assertThat(result.isCompleted()).isTrue();
            assertThat(result.output(Invoice.class)).isEqualTo(new Invoice("Ada", 1200));
            assertThat(result.messages().get(4).text()).contains("/cents", "integer", "a lot");
            assertFaithful(agent, result);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<think>\nAs in ```{}```, or {\"cents\":1}.\n</think>\n\n%s",
                "It costs {\"cents\":1}.\n</think>\n%s",
                "Well.</think>```json\n%s\n```"
            })
    void whatAModelThinksAloudBeforeItsRecordDoesNoHarm(String answer) {
        Invoice invoice = new Invoice("Ada </think>", 1200);
        ScriptedModel model =
                new ScriptedModel(
                        Turn.says(
                                answer.formatted(
                                        "{\"customer\":\"Ada </think>\",\"cents\":1200}")));
        Agent agent = Agent.named("clerk", model).output(Invoice.class).build();

        TaskResult result = agent.run(runs, "Bill Ada.");

        assertThat(result.isCompleted()).isTrue();
        assertThat(result.output(Invoice.class)).isEqualTo(invoice);
    }

    record Order(int cents, List<String> names) {
        Order {
            if (names.isEmpty()) {
                throw new IllegalArgumentException("somebody must have ordered it");
            }
        }
    }

    @Test
    void anAnswerThatFitsTheSchemaButMakesNoRecordGoesBack() {
        ScriptedModel model =
                new ScriptedModel(
                        Turn.says("{\"cents\":3000000000,\"names\":[\"Ada\"]}"),
                        Turn.says("{\"cents\":7,\"names\":[]}"),
                        Turn.says("{\"cents\":7,\"names\":[\"Ada\"]}"));
        Agent agent = Agent.named("biller", model).output(Order.class).build();

        TaskResult result = agent.run(runs, "Bill Ada.");

        assertThat(result.isCompleted()).isTrue();
        assertThat(result.output(Order.class)).isEqualTo(new Order(7, List.of("Ada")));
        assertThat(result.messages().get(2).text())
                .contains("/cents", "maximum 2147483647", "3000000000");
        assertThat(result.messages().get(4).text())
                .isEqualTo(
                        "{\"error\":\"The answer cannot be used: somebody must have ordered it\"}");
        assertFaithful(agent, result);
    }

    record Bill(
            String customer,
            @P(value = "In which", defaultValue = "EUR") String currency,
            @P(value = "How many", defaultValue = "3") int copies,
            Optional<String> note) {}

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"note\":null", ",\"currency\":null,\"copies\":3"})
    void whatAnAnswerLeavesOutIsFilledInAsInTheArgumentsOfATool(String more) {
        ScriptedModel model = new ScriptedModel(Turn.says("{\"customer\":\"Ada\"" + more + "}"));
        Bill bill = new Bill("Ada", "EUR", 3, Optional.empty());
        List<Bill> seen = new ArrayList<>();
        Agent agent =
                Agent.named("biller", model)
                        .output(Bill.class)
                        .validators(
                                Validators.record(
                                        Bill.class,
                                        one -> {
                                            seen.add(one);
                                            return Optional.empty();
                                        }))
                        .build();

        TaskResult result = agent.run(runs, "Bill Ada.");

        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        assertThat(result.output(Bill.class)).isEqualTo(bill);
        assertThat(seen).containsExactly(bill);
        assertFaithful(agent, result);
    }

    @Test
    void anAnswerThatCannotBeJudgedGoesBack() {
        ScriptedModel model =
                new ScriptedModel(Turn.says("many"), Turn.says("null"), Turn.says("5"));
        Agent agent =
                Agent.named("counter", model)
                        .validators(Validators.rule("a number", text -> Integer.parseInt(text) > 0))
                        .build();

        TaskResult result = agent.run(runs, "How many?");

        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        assertThat(result.text()).isEqualTo("5");
        assertThat(result.messages().get(2).text())
                .isEqualTo(
                        "The answer could not be judged. NumberFormatException: For input string: \"many\"");
        assertFaithful(agent, result);
    }

    /** As tests do, and those who walk down an answer that is deeper than they thought. */
    @Test
    void anAnswerOfWhichAValidatorThrowsAnErrorGoesBack() {
        ScriptedModel model =
                new ScriptedModel(Turn.says("many"), Turn.says("deep"), Turn.says("5"));
        Agent agent =
                Agent.named("counter", model)
                        .validators(
                                Validators.rule(
                                        "a number",
                                        text -> {
                                            assertThat(text).isNotEqualTo("many");
                                            return !text.equals("deep") || isDeep(text);
                                        }))
                        .build();

        TaskResult result = agent.run(runs, "How many?");

        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        assertThat(result.text()).isEqualTo("5");
        assertThat(result.messages().get(2).text()).contains("could not be judged", "many");
        assertThat(result.messages().get(4).text()).contains("could not be judged");
        assertFaithful(agent, result);
    }

    private static boolean isDeep(String text) {
        return text.isEmpty() || isDeep(text);
    }

    @Test
    void anAnswerThatCannotBeJudgedGoesBackOnlySoOften() {
        ScriptedModel model = new ScriptedModel(Turn.says("a"), Turn.says("b"));
        Agent agent =
                Agent.named("counter", model)
                        .validators((answer, context) -> {
                            throw new IllegalStateException("x".repeat(10_000));
                        })
                        .mostRepairs(1)
                        .build();

        TaskResult result = agent.run(runs, "How many?");

        assertThat(result.stop()).isEqualTo(new StopReason.AttemptsExhausted(2));
        assertThat(result.messages().get(2).text()).hasSizeLessThan(600);
        assertFaithful(agent, result);
    }

    @Test
    void whatStopsARunStopsItAlsoWithinAValidator() {
        StopReason reason = new StopReason.GuardrailTripped("own", "enough");
        Agent stopping =
                Agent.named("stopping", new ScriptedModel(Turn.says("a")))
                        .validators((answer, context) -> {
                            throw new Stop(reason);
                        })
                        .build();
        assertThat(stopping.run(runs, "Go.").stop()).isEqualTo(reason);
        Failure away = Failure.lasting("broken", "the judge is away");
        for (RuntimeException problem : List.of(away, new IllegalStateException("Why?", away))) {
            Agent failing =
                    Agent.named("failing", new ScriptedModel(Turn.says("a")))
                            .validators((answer, context) -> {
                                throw problem;
                            })
                            .build();
            assertThat(failing.run(runs, "Go.").stop()).isInstanceOf(StopReason.Failed.class);
        }
    }

    @Test
    void answersAreSentBackOnlySoOften() {
        ScriptedModel model =
                new ScriptedModel(Turn.says("no"), Turn.says("no"), Turn.says(""), Turn.says("no"));
        Agent agent =
                Agent.named("stubborn", model)
                        .validators((answer, context) ->
                                answer.equals("yes") ? Optional.empty() : Optional.of("Say yes."))
                        .build();

        TaskResult result = agent.run(runs, "Say yes.");

        assertThat(result.stop()).isEqualTo(new StopReason.AttemptsExhausted(4));
        assertThat(result.text()).isEqualTo("no");
        assertFaithful(agent, result);
    }

    @Test
    void aModelThatFailsIsFollowedByALargerOne() {
        ScriptedModel small = new ScriptedModel(Turn.fails(401, "no key"));
        ScriptedModel large = new ScriptedModel(Turn.says("Here I am."));
        Agent agent = Agent.named("climber", small, large).build();

        TaskResult result = agent.run(runs, "Go.");

        assertThat(result.text()).isEqualTo("Here I am.");
        assertThat(result.spent().modelCalls()).isEqualTo(2);
        assertFaithful(agent, result);
    }

    @Test
    void whenNoModelAnswersTheRunSaysWhy() {
        Agent agent =
                Agent.named("lonely", new ScriptedModel(Turn.fails(401, "no such key"))).build();

        TaskResult result = agent.run(runs, "Go.");

        assertThat(result.stop())
                .isEqualTo(new StopReason.ModelFailed("scripted:model", "no such key"));
        assertThat(result.messages()).containsExactly(new Message.User("Go."));
        assertFaithful(agent, result);
    }

    @Test
    void aModelThatNeverComesToAnEndIsStopped() {
        Script endless = Script.answering(asked -> Turn.calls("nothing", "{}"));
        Agent agent = Agent.named("endless", new ScriptedModel(endless)).mostTurns(7).build();

        TaskResult result = agent.run(runs, "Go.");

        assertThat(result.stop()).isEqualTo(new StopReason.AttemptsExhausted(7));
        assertFaithful(agent, result);
    }

    @Test
    void theSameCallAgainAndAgainIsALoop() {
        Script endless = Script.answering(asked -> Turn.calls("add", "{\"a\":1,\"b\":1}"));
        Agent agent = Agent.named("circling", new ScriptedModel(endless)).tools(ADD).build();

        TaskResult result = agent.run(runs, "Go.");

        assertThat(result.stop()).isInstanceOf(StopReason.LoopDetected.class);
        assertFaithful(agent, result);
    }

    @Test
    void aBudgetEndsAConversation() {
        AtomicInteger n = new AtomicInteger();
        Script endless =
                Script.answering(asked ->
                        Turn.calls("add", "{\"a\":%d,\"b\":1}".formatted(n.getAndIncrement())));
        Agent agent = Agent.named("spender", new ScriptedModel(endless)).tools(ADD).build();

        TaskResult result =
                agent.run(
                        runs,
                        "Go.",
                        RunOptions.titled("x").budget(Budget.unlimited().toolCalls(3)));

        assertThat(result.stop()).isEqualTo(new StopReason.BudgetExhausted(Resource.TOOL_CALLS, 3));
        assertThat(results(result)).hasSize(3);
        assertFaithful(agent, result);
    }

    @ParameterizedTest
    @CsvSource({"c00010001,''", "'',c00010000", "same,same", "c00010001,c00010001"})
    void callsHaveIdsOfTheirOwnSoThatEachResultIsToldApart(String one, String two) {
        ScriptedModel model =
                new ScriptedModel(
                        Turn.calls(
                                new ToolCall(one, "add", "{\"a\":1,\"b\":1}"),
                                new ToolCall(two, "add", "{\"a\":2,\"b\":2}")),
                        Turn.says("Done."));
        Agent agent = Agent.named("clerk", model).tools(ADD).build();

        TaskResult result = agent.run(runs, "Add.");

        assertThat(results(result)).extracting(Message.ToolResult::text).containsExactly("2", "4");
        assertThat(results(result)).extracting(Message.ToolResult::call).doesNotHaveDuplicates();
        assertFaithful(agent, result);
    }

    @Test
    void alsoASingleCallHasAnIdThatEachVendorTakesAndThatIsNotUsedAgain() {
        Turn adds = Turn.calls(new ToolCall("functions.add:0", "add", "{\"a\":1,\"b\":1}"));
        try (VendorServer small = OpenAiServer.start(adds, adds, Turn.fails(401, "no more"));
                VendorServer large = AnthropicServer.start(Turn.says("Done."))) {
            Agent agent =
                    Agent.named("clerk", model("openai", small), model("anthropic", large))
                            .tools(ADD)
                            .build();

            TaskResult result = agent.run(runs, "Add.");

            assertThat(result.text()).isEqualTo("Done.");
            assertThat(large.problems()).isEmpty();
            assertThat(results(result))
                    .extracting(Message.ToolResult::call)
                    .containsExactly("c00010000", "c00030000");
            assertFaithful(agent, result);
        }
    }

    @Test
    void aConversationThatEndedBeforeItsCallsWereMadeCanGoOn() {
        ScriptedModel model =
                new ScriptedModel(
                        Turn.calls(
                                new ToolCall("1", "add", "{\"a\":1,\"b\":1}"),
                                new ToolCall("2", "add", "{\"a\":2,\"b\":2}")),
                        Turn.says("So be it."));
        Agent agent =
                Agent.named("clerk", model)
                        .tools(ADD)
                        .until(Termination.when("asked once", talk -> talk.turns() == 1))
                        .build();
        List<Message> said = new ArrayList<>(agent.run(runs, "Add.").messages());
        assertThat(said).hasSize(2);
        said.add(new Message.User("Never mind."));

        var _ = Agent.result(runs.start(agent.graph(), Conversation.of(said), "more"));

        // Vendors refuse a call without a result.
        assertThat(model.prompts().getLast().messages())
                .extracting(message ->
                        message instanceof Message.ToolResult result
                                ? result.call() + " " + result.isError()
                                : message.getClass().getSimpleName())
                .containsExactly("User", "Assistant", "c00010000 true", "c00010001 true", "User");
    }

    @Test
    void anotherAgentIsCalledLikeATool() {
        ScriptedModel expert =
                new ScriptedModel(
                        Script.answering(asked ->
                                asked.contains("text=41")
                                        ? Turn.says("42, of course")
                                        : Turn.calls("add", "{\"a\":40,\"b\":1}")));
        Agent adder =
                Agent.named("adder", expert)
                        .description("Adds whatever you want")
                        .tools(ADD)
                        .build();
        ScriptedModel boss =
                new ScriptedModel(
                        Turn.calls(
                                new ToolCall("1", "adder", "{\"task\":\"add\"}"),
                                new ToolCall("2", "add", "{\"a\":1,\"b\":1}"),
                                new ToolCall("3", "adder", "{\"work\":\"add\"}"),
                                new ToolCall("4", "adder", "{\"task\":\"add too\"}")),
                        Turn.says("Done."));
        Agent agent = Agent.named("boss", boss).tools(ADD).delegates(adder).build();

        TaskResult result = agent.run(runs, "Let it be added.");

        assertThat(result.text()).isEqualTo("Done.");
        assertThat(results(result))
                .extracting(Message::text)
                .satisfies(texts -> {
                    assertThat(texts.get(0)).isEqualTo("42, of course");
                    assertThat(texts.get(1)).isEqualTo("2");
                    assertThat(texts.get(2)).contains("task");
                    assertThat(texts.get(3)).isEqualTo("42, of course");
                });
        assertThat(boss.prompts().getFirst().tools())
                .extracting(ToolOffer::description)
                .contains("Adds whatever you want");
        assertFaithful(agent, result);
    }

    @Test
    void anAgentThatFailsIsAnErrorOfTheOneThatCalledIt() {
        Agent broken = Agent.named("broken", new ScriptedModel(Turn.fails(401, "no key"))).build();
        ScriptedModel boss =
                new ScriptedModel(
                        Turn.calls("broken", "{\"task\":\"work\"}"), Turn.says("Alone then."));
        Agent agent = Agent.named("boss", boss).delegates(broken).build();

        TaskResult result = agent.run(runs, "Go.");

        assertThat(result.text()).isEqualTo("Alone then.");
        assertThat(results(result).getFirst().isError()).isTrue();
        assertFaithful(agent, result);
    }

    @Test
    void twoHundredConversationsOnOneAgentDoNotHearEachOther() {
        Script echo =
                Script.answering(asked -> {
                    String own = asked.replaceAll("(?s).*my number is (\\d+)\\..*", "$1");
                    return asked.contains("\"role\":\"tool\"")
                            ? Turn.says("You are " + own)
                            : Turn.calls("add", "{\"a\":%s,\"b\":0}".formatted(own));
                });
        try (VendorServer server = OpenAiServer.start(echo)) {
            Agent agent = Agent.named("echo", model("openai", server)).tools(ADD).build();
            List<Run<Conversation>> all = new ArrayList<>();
            IntStream.range(1000, 1200)
                    .forEach(n ->
                            all.add(
                                    agent.start(
                                            runs,
                                            "Hello, my number is " + n + ".",
                                            RunOptions.titled("x"))));
            for (int i = 0; i < all.size(); i++) {
                String own = String.valueOf(1000 + i);
                TaskResult result = Agent.result(all.get(i));
                assertThat(result.text()).isEqualTo("You are " + own);
                assertThat(results(result)).extracting(Message::text).containsExactly(own);
            }
        }
    }
}
