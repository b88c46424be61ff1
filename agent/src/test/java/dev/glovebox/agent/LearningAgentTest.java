package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.support.Script;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.WordEmbedder;
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
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
        try (Trace trace = Trace.open(store, home);
                Runs runs = Runs.in(trace)) {
            TaskResult result = agent.run(runs, TASK);
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
    void aDelegateThatFailsLearnsToo() {
        Agent scout = reader(new ScriptedModel(Turn.fails(400, "Too many pages"))).build();
        ScriptedModel boss =
                new ScriptedModel(
                        Turn.calls("reader", "{\"task\":\"" + TASK + "\"}"), Turn.says("Well."));

        assertThat(run(Agent.named("boss", boss).delegates(scout).build()).text())
                .isEqualTo("Well.");

        assertThat(toldNextTime()).contains("error: Too many pages", "outcome: model-failed");
    }

    @Test
    void whereverItsProcessEndsItLearnsOnceFromAFailure() {
        CrashInjector never = new CrashInjector(new MemoryStore(), Integer.MAX_VALUE, Crash.BEFORE);
        var _ = run(never, failing());
        assertThat(never.records()).isGreaterThan(5);
        for (int record = 1; record < never.records(); record++) {
            for (Crash crash : List.of(Crash.BEFORE, Crash.AFTER)) {
                memory.forgetBeyond(0);
                crash(record, crash);
            }
        }
    }

    private Agent failing() {
        return reader(new ScriptedModel(Script.answering(asked -> Turn.fails(400, "No.")))).build();
    }

    private void crash(int record, Crash crash) {
        MemoryStore store = new MemoryStore();
        try {
            var _ = run(new CrashInjector(store, record, crash), failing());
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
            TaskResult result = Agent.result(runs.resume(failing().graph(), name));

            String where = crash + " " + record;
            assertThat(result.stop()).as(where).isInstanceOf(StopReason.ModelFailed.class);
            assertThat(episodes())
                    .as(where)
                    .containsExactly(new Episode(TASK, "No.", "", "model-failed", name));
            assertThat(runs.replay(failing().graph(), name).isFaithful()).as(where).isTrue();
        }
    }
}
