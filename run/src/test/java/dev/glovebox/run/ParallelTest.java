package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.Event.NodeFinished;
import dev.glovebox.trace.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Branches, and effects that are performed at once. */
class ParallelTest {

    private static final int MANY = 50;
    private static final RunOptions TRACED = RunOptions.titled("x");

    private final World world = new World();
    private Engine engine;

    @BeforeEach
    void open(@TempDir Path keys) {
        engine = new Engine(new MemoryStore(), keys);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    /** Nobody comes through before all are there. */
    private String meet(Context context, int who, CyclicBarrier barrier) {
        return context.perform(
                world.tool(
                        "meet",
                        who,
                        String.class,
                        (n, call) -> {
                            barrier.await();
                            return "met " + n;
                        }));
    }

    private static List<String> said(String what, int count) {
        return IntStream.range(0, count).mapToObj(i -> what + " " + i).toList();
    }

    @Test
    void allBranchesOfAListAreAtWorkTogether() {
        CyclicBarrier barrier = new CyclicBarrier(MANY);
        Graph<Diary> graph = Graphs.each(MANY, (n, context) -> meet(context, n, barrier));
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.state().lines()).isEqualTo(said("met", MANY));
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void allEffectsThatANodePerformsAtOnceAreAtWorkTogether() {
        CyclicBarrier barrier = new CyclicBarrier(MANY);
        Graph<Diary> graph =
                Graphs.one((diary, context) ->
                        diary.plus(
                                context.performAll(
                                        IntStream.range(0, MANY)
                                                .mapToObj(i ->
                                                        world.tool(
                                                                "meet",
                                                                i,
                                                                String.class,
                                                                (n, call) -> {
                                                                    barrier.await();
                                                                    return "met " + n;
                                                                }))
                                                .toList())));
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.state().lines()).isEqualTo(said("met", MANY));
        engine.assertFaithful(graph, end.run());
    }

    /** Branches that are graphs with branches; all the inner ones meet. */
    @Test
    void branchesOfBranchesAreAtWorkTogether() {
        CyclicBarrier barrier = new CyclicBarrier(9);
        Graph<Diary> inner = Graphs.each(3, (n, context) -> meet(context, n, barrier));
        Graph<Diary> graph =
                Graph.of("outer", Diary.class)
                        .fanOut(
                                "three",
                                Diary.class,
                                branches ->
                                        branches.add("a", inner.whole())
                                                .add("b", inner.whole())
                                                .add("c", inner.whole()),
                                Join.all((diary, all) ->
                                        diary.plus(
                                                all.stream()
                                                        .flatMap(one -> one.lines().stream())
                                                        .toList())))
                        .edge("three", Graph.END)
                        .build();
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.state().lines()).hasSize(9).startsWith("met 0", "met 1", "met 2", "met 0");
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void noMoreAreAtWorkThanTheGraphAllows() {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CyclicBarrier three = new CyclicBarrier(3);
        Graph<Diary> graph =
                Graphs.each(
                        30,
                        (n, context) ->
                                context.perform(
                                        world.tool(
                                                "work",
                                                n,
                                                String.class,
                                                (number, call) -> {
                                                    most.accumulateAndGet(
                                                            now.incrementAndGet(), Math::max);
                                                    three.await();
                                                    now.decrementAndGet();
                                                    return "done " + number;
                                                })),
                        3,
                        Join.all(Diary::plus));
        assertThat(engine.run(graph, Diary.of(0)).state().lines()).isEqualTo(said("done", 30));
        assertThat(most).hasValue(3);
    }

    @Test
    void anEmptyListIsDoneAtOnce() {
        Graph<Diary> graph = Graphs.each(0, (n, context) -> "never");
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0).plus("before"));
        assertThat(end.isCompleted()).isTrue();
        assertThat(end.state().lines()).containsExactly("before");
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void noEffectsAtOnceAreNoResults() {
        Graph<Diary> graph =
                Graphs.one((diary, context) ->
                        diary.plus(context.performAll(List.<Effect<String, String>>of())));
        assertThat(engine.run(graph, Diary.of(0)).state().lines()).isEmpty();
    }

    private String block(Context context, CountDownLatch begun, AtomicBoolean interrupted) {
        return context.perform(
                world.tool(
                        "block",
                        "for ever",
                        String.class,
                        (text, call) -> {
                            begun.countDown();
                            try {
                                new CountDownLatch(1).await();
                                return "never";
                            } catch (InterruptedException e) {
                                interrupted.set(true);
                                throw e;
                            }
                        }));
    }

    @Test
    void aBranchThatFailsInterruptsWhatItsSiblingsDo() {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        Graph<Diary> graph =
                Graphs.each(
                        2,
                        (n, context) -> {
                            if (n == 0) {
                                return block(context, begun, interrupted);
                            }
                            context.note("waits for the other one");
                            begun.await();
                            throw new IllegalStateException("No");
                        });
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0).plus("before"));
        assertThat(end.reason())
                .isEqualTo(new StopReason.Failed("all#1/1", "IllegalStateException: No"));
        assertThat(end.state().lines()).containsExactly("before");
        assertThat(interrupted).isTrue();
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void aSiblingThatComesToAnEndBecauseItWasInterruptedHasNotFinished() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        Graph<Diary> graph =
                Graphs.each(
                        2,
                        (n, context) -> {
                            if (n == 0) {
                                begun.countDown();
                                try {
                                    left.await();
                                    return "was not interrupted";
                                } catch (InterruptedException e) {
                                    return "was interrupted";
                                }
                            }
                            begun.await();
                            throw new IllegalStateException("No");
                        });
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.reason()).isInstanceOf(StopReason.Failed.class);
        assertThat(engine.events(end.run(), NodeFinished.class)).isEmpty();
        left.countDown();
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void failuresAreCollectedWhereTheGraphSaysSoAndNobodyIsCancelled() {
        CountDownLatch failed = new CountDownLatch(2);
        Graph<Diary> graph =
                Graphs.each(
                        5,
                        (n, context) -> {
                            if (n % 2 == 1) {
                                failed.countDown();
                                throw new IllegalStateException("Not " + n);
                            }
                            return context.perform(
                                    world.tool(
                                            "even",
                                            n,
                                            String.class,
                                            (number, call) -> {
                                                failed.await();
                                                return "even " + number;
                                            }));
                        },
                        Integer.MAX_VALUE,
                        Graphs.collected());
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.state().lines())
                .containsExactly(
                        "even 0",
                        "IllegalStateException: Not 1",
                        "even 2",
                        "IllegalStateException: Not 3",
                        "even 4");
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void aStopInOneBranchEndsTheRunAlsoWhereFailuresAreCollected() {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        StopReason why = new StopReason.GuardrailTripped("g", "no");
        Graph<Diary> graph =
                Graphs.each(
                        2,
                        (n, context) -> {
                            if (n == 0) {
                                return block(context, begun, interrupted);
                            }
                            begun.await();
                            throw new Stop(why);
                        },
                        Integer.MAX_VALUE,
                        Graphs.collected());
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.reason()).isEqualTo(why);
        assertThat(interrupted).isTrue();
        engine.assertFaithful(graph, end.run());
    }

    /** Whichever is first, and however much of the others is on record. */
    @Test
    void racingFailuresAreReplayedAsTheyWere() {
        for (int round = 0; round < 50; round++) {
            Graph<Diary> inner =
                    Graphs.each(
                            3,
                            (n, context) -> {
                                String said = new Graphs(world).say(context, "inner " + n);
                                if (n == 1) {
                                    throw new IllegalStateException("Inner " + said);
                                }
                                return said + new Graphs(world).say(context, "more " + n);
                            });
            Graph<Diary> graph =
                    Graphs.each(
                            6,
                            (n, context) -> {
                                String said = new Graphs(world).say(context, "first " + n);
                                if (n % 3 == 0) {
                                    throw new IllegalStateException("Not " + n);
                                }
                                return said + new Graphs(world).say(context, "second " + n);
                            });
            Graph<Diary> both =
                    Graph.of("both", Diary.class)
                            .fanOut(
                                    "race",
                                    Diary.class,
                                    branches ->
                                            branches.add("a", inner.whole())
                                                    .add("b", graph.whole()),
                                    Join.all((diary, all) -> diary))
                            .edge("race", Graph.END)
                            .build();
            Status.Finished<Diary> end = engine.run(both, Diary.of(0));
            assertThat(end.reason()).isInstanceOf(StopReason.Failed.class);
            engine.assertFaithful(both, end.run());
        }
    }

    @Test
    void theFirstProblemOfEffectsAtOnceIsToldWhenAllHaveEnded() {
        CountDownLatch failed = new CountDownLatch(1);
        AtomicBoolean done = new AtomicBoolean();
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    try {
                        context.performAll(
                                List.of(
                                        world.tool(
                                                "slow",
                                                1,
                                                String.class,
                                                (n, call) -> {
                                                    failed.await();
                                                    done.set(true);
                                                    return "done";
                                                }),
                                        world.tool(
                                                "broken",
                                                2,
                                                String.class,
                                                (n, call) -> {
                                                    failed.countDown();
                                                    throw Failure.lasting("broken", "It broke");
                                                })));
                        return diary;
                    } catch (EffectFailed e) {
                        return diary.plus(e.name() + ": " + e.getMessage());
                    }
                });
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.state().lines()).containsExactly("broken: It broke");
        assertThat(done).isTrue();
        engine.assertFaithful(graph, end.run());
    }

    /** The first of three comes to its end, then the last one acts; the second one never ends. */
    private Graph<Diary> three(Function<Context, String> last) {
        CompletableFuture<Thread> first = new CompletableFuture<>();
        return Graphs.each(
                3,
                (n, context) ->
                        switch (n) {
                            case 0 -> {
                                first.complete(Thread.currentThread());
                                yield "first";
                            }
                            case 1 -> block(context, new CountDownLatch(1), new AtomicBoolean());
                            default -> {
                                context.note("waits for the first one");
                                first.join().join();
                                yield last.apply(context);
                            }
                        },
                Integer.MAX_VALUE,
                Join.all(Diary::plus, Diary::plus));
    }

    private void assertKept(Run<Diary> run, StopReason reason) {
        Status.Finished<Diary> end = Engine.finished(run);
        assertThat(end.reason()).isEqualTo(reason);
        assertThat(end.state().lines()).containsExactly("before", "first");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatSomeHaveGivenIsKeptWhenAnotherOneEndsTheRun(boolean traced) {
        RunOptions options = traced ? TRACED : TRACED.untraced();
        Diary before = Diary.of(0).plus("before");
        StopReason denied = new StopReason.GuardrailTripped("x", "no");

        Graph<Diary> stopping =
                three(context -> {
                    throw new Stop(denied);
                });
        assertKept(started(stopping, before, options), denied);

        Graph<Diary> failing =
                three(context -> {
                    throw new IllegalStateException("No");
                });
        assertKept(
                started(failing, before, options),
                new StopReason.Failed("all#1/2", "IllegalStateException: No"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatSomeHaveGivenIsKeptWhenTheRunIsCancelled(boolean traced) throws Exception {
        CountDownLatch last = new CountDownLatch(1);
        Graph<Diary> graph = three(context -> block(context, last, new AtomicBoolean()));
        RunOptions options = traced ? TRACED : TRACED.untraced();
        Run<Diary> run = started(graph, Diary.of(0).plus("before"), options);
        last.await();

        run.cancel("me");

        assertKept(run, new StopReason.Cancelled("me"));
    }

    @Test
    void whatSomeHaveGivenIsKeptWhenTheRunIsCancelledWhileItWaitsForAnAnswer() {
        Graph<Diary> graph =
                Graphs.each(
                        2,
                        (n, context) ->
                                n == 0 ? "first" : context.ask(Question.approval("Go on?")).text(),
                        Integer.MAX_VALUE,
                        Join.all(Diary::plus, Diary::plus));
        Run<Diary> run = engine.start(graph, Diary.of(0).plus("before"), TRACED);
        var _ = Engine.waiting(run);

        run.cancel("me");

        assertThat(run.awaitEnd())
                .isInstanceOfSatisfying(
                        Status.Finished.class,
                        end ->
                                assertThat(end.state())
                                        .isEqualTo(Diary.of(0).plus("before", "first")));
        engine.assertFaithful(graph, run.name());
    }

    /** What is traced is replayed when the engine is closed. */
    private Run<Diary> started(Graph<Diary> graph, Diary before, RunOptions options) {
        return options.isUntraced()
                ? engine.runs().start(graph, before, options)
                : engine.start(graph, before, options);
    }
}
