package dev.glovebox.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.agent.support.Jail;
import dev.glovebox.run.Budget;
import dev.glovebox.run.Graph;
import dev.glovebox.run.KnownGraphs;
import dev.glovebox.run.RecordedEffect;
import dev.glovebox.run.RecordedRun;
import dev.glovebox.run.Resource;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event.RunStarted;
import dev.glovebox.trace.Recorder;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.Verdict;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Executions as effects of runs. */
class SandboxExecTest {

    private static final Policy POLICY = Policy.denyAll();

    @AutoClose private final Engine engine = new Engine();
    private final Trace trace = engine.trace();
    private final Runs runs = engine.runs();

    @BeforeEach
    void assumeTheJail() {
        Jail.assumed();
    }

    /** What a node sees of a program. */
    record Seen(String outcome, String printed) {}

    private static Graph<Seen> graph(Launch launch) {
        return Graph.of("any", Seen.class)
                .node(
                        "run",
                        (seen, context) -> {
                            Executed executed = context.perform(SandboxExec.of(launch));
                            return new Seen(
                                    executed.outcome().toString(),
                                    new String(executed.stdout(), UTF_8));
                        })
                .edge("run", Graph.END)
                .build();
    }

    private Status.Finished<?> ended(Run<?> run) {
        assertThat(run.await()).isInstanceOf(Status.Finished.class);
        assertThat(trace.verify(run.name())).isInstanceOf(Verdict.Intact.class);
        return (Status.Finished<?>) run.await();
    }

    private Run<Seen> start(Launch launch) {
        return runs.start(graph(launch), new Seen("", ""), "a program");
    }

    /** Waits until the program has printed something. */
    private static final class Waiting implements Spectator {

        private final CountDownLatch printed = new CountDownLatch(1);
        private final CompletableFuture<Result> result = new CompletableFuture<>();

        @Override
        public void accept(Chunk chunk) {
            printed.countDown();
        }

        @Override
        public void ended(Result ended) {
            result.complete(ended);
        }
    }

    @Test
    void aProgramThatEndsBadlyIsAResultLikeAnother() {
        Launch launch = Launch.of(POLICY, Program.bash("echo hello; sleep 0.01; exit 3"));
        Run<Seen> run = start(launch);
        assertThat(ended(run).state()).isEqualTo(new Seen("Exited[code=3]", "hello\n"));
        assertThat(ended(run).spent().sandboxMillis()).isPositive();
        assertThat(runs.replay(graph(launch), run.name()).isFaithful()).isTrue();
    }

    @Test
    void filesThatAProgramLeavesAreInTheRecordOnlyIfAskedFor() {
        Program program =
                Program.bash("echo new > new.txt; echo more >> old.txt; rm gone.txt; ln -s / link")
                        .input("old.txt", "old\n".getBytes(UTF_8))
                        .input("gone.txt", new byte[0])
                        .input("same.txt", new byte[0]);
        Launch plain = Launch.of(POLICY, program);
        assertThat(only(start(plain)).files()).isEmpty();
        Executed kept = only(start(plain.keepingFiles()));
        assertThat(kept.files()).containsOnlyKeys("new.txt", "old.txt");
        assertThat(kept.files().get("old.txt")).asString(UTF_8).isEqualTo("old\nmore\n");
        assertThat(kept.removed()).containsExactly("gone.txt");
    }

    private Executed only(Run<?> run) {
        ended(run);
        return RecordedRun.of(trace, run.name())
                .effects(SandboxExec.KIND)
                .getFirst()
                .result(Executed.class, SandboxExec.APART)
                .orElseThrow();
    }

    @Test
    void whatOlderRecordsDoNotHaveIsNotWrittenWhereItSaysNothing() {
        Run<Seen> run = start(Launch.of(POLICY, Program.bash("true")));
        ended(run);
        RecordedEffect effect =
                RecordedRun.of(trace, run.name()).effects(SandboxExec.KIND).getFirst();
        ObjectNode arguments = effect.arguments(ObjectNode.class, SandboxExec.APART);
        assertThat(arguments.has("layers")).isFalse();
        assertThat(arguments.has("keepsFiles")).isFalse();
        Job job = effect.arguments(Job.class, SandboxExec.APART);
        assertThat(job.layers()).isEmpty();
        assertThat(job.keepsFiles()).isFalse();
    }

    @Test
    void toCancelARunKillsItsProgramAndKeepsWhatItPrinted() throws InterruptedException {
        Waiting waiting = new Waiting();
        Launch launch = Launch.of(POLICY, Program.bash("echo begun; sleep 1000")).watched(waiting);
        Run<Seen> run = start(launch);
        waiting.printed.await();
        run.cancel("anna");
        assertThat(ended(run).reason()).isEqualTo(new StopReason.Cancelled("anna"));
        Result result = waiting.result.join();
        assertThat(result.outcome()).isEqualTo(new Outcome.Cancelled("cancelled"));
        assertThat(result.stdout().text()).isEqualTo("begun\n");
        assertThat(runs.replay(graph(launch), run.name()).isFaithful()).isTrue();
    }

    @Test
    void aRunThatIsOutOfTimeKillsItsProgram() {
        Waiting waiting = new Waiting();
        Launch launch = Launch.of(POLICY, Program.bash("sleep 1000")).watched(waiting);
        Budget little = Budget.unlimited().wall(Duration.ofSeconds(3));
        Run<Seen> run =
                runs.start(
                        graph(launch), new Seen("", ""), RunOptions.titled("late").budget(little));
        assertThat(ended(run).reason()).isInstanceOf(StopReason.TimedOut.class);
        assertThat(waiting.result.join().outcome()).isInstanceOf(Outcome.Cancelled.class);
    }

    @Test
    void whatNoWallEnforcesStopsTheRunForThatReason() {
        Run<Seen> run =
                start(Launch.of(POLICY, Program.bash("true")).behind(Wall.named("nowhere")));
        assertThat(ended(run).reason())
                .isInstanceOfSatisfying(
                        StopReason.NotEnforceable.class,
                        stop -> assertThat(stop.what()).contains("no tier 'nowhere'"));
    }

    @Test
    void aProgramThatMayTakeLongerThanTheBudgetDoesNotBegin() {
        AtomicInteger started = new AtomicInteger();
        Spectator counting =
                new Spectator() {
                    @Override
                    public void accept(Chunk chunk) {}

                    @Override
                    public void started(Execution execution) {
                        started.incrementAndGet();
                    }
                };
        Launch launch = Launch.of(POLICY, Program.bash("true")).watched(counting);
        Budget little = Budget.unlimited().sandbox(Duration.ofSeconds(1));
        Run<Seen> run =
                runs.start(graph(launch), new Seen("", ""), RunOptions.titled("x").budget(little));
        assertThat(ended(run).reason())
                .isInstanceOfSatisfying(
                        StopReason.BudgetExhausted.class,
                        stop -> assertThat(stop.which()).isEqualTo(Resource.SANDBOX));
        assertThat(started).hasValue(0);
    }

    @Test
    void theGraphOfAnExecutionIsFoundByItsRecordAlone() {
        Program program =
                Program.python("import sys; print(sys.stdin.read() + open('in').read())")
                        .args("one", "two")
                        .env("LANG", "C")
                        .stdin("read ")
                        .input("in", "me".getBytes(UTF_8));
        SandboxExec exec = SandboxExec.of(Launch.of(POLICY, program));
        Run<ExecGraph.Progress> run =
                runs.start(
                        ExecGraph.of(exec),
                        ExecGraph.Progress.NONE,
                        RunOptions.titled(exec.title()).inPrivate());
        assertThat(ended(run).reason()).isEqualTo(new StopReason.Completed());
        Graph<?> found = KnownGraphs.onClassPath().graph(trace, run.name());
        assertThat(runs.replay(found, run.name(), Set.of(SandboxExec.KIND)))
                .satisfies(replay -> {
                    assertThat(replay.divergence()).isEmpty();
                    assertThat(replay.isFaithful()).isTrue();
                    assertThat(replay.repeated())
                            .singleElement()
                            .satisfies(one -> assertThat(one.isReproduced()).isTrue());
                });
    }

    @Test
    void aRunThatWasInterruptedBeforeItsProgramWasOnRecordCanBeEnded() {
        Run<ExecGraph.Progress> whole =
                runs.start(
                        ExecGraph.of(SandboxExec.of(Launch.of(POLICY, Program.bash("true")))),
                        ExecGraph.Progress.NONE,
                        RunOptions.titled("whole").inPrivate());
        ended(whole);
        Recorder begun;
        try (Stream<Entry> entries = trace.entries(whole.name(), 0)) {
            BlobRef input =
                    entries.map(Entry::event)
                            .filter(RunStarted.class::isInstance)
                            .map(event -> ((RunStarted) event).input())
                            .findFirst()
                            .orElseThrow();
            byte[] beginning = trace.blob(input.digest()).orElseThrow().content();
            begun = trace.startPrivate("exec", "begun", beginning, BlobRef.JSON);
        }
        Graph<?> found = KnownGraphs.onClassPath().graph(trace, begun.run());
        assertThat(ended(runs.resume(found, begun.run())).reason())
                .isInstanceOfSatisfying(
                        StopReason.Failed.class,
                        stop -> assertThat(stop.problem()).contains("before it was on record"));
    }
}
