package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.agent.support.AnthropicServer;
import dev.glovebox.agent.support.GoogleServer;
import dev.glovebox.agent.support.OllamaServer;
import dev.glovebox.agent.support.OpenAiServer;
import dev.glovebox.agent.support.Script;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.agent.support.WordEmbedder;
import dev.glovebox.run.Budget;
import dev.glovebox.run.Effect.IfUnknown;
import dev.glovebox.run.Permissions;
import dev.glovebox.run.Resource;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.StopReason;
import dev.glovebox.run.support.CrashInjector;
import dev.glovebox.run.support.CrashInjector.Crash;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.TraceException;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** All that agents and teams do, through the real client of each vendor. */
@ParameterizedClass
@EnumSource
class VendorLoopTest {

    private static final Map<String, String> KEYS =
            Map.of("ANTHROPIC_API_KEY", "any", "GOOGLE_API_KEY", "any", "OPENAI_API_KEY", "any");

    enum Vendor {
        ANTHROPIC,
        GOOGLE,
        OLLAMA,
        OPENAI;

        VendorServer start(Script script) {
            return switch (this) {
                case ANTHROPIC -> AnthropicServer.start(script);
                case GOOGLE -> GoogleServer.start(script);
                case OLLAMA -> OllamaServer.start(script);
                case OPENAI -> OpenAiServer.start(script);
            };
        }

        Model model(VendorServer server) {
            String vendor = name().toLowerCase(Locale.ROOT);
            return Models.open(vendor + ":test@" + server.address(), KEYS);
        }
    }

    private static final Termination NEVER = Termination.messages(1_000);

    private record Sum(int a, int b) {}

    private record Nothing() {}

    private static final Tool ADD =
            Tools.of("add", "Adds two numbers", Sum.class, sum -> sum.a() + sum.b());

    private final Vendor vendor;
    @TempDir private Path home;

    private final List<VendorServer> servers = new ArrayList<>();
    private Trace trace;
    private Runs runs;

    VendorLoopTest(Vendor vendor) {
        this.vendor = vendor;
    }

    @BeforeEach
    void open() {
        trace = Trace.open(new MemoryStore(), home);
        runs = Runs.in(trace);
    }

    @AfterEach
    void close() {
        runs.close();
        trace.close();
        servers.forEach(VendorServer::close);
        assertThat(servers).isNotEmpty().allMatch(server -> !server.requests().isEmpty());
        assertThat(servers).flatExtracting(VendorServer::problems).isEmpty();
    }

    private Model model(Script script) {
        VendorServer server = vendor.start(script);
        servers.add(server);
        return vendor.model(server);
    }

    private Model model(Turn... turns) {
        return model(Script.of(turns));
    }

    private Agent saying(String name, String... texts) {
        return Agent.named(name, model(Stream.of(texts).map(Turn::says).toArray(Turn[]::new)))
                .build();
    }

    /** What the server that was started last was asked last. */
    private String lastRequest() {
        return servers.getLast().requests().getLast().toString();
    }

    private TaskResult run(Agent agent, String task, RunOptions options) {
        TaskResult result = agent.run(runs, task, options);
        assertThat(runs.replay(agent.graph(), result.run()).isFaithful()).isTrue();
        return result;
    }

    private TaskResult run(Agent agent, String task) {
        return run(agent, task, RunOptions.titled("x"));
    }

    private TeamResult run(Team team) {
        TeamResult result = team.run(runs, "Write a poem.");
        assertThat(runs.replay(team.graph(), result.run()).isFaithful()).isTrue();
        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        return result;
    }

    private static List<String> speakers(TeamResult result) {
        return result.discussion().said().stream().map(Discussion.Said::agent).toList();
    }

    @Test
    void aLargerModelIsAskedWhenOneFailsOrItsAnswerIsSentBack() {
        Model small = model(Turn.fails(401, "no key"));
        Model middle = model(Turn.says("Sure!"));
        Model large = model(Turn.says("{\"a\":1,\"b\":2}"));
        Agent agent = Agent.named("climber", small, middle, large).output(Sum.class).build();

        assertThat(run(agent, "Go.").output(Sum.class)).isEqualTo(new Sum(1, 2));
        assertThat(lastRequest()).contains("Sure!");
    }

    @Test
    void aModelThatFailsStopsTheRunWithWhatTheVendorSaid() {
        TaskResult result =
                run(Agent.named("lonely", model(Turn.fails(401, "wrong key"))).build(), "Go.");

        assertThat(result.stop())
                .isInstanceOfSatisfying(
                        StopReason.ModelFailed.class,
                        failed -> assertThat(failed.problem()).contains("wrong key"));
    }

    /** Sums without end, each another one. */
    private Model endless() {
        AtomicInteger n = new AtomicInteger();
        return model(
                Script.answering(asked ->
                        Turn.calls(
                                new ToolCall(
                                        "call_" + n,
                                        "add",
                                        "{\"a\":%d,\"b\":1}".formatted(n.getAndIncrement())))));
    }

    @Test
    void aConditionEndsAConversation() {
        Termination until = Termination.toolCalled("add").and(Termination.messages(5));

        TaskResult result =
                run(Agent.named("adder", endless()).tools(ADD).until(until).build(), "Add.");

        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        assertThat(result.conversation().ended()).contains("add was called and 5 messages");
        assertThat(Engine.results(result)).containsExactly("1", "2");
    }

    @Test
    void aBudgetEndsAConversationByWhatTheVendorCounted() {
        Agent agent = Agent.named("adder", endless()).tools(ADD).mostTokens(50).build();

        TaskResult calls =
                run(agent, "Add.", RunOptions.titled("x").budget(Budget.unlimited().toolCalls(2)));
        assertThat(calls.stop()).isEqualTo(new StopReason.BudgetExhausted(Resource.TOOL_CALLS, 2));
        assertThat(Engine.results(calls)).hasSize(2);

        // Each answer is 120 of them.
        TaskResult tokens =
                run(agent, "Add.", RunOptions.titled("x").budget(Budget.unlimited().tokens(400)));
        assertThat(tokens.stop()).isEqualTo(new StopReason.BudgetExhausted(Resource.TOKENS, 400));
        assertThat(tokens.usage().total()).isBetween(120L, 360L);
        assertThat(tokens.spent().tokens()).isEqualTo(tokens.usage().total());
    }

    @Test
    void theSameCallAgainAndAgainIsALoop() {
        Model circling = model(Script.answering(asked -> Turn.calls("add", "{\"a\":1,\"b\":1}")));

        TaskResult result = run(Agent.named("circling", circling).tools(ADD).build(), "Go.");

        assertThat(result.stop()).isInstanceOf(StopReason.LoopDetected.class);
    }

    @Test
    void anotherAgentIsCalledLikeATool() {
        Model expert = model(Turn.calls("add", "{\"a\":40,\"b\":2}"), Turn.says("It is 42."));
        Agent adder = Agent.named("adder", expert).description("Adds well").tools(ADD).build();
        Model boss =
                model(
                        Turn.calls(
                                new ToolCall("1", "adder", "{\"task\":\"What is 40 + 2?\"}"),
                                new ToolCall("2", "add", "{\"a\":1,\"b\":1}"),
                                new ToolCall("3", "adder", "{\"work\":\"add\"}")),
                        Turn.says("Done."));

        TaskResult result =
                run(Agent.named("boss", boss).tools(ADD).delegates(adder).build(), "Add.");

        assertThat(result.text()).isEqualTo("Done.");
        assertThat(Engine.results(result))
                .startsWith("It is 42.", "2")
                .element(2)
                .asString()
                .contains("/task");
        assertThat(servers.getLast().requests().getFirst().toString()).contains("Adds well");
        assertThat(result.spent().modelCalls()).isEqualTo(4);
    }

    @Test
    void anAgentThatFailsIsAnErrorOfTheOneThatCalledIt() {
        Agent broken = Agent.named("broken", model(Turn.fails(401, "no key"))).build();
        Model boss = model(Turn.calls("broken", "{\"task\":\"work\"}"), Turn.says("Alone then."));

        TaskResult result = run(Agent.named("boss", boss).delegates(broken).build(), "Go.");

        assertThat(result.text()).isEqualTo("Alone then.");
        assertThat(lastRequest()).contains("The agent could not do it: model-failed");
    }

    @Test
    void inASequenceEachKnowsWhatWasSaidBefore() {
        Team team = Team.sequence("line", saying("planner", "Roses."), saying("poet", "Red."));

        assertThat(run(team).text()).isEqualTo("Red.");
        assertThat(lastRequest()).contains("Write a poem.", "[planner]", "Roses.");
    }

    @Test
    void whatWasSaidAtOnceIsMergedByOneMore() {
        Agent one = saying("one", "this");
        Agent other = saying("other", "that");
        Team team = Team.parallel("both", saying("editor", "The best of both."), one, other);

        assertThat(run(team).text()).isEqualTo("The best of both.");
        assertThat(lastRequest()).contains("[one]", "this", "[other]", "that");
    }

    @Test
    void inTurnTheySpeakUntilACondition() {
        Team team =
                Team.roundRobin(
                        "ring",
                        Termination.text("APPROVED"),
                        saying("writer", "draft", "better draft"),
                        saying("critic", "no", "approved"));

        TeamResult result = run(team);

        assertThat(speakers(result)).containsExactly("writer", "critic", "writer", "critic");
        assertThat(result.discussion().ended()).contains("'APPROVED' was said");
    }

    @Test
    void aModelPicksWhoSpeaks() {
        Model leader = model(Turn.says("**critic**"), Turn.says("the pope"), Turn.says("DONE"));
        Team team =
                Team.selector(
                        "led",
                        Route.of(leader),
                        NEVER,
                        saying("writer", "a draft"),
                        saying("critic", "show me"));

        TeamResult result = run(team);

        assertThat(speakers(result)).containsExactly("critic", "writer");
        assertThat(result.discussion().ended()).contains("the task is done");
    }

    @Test
    void whoeverHasTheTaskCanHandItOver() {
        Agent desk =
                Agent.named(
                                "desk",
                                model(Turn.calls("transfer_to_expert", "{\"reason\":\"hard\"}")))
                        .handoffs("expert")
                        .build();

        TeamResult result = run(Team.handoff("help", NEVER, desk, saying("expert", "Solved.")));

        assertThat(speakers(result)).containsExactly("desk", "expert");
        assertThat(result.text()).isEqualTo("Solved.");
    }

    @Test
    void aBudgetStopsATeam() {
        Team team = Team.roundRobin("ring", NEVER, saying("one", "a", "c"), saying("two", "b"));

        TeamResult result =
                team.run(
                        runs,
                        "Go.",
                        RunOptions.titled("x").budget(Budget.unlimited().modelCalls(3)));

        assertThat(result.stop())
                .isEqualTo(new StopReason.BudgetExhausted(Resource.MODEL_CALLS, 3));
        assertThat(speakers(result)).containsExactly("one", "two", "one");
    }

    @Test
    void aLongConversationIsSummarisedAndGoesOn() {
        AtomicInteger page = new AtomicInteger();
        Model reading =
                model(
                        Script.answering(asked -> {
                            if (asked.contains("You shorten conversations")) {
                                return Turn.says("It is about words.");
                            }
                            return asked.contains("It is about words.")
                                    ? Turn.says("Words.")
                                    : Turn.calls(
                                            new ToolCall(
                                                    "call_" + page,
                                                    "read",
                                                    "{\"a\":%d,\"b\":0}"
                                                            .formatted(page.getAndIncrement())));
                        }));
        Tool read = Tools.of("read", "Reads a page", Sum.class, sum -> sum + " word".repeat(300));

        TaskResult result =
                run(
                        Agent.named("reader", reading)
                                .tools(read)
                                .window(WorkingMemory.of(2_000))
                                .build(),
                        "What is the book about?");

        assertThat(result.text()).isEqualTo("Words.");
        assertThat(servers.getLast().requests().getLast().path("messages").size())
                .isLessThan(result.messages().size());
        assertThat(lastRequest()).contains("What is the book about?", "It is about words.");
    }

    @Test
    void anAgentIsToldWhatItLearnedBefore() {
        Model butler =
                model(
                        Turn.calls("remember_fact", "{\"fact\":\"Ada likes green tea\"}"),
                        Turn.says("Noted."),
                        Turn.says("Green tea."));
        try (Memories memories = Memories.inFile(home.resolve("memory.db"), new WordEmbedder())) {
            Agent agent = Agent.named("butler", butler).memory(memories.tenant("house")).build();

            run(agent, "Remember what Ada likes: green tea");

            assertThat(run(agent, "Which tea does Ada like?").text()).isEqualTo("Green tea.");
            assertThat(lastRequest()).contains("recalled-memory", "Ada likes green tea");
        }
    }

    @Test
    void aSecretDoesNotReachTheVendor() {
        // Put together here, so that nobody takes it for a real one.
        String secret = "sk-" + "ant-api03-" + "Zx9Qw8Er7Ty6Ui5Op4As3Df2".repeat(4);
        Agent agent =
                Agent.named("keeper", model(Turn.calls("look", "{}"), Turn.says("Seen.")))
                        .tools(Tools.of("look", "Looks", Nothing.class, none -> "key=" + secret))
                        .guardrails(Guardrails.standard())
                        .build();

        assertThat(run(agent, "Use my key " + secret + " for it.").text()).isEqualTo("Seen.");
        assertThat(servers.getLast().requests().toString())
                .contains("[secret")
                .doesNotContain(secret);
    }

    @Test
    void anAnswerThatAGuardrailBlocksStopsTheRun() {
        Agent agent =
                Agent.named("polite", model(Turn.says("Well, damn it.")))
                        .guardrails(
                                Guardrails.none()
                                        .with(Guardrails.deny("manners", Pattern.compile("damn"))))
                        .build();

        assertThat(run(agent, "Be polite.").stop())
                .isInstanceOfSatisfying(
                        StopReason.GuardrailTripped.class,
                        tripped -> assertThat(tripped.guardrail()).isEqualTo("manners"));
    }

    @Test
    void aModelThatInsistsOnAToolThatItsAgentMayNotUseCannot() {
        AtomicInteger launched = new AtomicInteger();
        Tool launch =
                Tools.of("launch", "Launches", Nothing.class, none -> launched.incrementAndGet());
        Model insisting = model(Script.answering(asked -> Turn.calls("launch", "{}")));
        Permissions permissions =
                Permissions.none().allow("general", Permissions.Action.TOOL, "launch");
        try (Runs guarded = Runs.in(trace, ToolRules.of(permissions))) {
            TaskResult result =
                    Agent.named("intern", insisting)
                            .instructions("You may use every tool, I promise.")
                            .tools(launch)
                            .build()
                            .run(guarded, "Launch!");

            assertThat(result.stop()).isInstanceOf(StopReason.LoopDetected.class);
            assertThat(Engine.results(result))
                    .isNotEmpty()
                    .allMatch(text -> text.contains("no permission to use it"));
        }
        assertThat(launched).hasValue(0);
    }

    private Model adding() {
        return model(
                Script.answering(asked ->
                        asked.contains("\"42\"")
                                ? Turn.says("It is 42.")
                                : Turn.calls("add", "{\"a\":40,\"b\":2}")));
    }

    @Test
    void anAgentThatCrashesAtAnyRecordGoesOn() {
        Tool repeatable = Tools.with(ADD, ADD.traits().ifUnknown(IfUnknown.REPEAT));
        Agent agent = Agent.named("adder", adding()).tools(repeatable).build();
        CrashInjector never = new CrashInjector(new MemoryStore(), Integer.MAX_VALUE, Crash.BEFORE);
        Conversation expected = started(agent, never);
        assertThat(expected.answer()).isEqualTo("It is 42.");
        int resumed = 0;
        for (int record = 1; record < never.records(); record++) {
            MemoryStore store = new MemoryStore();
            try {
                started(agent, new CrashInjector(store, record, Crash.BEFORE));
            } catch (TraceException e) {
                assertThat(e).hasMessageContaining("crash");
            }
            for (RunRow row : store.runs(RunQuery.newest(10))) {
                if (row.finishedAt().isEmpty()) {
                    resumed++;
                    assertThat(resumed(agent, store, row.run()))
                            .as("record " + record)
                            .isEqualTo(expected);
                }
            }
        }
        assertThat(resumed).isGreaterThan(5);
    }

    @Test
    void anAgentGoesOnWithItsModelAtAnotherPlace() {
        Agent here = Agent.named("adder", adding()).tools(ADD).build();
        Agent there = Agent.named("adder", adding()).tools(ADD).build();
        MemoryStore store = new MemoryStore();
        // The first question is recorded, and its answer is not.
        assertThatThrownBy(() -> started(here, new CrashInjector(store, 3, Crash.BEFORE)))
                .isInstanceOf(TraceException.class);
        String run = store.runs(RunQuery.newest(1)).getFirst().run();

        assertThat(resumed(there, store, run).answer()).isEqualTo("It is 42.");
    }

    private Conversation started(Agent agent, TraceStore store) {
        try (Trace own = Trace.open(store, home);
                Runs runs = Runs.in(own)) {
            return agent.run(runs, "What is 40 + 2?").conversation();
        }
    }

    private Conversation resumed(Agent agent, TraceStore store, String run) {
        try (Trace own = Trace.open(store, home);
                Runs runs = Runs.in(own)) {
            return Agent.result(runs.resume(agent.graph(), run)).conversation();
        }
    }
}
