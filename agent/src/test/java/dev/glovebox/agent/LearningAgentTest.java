package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.support.Script;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.WordEmbedder;
import dev.glovebox.run.Budget;
import dev.glovebox.run.Failure;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.StopReason;
import dev.glovebox.run.spi.Decision;
import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.run.support.CrashInjector;
import dev.glovebox.run.support.CrashInjector.Crash;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.TraceException;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent with a memory learns from each task, whether it was done or not. */
class LearningAgentTest {

    private static final String TASK = "Parse the report of March";

    @TempDir private Path home;
    private Memories memories;
    private Memory memory;

    @BeforeEach
    void open() {
        memories = Memories.inFile(home.resolve("memory.db"), new WordEmbedder());
        memory = memories.tenant("me");
    }

    @AfterEach
    void close() {
        memories.close();
    }

    private record Nothing() {}

    private static final Tool BROKEN =
            Tools.of(
                    "read",
                    "Reads",
                    Nothing.class,
                    none -> {
                        throw new IllegalStateException("The file is in latin-1");
                    });

    private Agent.Builder reader(Model model) {
        return Agent.named("reader", model).memory(memory);
    }

    private TaskResult run(Agent agent) {
        return run(new MemoryStore(), agent);
    }

    private TaskResult run(TraceStore store, Agent agent) {
        return run(store, agent, Budget.unlimited());
    }

    private TaskResult run(TraceStore store, Agent agent, Budget budget) {
        try (Trace trace = Trace.open(store, home);
                Runs runs = Runs.in(trace)) {
            TaskResult result = agent.run(runs, TASK, RunOptions.titled("x").budget(budget));
            assertThat(runs.replay(agent.graph(), result.run()).isFaithful()).isTrue();
            return result;
        }
    }

    private List<Episode> episodes() {
        return memory.similar(TASK, "", 10).stream().map(Recalled::what).toList();
    }

    /** What the next one who is given the same task is told of the last time. */
    private String toldNextTime() {
        ScriptedModel next = new ScriptedModel(Turn.says("I know."));
        assertThat(run(reader(next).build()).text()).isEqualTo("I know.");
        return next.prompts().getFirst().messages().toString();
    }

    @Test
    void answersThatWereNeverGoodEnoughLeaveTheLastProblem() {
        ScriptedModel model = new ScriptedModel(Turn.says("One."), Turn.says("Two."));
        Agent agent =
                reader(model)
                        .validators((answer, _) -> Optional.of("No total in " + answer))
                        .mostRepairs(1)
                        .build();

        TaskResult result = run(agent);

        assertThat(result.stop()).isEqualTo(new StopReason.AttemptsExhausted(2));
        assertThat(episodes())
                .containsExactly(
                        new Episode(
                                TASK, "No total in Two.", "", "attempts-exhausted", result.run()));
        assertThat(toldNextTime())
                .contains("error: No total in Two.", "outcome: attempts-exhausted");
    }

    @Test
    void tooManyTurnsLeaveWhatAToolSaidLast() {
        Script endless = Script.answering(asked -> Turn.calls("read", "{}"));
        Agent agent = reader(new ScriptedModel(endless)).tools(BROKEN).mostTurns(2).build();

        TaskResult result = run(agent);

        assertThat(result.stop()).isEqualTo(new StopReason.AttemptsExhausted(2));
        assertThat(toldNextTime())
                .contains("The file is in latin-1", "outcome: attempts-exhausted");
    }

    @Test
    void aConditionThatEndsItLeavesWhatWasSaidAndWhatWentWrong() {
        ScriptedModel model =
                new ScriptedModel(Turn.calls("read", "{}"), Turn.says("ENOUGH of it"));
        Agent agent = reader(model).tools(BROKEN).until(Termination.text("enough")).build();

        TaskResult result = run(agent);

        assertThat(result.conversation().ended()).isPresent();
        assertThat(episodes())
                .containsExactly(
                        new Episode(
                                TASK,
                                "The tool failed: The file is in latin-1",
                                "ENOUGH of it",
                                "completed",
                                result.run()));
    }

    @Test
    void aConditionThatEndsItBehindAToolLeavesAnEpisodeToo() {
        Agent agent =
                reader(new ScriptedModel(Turn.calls("read", "{}")))
                        .tools(BROKEN)
                        .until(Termination.messages(3))
                        .build();

        var _ = run(agent);

        assertThat(toldNextTime()).contains("The file is in latin-1", "outcome: completed");
    }

    @Test
    void aModelThatFailsLeavesWhy() {
        Agent agent = reader(new ScriptedModel(Turn.fails(400, "Too many pages"))).build();

        TaskResult result = run(agent);

        assertThat(result.stop()).isInstanceOf(StopReason.ModelFailed.class);
        assertThat(toldNextTime()).contains("error: Too many pages", "outcome: model-failed");
    }

    @Test
    void aGuardrailThatStopsItLeavesItsReasonAndNothingOfTheText() {
        Agent agent =
                reader(new ScriptedModel(Turn.says("damn")))
                        .guardrails(
                                Guardrails.of(
                                        List.of(
                                                Guardrails.deny(
                                                        "manners", Pattern.compile("damn")))))
                        .build();

        var _ = run(agent);

        assertThat(toldNextTime())
                .contains("error: manners:", "outcome: guardrail-tripped")
                .doesNotContain("damn");
    }

    @Test
    void aToolThatFailedBeforeItWentWellIsTheErrorAndTheAnswerWhatHelped() {
        ScriptedModel model = new ScriptedModel(Turn.calls("read", "{}"), Turn.says("By hand: 7."));

        TaskResult result = run(reader(model).tools(BROKEN).build());

        assertThat(episodes())
                .containsExactly(
                        new Episode(
                                TASK,
                                "The tool failed: The file is in latin-1",
                                "By hand: 7.",
                                "completed",
                                result.run()));
    }

    @Test
    void whoGoesOnWithAConversationRemembersAndLearnsAboutTheNewTask() {
        for (int i = 0; i < 5; i++) {
            memory.remember(new Fact(TASK + " by rule " + i, "anna"));
        }
        memory.remember(new Fact("April lies in the attic", "anna"));
        ScriptedModel model =
                new ScriptedModel(
                        Turn.calls("read", "{}"), Turn.says("March: 7."), Turn.says("April: 8."));
        Agent agent = reader(model).tools(BROKEN).build();
        try (Trace trace = Trace.open(new MemoryStore(), home);
                Runs runs = Runs.in(trace)) {
            TaskResult first = agent.run(runs, TASK);
            TaskResult second = agent.run(runs, first.messages(), "And what of April?");

            assertThat(model.prompts().getLast().messages().toString())
                    .contains("April lies in the attic");
            assertThat(episodes())
                    .contains(
                            new Episode(
                                    "And what of April?",
                                    "",
                                    "April: 8.",
                                    "completed",
                                    second.run()));
        }
    }

    @Test
    void aDelegateThatFailsLearnsToo() {
        Agent scout = reader(new ScriptedModel(Turn.fails(400, "Too many pages"))).build();
        ScriptedModel boss =
                new ScriptedModel(
                        Turn.calls("reader", "{\"task\":\"" + TASK + "\"}"), Turn.says("Well."));

        assertThat(run(Agent.named("boss", boss).delegates(scout).build()).text())
                .isEqualTo("Well.");

        assertThat(toldNextTime()).contains("error: Too many pages", "outcome: model-failed");
    }

    private void assertLearned(TaskResult result, String error, String outcome) {
        assertThat(result.stop().word()).isEqualTo(outcome);
        assertThat(episodes()).containsExactly(new Episode(TASK, error, "", outcome, result.run()));
    }

    @Test
    void aBudgetThatIsUsedUpLeavesAnEpisode() {
        Script endless = Script.answering(asked -> Turn.calls("read", "{}"));
        Agent agent = reader(new ScriptedModel(endless)).tools(BROKEN).build();

        TaskResult result = run(new MemoryStore(), agent, Budget.unlimited().toolCalls(1));

        assertLearned(result, "The budget of 1 tool calls was used up", "budget-exhausted");
        assertThat(toldNextTime()).contains("outcome: budget-exhausted");
    }

    @Test
    void aBudgetThatIsTooSmallForTheFirstQuestionDoesSo() {
        TaskResult result =
                run(
                        new MemoryStore(),
                        reader(new ScriptedModel()).build(),
                        Budget.unlimited().modelCalls(0));

        assertLearned(result, "The budget of 0 model calls was used up", "budget-exhausted");
    }

    @Test
    void oneOfSeveralCallsThatIsTooMuchForTheBudgetDoesSo() {
        for (boolean delegating : List.of(true, false)) {
            memory.forgetBeyond(0);
            Agent.Builder agent = reader(new ScriptedModel(several())).tools(BROKEN);
            if (delegating) {
                agent.delegates(Agent.named("other", new ScriptedModel()).build());
            }

            TaskResult result =
                    run(new MemoryStore(), agent.build(), Budget.unlimited().toolCalls(2));

            assertLearned(result, "The budget of 2 tool calls was used up", "budget-exhausted");
        }
    }

    private static Turn several() {
        return Turn.calls(
                new ToolCall("1", "read", "{}"),
                new ToolCall("2", "read", "{}"),
                new ToolCall("3", "read", "{}"));
    }

    @Test
    void whoeverDoesTheSameAgainAndAgainLearnsThat() {
        Script endless = Script.answering(asked -> Turn.calls("read", "{}"));

        TaskResult result = run(reader(new ScriptedModel(endless)).tools(BROKEN).build());

        assertLearned(result, "tool read with the same arguments again and again", "loop-detected");
    }

    @Test
    void aPersonWhoSaysNoLeavesAnEpisodeAlsoWhenAnotherProcessGoesOn() {
        MemoryStore store = new MemoryStore();
        ToolRules rules = ToolRules.denyAll().rule("read").ask();
        String name;
        try (Trace trace = Trace.open(store, home);
                Runs runs = Runs.in(trace, rules)) {
            Agent agent = reader(new ScriptedModel(Turn.calls("read", "{}"))).tools(BROKEN).build();
            Run<Conversation> run = agent.start(runs, TASK, RunOptions.titled("x"));
            var _ = run.await();
            name = run.name();
        }
        try (Trace trace = Trace.open(store, home);
                Runs runs = Runs.in(trace, rules)) {
            runs.answer(name, runs.questions(name).getFirst().key(), "no", "anna");
            Agent agent = reader(new ScriptedModel()).tools(BROKEN).build();

            TaskResult result = Agent.result(runs.resume(agent.graph(), name));

            assertThat(result.stop()).isInstanceOf(StopReason.ApprovalDenied.class);
            assertThat(runs.replay(agent.graph(), name).isFaithful()).isTrue();
        }
        assertThat(episodes())
                .singleElement()
                .satisfies(episode -> {
                    assertThat(episode.error()).startsWith("Not approved by anna: May the agent");
                    assertThat(episode.outcome()).isEqualTo("approval-denied");
                    assertThat(episode.run()).isEqualTo(name);
                });
    }

    @Test
    void aPolicyThatCannotBeEnforcedLeavesAnEpisode() {
        Tool walled =
                Tools.of(
                        "read",
                        "Reads",
                        Nothing.class,
                        none -> {
                            throw Failure.lasting(Failure.NOT_ENFORCEABLE, "No such wall here");
                        });

        TaskResult result =
                run(reader(new ScriptedModel(Turn.calls("read", "{}"))).tools(walled).build());

        assertLearned(result, "No such wall here", "not-enforceable");
    }

    @Test
    void aRunThatTakesTooLongLeavesAnEpisodeBehindItsEnd() {
        Turn late = new Turn.Slow(Duration.ofDays(1), Turn.says("It is read."));
        Agent agent = reader(new ScriptedModel(late)).build();

        TaskResult result =
                run(new MemoryStore(), agent, Budget.unlimited().wall(Duration.ofNanos(1)));

        assertLearned(result, "It took longer than PT0.000000001S", "timed-out");
    }

    @Test
    @Timeout(60)
    void aRunThatSomebodyCancelsLeavesAnEpisodeBehindItsEnd() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Tool slow =
                Tools.of(
                        "read",
                        "Reads",
                        Nothing.class,
                        none -> {
                            begun.countDown();
                            Thread.sleep(Duration.ofDays(1));
                            return "";
                        });
        Agent agent = reader(new ScriptedModel(Turn.calls("read", "{}"))).tools(slow).build();
        try (Trace trace = Trace.open(new MemoryStore(), home);
                Runs runs = Runs.in(trace)) {
            Run<Conversation> run = agent.start(runs, TASK, RunOptions.titled("x"));
            begun.await();
            run.cancel("anna");
            TaskResult result = Agent.result(run);
            while (episodes().isEmpty()) {
                Thread.sleep(Duration.ofMillis(10));
            }
            assertLearned(result, "It was cancelled by anna", "cancelled");
        }
    }

    /** Somebody who cancels a run as soon as it has learned. */
    private record Hasty(Memory memory, Runs runs) implements Memory {

        @Override
        public String learn(Episode episode) {
            String id = memory.learn(episode);
            runs.cancel(episode.run(), "anna");
            return id;
        }

        @Override
        public String remember(Fact fact) {
            return memory.remember(fact);
        }

        @Override
        public List<Recalled<Fact>> recall(String question, int most) {
            return memory.recall(question, most);
        }

        @Override
        public List<Recalled<Episode>> similar(String task, String error, int most) {
            return memory.similar(task, error, most);
        }

        @Override
        public boolean forget(String id) {
            return memory.forget(id);
        }

        @Override
        public int forgetSource(String source) {
            return memory.forgetSource(source);
        }

        @Override
        public int forgetBefore(Instant time) {
            return memory.forgetBefore(time);
        }

        @Override
        public int forgetBeyond(int most) {
            return memory.forgetBeyond(most);
        }
    }

    @Test
    void aRunThatIsStoppedWhenItHasLearnedDoesNotLearnAgain() {
        try (Trace trace = Trace.open(new MemoryStore(), home);
                Runs runs = Runs.in(trace)) {
            Agent agent =
                    Agent.named("reader", new ScriptedModel(Turn.fails(400, "No.")))
                            .memory(new Hasty(memory, runs))
                            .build();

            TaskResult result = agent.run(runs, TASK);

            assertThat(result.stop()).isEqualTo(new StopReason.Cancelled("anna"));
            assertThat(episodes())
                    .containsExactly(new Episode(TASK, "No.", "", "model-failed", result.run()));
        }
    }

    @Test
    void whoeverStopsTheRunMayAlsoStopTheMemoryAndTheFirstReasonCounts() {
        Script endless = Script.answering(asked -> Turn.calls("read", "{}"));
        Agent agent = reader(new ScriptedModel(endless)).tools(BROKEN).build();
        Interceptor nobodyLearns =
                request ->
                        request.name().equals("upsert")
                                ? new Decision.StopRun(new StopReason.NeedsInput("a memory"))
                                : Decision.ALLOW;
        try (Trace trace = Trace.open(new MemoryStore(), home);
                Runs runs = Runs.in(trace, nobodyLearns)) {
            TaskResult result =
                    agent.run(
                            runs,
                            TASK,
                            RunOptions.titled("x").budget(Budget.unlimited().toolCalls(1)));

            assertThat(result.stop()).isInstanceOf(StopReason.BudgetExhausted.class);
            assertThat(runs.replay(agent.graph(), result.run()).isFaithful()).isTrue();
        }
        assertThat(episodes()).isEmpty();
    }

    @Test
    void whereverItsProcessEndsItLearnsOnceFromAFailure() {
        assertLearnsOnce(
                () ->
                        reader(new ScriptedModel(Script.answering(asked -> Turn.fails(400, "No."))))
                                .build(),
                Budget.unlimited(),
                "No.",
                "model-failed");
    }

    @Test
    void whereverItsProcessEndsItLearnsOnceFromAStop() {
        assertLearnsOnce(
                () ->
                        reader(
                                        new ScriptedModel(
                                                Script.answering(
                                                        asked -> Turn.calls("read", "{}"))))
                                .tools(BROKEN)
                                .build(),
                Budget.unlimited().toolCalls(1),
                "The budget of 1 tool calls was used up",
                "budget-exhausted");
    }

    private void assertLearnsOnce(
            Supplier<Agent> agent, Budget budget, String error, String outcome) {
        CrashInjector never = new CrashInjector(new MemoryStore(), Integer.MAX_VALUE, Crash.BEFORE);
        var _ = run(never, agent.get(), budget);
        assertThat(never.records()).isGreaterThan(5);
        for (int record = 1; record < never.records(); record++) {
            for (Crash crash : List.of(Crash.BEFORE, Crash.AFTER)) {
                memory.forgetBeyond(0);
                crash(record, crash, agent, budget, new Episode(TASK, error, "", outcome, ""));
            }
        }
    }

    private void crash(
            int record, Crash crash, Supplier<Agent> agent, Budget budget, Episode expected) {
        MemoryStore store = new MemoryStore();
        try {
            var _ = run(new CrashInjector(store, record, crash), agent.get(), budget);
        } catch (TraceException e) {
            assertThat(e).hasMessageContaining("crash");
        }
        Optional<RunRow> left =
                store.runs(RunQuery.newest(10)).stream()
                        .filter(row -> row.finishedAt().isEmpty())
                        .findFirst();
        if (left.isEmpty()) {
            return;
        }
        String name = left.get().run();
        try (Trace trace = Trace.open(store, home);
                Runs runs = Runs.in(trace)) {
            Agent again = agent.get();
            TaskResult result = Agent.result(runs.resume(again.graph(), name));

            String where = crash + " " + record;
            assertThat(result.stop().word()).as(where).isEqualTo(expected.outcome());
            assertThat(episodes())
                    .as(where)
                    .containsExactly(
                            new Episode(TASK, expected.error(), "", expected.outcome(), name));
            assertThat(runs.replay(again.graph(), name).isFaithful()).as(where).isTrue();
        }
    }
}
