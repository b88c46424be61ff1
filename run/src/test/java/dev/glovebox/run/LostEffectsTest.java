package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.CrashInjector;
import dev.glovebox.run.support.CrashInjector.Crash;
import dev.glovebox.run.support.ScriptedEffect;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an effect costs that was under way when the process died, and is done again. */
@Timeout(60)
class LostEffectsTest {

    /** The records of a run of one node: its start, that of the node, the intent. */
    private static final int INTENT = 2;

    /** Of one that is resumed: that it was claimed, and the intent once more. */
    private static final int NEXT_INTENT = 1;

    private final World world = new World();
    private final MemoryStore store = new MemoryStore();
    private Path keys;
    private Engine engine;

    @BeforeEach
    void open(@TempDir Path folder) {
        keys = folder;
        engine = new Engine(store, keys);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static Cost tokens(long tokens) {
        return Cost.NONE.tokens(tokens);
    }

    private static Budget budget(long tokens) {
        return tokens == 0 ? Budget.unlimited() : Budget.unlimited().tokens(tokens);
    }

    private ScriptedEffect<Integer, String> costing(int most, int used) {
        return world.tool("buy", most, String.class, (number, call) -> "bought")
                .costs(tokens(most), tokens(used));
    }

    private static Graph<Diary> performing(ScriptedEffect<Integer, String> effect) {
        return Graphs.one((diary, context) -> diary.plus(context.perform(effect)));
    }

    private String crashed(Graph<Diary> graph, Budget budget, int record) {
        try (Engine first = new Engine(new CrashInjector(store, record, Crash.AFTER), keys)) {
            RunOptions options = RunOptions.titled("x").budget(budget);
            Run<Diary> run = first.start(graph, Diary.of(0), options);
            assertThatThrownBy(run::await).hasMessageContaining("crash");
            return run.name();
        }
    }

    private void crashedAgain(Graph<Diary> graph, String run, int record) {
        try (Engine next = new Engine(new CrashInjector(store, record, Crash.AFTER), keys)) {
            assertThatThrownBy(() -> next.resume(graph, run).await()).hasMessageContaining("crash");
        }
    }

    private void assertSpent(Status.Finished<Diary> end, long tokens) {
        assertThat(end.spent().tokens()).isEqualTo(tokens);
        RecordedRun recorded = RecordedRun.of(engine.trace(), end.run());
        assertThat(recorded.spent().tokens()).isEqualTo(tokens);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1_000})
    void eachTimeThatNobodyHeardOfItAgainCostsAllThatItMay(long budget) {
        Graph<Diary> graph = performing(costing(40, 10));
        String run = crashed(graph, budget(budget), INTENT);
        crashedAgain(graph, run, NEXT_INTENT);
        crashedAgain(graph, run, NEXT_INTENT);

        Status.Finished<Diary> end = Engine.finished(engine.resume(graph, run));

        assertThat(end.state().lines()).containsExactly("bought");
        assertSpent(end, 3 * 40 + 10);
        assertThat(engine.events(run, EffectIntent.class)).hasSize(4);
        engine.assertFaithful(graph, run);
    }

    @Test
    void aCrashBeforeItIsBegunAgainCostsNothing() {
        Graph<Diary> graph = performing(costing(40, 10));
        String run = crashed(graph, budget(100), INTENT);
        crashedAgain(graph, run, 0);

        assertSpent(Engine.finished(engine.resume(graph, run)), 40 + 10);
    }

    @Test
    void itIsNotBegunAgainWhereThatCouldCostMoreThanTheRunMay() {
        Graph<Diary> graph = performing(costing(40, 10));
        String run = crashed(graph, budget(100), INTENT);
        crashedAgain(graph, run, NEXT_INTENT);

        Status.Finished<Diary> end = Engine.finished(engine.resume(graph, run));

        assertThat(end.reason()).isEqualTo(new StopReason.BudgetExhausted(Resource.TOKENS, 100));
        assertSpent(end, 80);
        engine.assertFaithful(graph, run);
    }

    /** What is new comes before what was lost is looked at. */
    @Test
    void noOtherBranchHasWhatWasLostEither() throws InterruptedException {
        AtomicBoolean resumed = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch decided = new CountDownLatch(1);
        ScriptedEffect<Integer, String> lost =
                world.tool(
                                "buy",
                                1,
                                String.class,
                                (number, call) -> {
                                    begun.countDown();
                                    return never();
                                })
                        .costs(tokens(70), tokens(70));
        Graph<Diary> graph =
                Graphs.each(
                        2,
                        (n, context) -> {
                            if (n == 0) {
                                if (resumed.get()) {
                                    decided.await();
                                }
                                return context.perform(lost);
                            }
                            if (!resumed.get()) {
                                return never();
                            }
                            try {
                                return context.perform(costing(40, 40));
                            } finally {
                                decided.countDown();
                            }
                        });
        String run = suspended(graph, budget(100), begun);
        resumed.set(true);

        Status.Finished<Diary> end = Engine.finished(engine.resume(graph, run));

        engine.irreproducible(run);
        assertThat(end.reason()).isEqualTo(new StopReason.BudgetExhausted(Resource.TOKENS, 100));
        assertSpent(end, 70);
        assertThat(world.performed()).hasSize(1);
    }

    private static String never() throws InterruptedException {
        new CountDownLatch(1).await();
        return "never";
    }

    /** The engine is closed when the effect was begun. */
    private String suspended(Graph<Diary> graph, Budget budget, CountDownLatch begun)
            throws InterruptedException {
        try (Engine first = new Engine(store, keys)) {
            Run<Diary> run = first.start(graph, Diary.of(0), RunOptions.titled("x").budget(budget));
            begun.await();
            return run.name();
        }
    }

    @Test
    void whatFailedBeforeItWasTriedAgainIsNotForgotten() {
        AtomicInteger attempts = new AtomicInteger();
        ScriptedEffect<Integer, String> effect =
                world.tool(
                                "buy",
                                1,
                                String.class,
                                (number, call) -> {
                                    if (attempts.incrementAndGet() == 1) {
                                        throw Failure.passing("cut", "It broke off")
                                                .used(tokens(30));
                                    }
                                    return "bought";
                                })
                        .costs(tokens(40), tokens(10))
                        .retry(new Retry(2, Duration.ofMillis(1), Duration.ofMillis(1)));
        Graph<Diary> graph = performing(effect);
        String run = crashed(graph, budget(1_000), INTENT + 1);

        Status.Finished<Diary> end = Engine.finished(engine.resume(graph, run));

        assertSpent(end, 30 + 40 + 10);
        engine.assertFaithful(graph, run);
    }

    @Test
    void aForkHasBegunNothingThatTheOtherRunDid() {
        Graph<Diary> graph = performing(costing(60, 10));
        String run = crashed(graph, budget(100), INTENT);

        Status.Finished<Diary> end = Engine.finished(engine.fork(graph, run, INTENT + 1));

        assertThat(end.isCompleted()).isTrue();
        assertSpent(end, 10);
    }

    @Test
    void whatIsInterruptedByTheEndOfTheProcessIsPaidForAsWell() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        ScriptedEffect<Integer, String> effect =
                world.tool(
                                "buy",
                                1,
                                String.class,
                                (number, call) -> {
                                    begun.countDown();
                                    return attempts.incrementAndGet() == 1 ? never() : "bought";
                                })
                        .costs(tokens(40), tokens(10));
        Graph<Diary> graph = performing(effect);
        String run = suspended(graph, budget(100), begun);

        assertSpent(Engine.finished(engine.resume(graph, run)), 40 + 10);
    }

    @Test
    void whatIsUnderWayCountsAsSpentForWhoeverReadsTheRecord() {
        String run = crashed(performing(costing(40, 10)), budget(100), INTENT);

        assertThat(RecordedRun.of(engine.trace(), run).spent().tokens()).isEqualTo(40);
    }

    @Test
    void runsThatShareABudgetHaveLostItOnce() {
        Cost most = budget(100).most();
        Graph<Diary> graph = performing(costing(40, 10));
        String run = crashed(graph, budget(100), INTENT);
        Cost spent = RecordedRun.of(engine.trace(), run).spent();
        try (Runs runs = Runs.sharing(engine.trace(), most, spent)) {
            assertSpent(Engine.finished(runs.resume(graph, run)), 40 + 10);
            Graph<Diary> more = performing(costing(51, 1));
            assertThat(Engine.finished(runs.start(more, Diary.of(0), "more")).isCompleted())
                    .isFalse();
            Graph<Diary> rest = performing(costing(50, 1));
            assertThat(Engine.finished(runs.start(rest, Diary.of(0), "rest")).isCompleted())
                    .isTrue();
        }
    }

    @Test
    void whatIsNotDoneAgainHasCostAllThatItMayAsWell() {
        for (long budget : List.of(0L, 100L)) {
            ScriptedEffect<Integer, String> effect =
                    costing(40, 10).ifUnknown(Effect.IfUnknown.TELL);
            Graph<Diary> graph =
                    Graphs.one((diary, context) -> {
                        try {
                            return diary.plus(context.perform(effect));
                        } catch (OutcomeUnknown e) {
                            return diary.plus("unknown");
                        }
                    });
            String run = crashed(graph, budget(budget), INTENT);

            assertSpent(Engine.finished(engine.resume(graph, run)), 40);
            engine.assertFaithful(graph, run);
        }
    }
}
