package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.CrashInjector;
import dev.glovebox.run.support.CrashInjector.Crash;
import dev.glovebox.run.support.FakeClock;
import dev.glovebox.run.support.ScriptedEffect;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.NotKept;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a run may use, and that it never uses more. */
class BudgetTest {

    private static final Retry QUICK = new Retry(4, Duration.ofMillis(2), Duration.ofMillis(5));

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

    private ScriptedEffect<Integer, String> costing(int n, Cost most, Cost used) {
        return world.tool("buy", n, String.class, (number, call) -> "bought " + number)
                .costs(most, used);
    }

    /** Buys as long as it can, and then some. */
    private Graph<Diary> buying(Cost most, Cost used) {
        return Graph.of("buying", Diary.class)
                .node(
                        "buy",
                        (diary, context) ->
                                diary.plus(
                                        context.perform(costing(diary.lines().size(), most, used))))
                .choose(
                        "buy",
                        diary -> diary.lines().size() < diary.size() ? "buy" : Graph.END,
                        "buy",
                        Graph.END)
                .build();
    }

    static Stream<Arguments> resources() {
        Budget none = Budget.unlimited();
        return Stream.of(
                Arguments.of(Resource.TOKENS, none.tokens(30), Cost.NONE.tokens(10)),
                Arguments.of(
                        Resource.MONEY,
                        none.dollars("0.30"),
                        Cost.NONE.dollars(new BigDecimal("0.10"))),
                Arguments.of(Resource.MODEL_CALLS, none.modelCalls(3), Cost.NONE.modelCalls(1)),
                Arguments.of(Resource.TOOL_CALLS, none.toolCalls(3), Cost.NONE.toolCalls(1)),
                Arguments.of(
                        Resource.SANDBOX,
                        none.sandbox(Duration.ofSeconds(3)),
                        Cost.NONE.sandbox(Duration.ofSeconds(1))));
    }

    @ParameterizedTest
    @MethodSource("resources")
    void aRunStopsBeforeItWouldUseMoreThanItMay(Resource which, Budget budget, Cost each) {
        Graph<Diary> graph = buying(each, each);
        Status.Finished<Diary> end = engine.run(graph, Diary.of(10), budget);
        assertThat(end.reason())
                .isEqualTo(new StopReason.BudgetExhausted(which, which.of(budget.most())));
        assertThat(end.state().lines()).containsExactly("bought 0", "bought 1", "bought 2");
        assertThat(end.spent()).isEqualTo(each.plus(each).plus(each));
        assertThat(which.of(end.left())).isZero();
        assertThat(world.performed()).hasSize(3);
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void whatWasReservedAndNotUsedIsThereAgain() {
        Graph<Diary> graph = buying(Cost.NONE.tokens(100), Cost.NONE.tokens(10));
        Status.Finished<Diary> end =
                engine.run(graph, Diary.of(20), Budget.unlimited().tokens(150));
        assertThat(end.state().lines()).hasSize(6);
        assertThat(end.spent().tokens()).isEqualTo(60);
        assertThat(end.left().tokens()).isEqualTo(90);
    }

    @Test
    void whatCostsNothingOfAResourceMayGoOnWhenThatIsUsedUp() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    context.perform(costing(1, Cost.NONE.tokens(5), Cost.NONE.tokens(5)));
                    return diary.plus(
                            context.perform(
                                    costing(2, Cost.NONE.toolCalls(1), Cost.NONE.toolCalls(1))));
                });
        assertThat(engine.run(graph, Diary.of(0), Budget.unlimited().tokens(5)).isCompleted())
                .isTrue();
    }

    @Test
    void aHundredBranchesThatRaceNeverUseMoreTogetherThanTheRunMay() {
        for (int round = 0; round < 10; round++) {
            AtomicLong used = new AtomicLong();
            CyclicBarrier together = new CyclicBarrier(100);
            Graph<Diary> graph =
                    Graphs.each(
                            100,
                            (n, context) -> {
                                together.await();
                                return context.perform(
                                        world.tool(
                                                        "race",
                                                        n,
                                                        String.class,
                                                        (number, call) -> {
                                                            used.addAndGet(7);
                                                            return "done";
                                                        })
                                                .costs(Cost.NONE.tokens(10), Cost.NONE.tokens(7)));
                            });
            Status.Finished<Diary> end =
                    engine.run(graph, Diary.of(0), Budget.unlimited().tokens(200));
            assertThat(end.reason())
                    .isEqualTo(new StopReason.BudgetExhausted(Resource.TOKENS, 200));
            assertThat(used.get()).isLessThanOrEqualTo(200);
            assertThat(end.spent().tokens()).isLessThanOrEqualTo(200);
            // The branches wait for each other, and not all are on record.
            engine.irreproducible(end.run());
        }
    }

    @Test
    void aBranchThatFindsNothingLeftEndsTheWholeRun() {
        CountDownLatch begun = new CountDownLatch(1);
        Graph<Diary> graph =
                Graphs.each(
                        2,
                        (n, context) -> {
                            if (n == 0) {
                                return context.perform(
                                        world.tool(
                                                        "long",
                                                        n,
                                                        String.class,
                                                        (number, call) -> {
                                                            begun.countDown();
                                                            new CountDownLatch(1).await();
                                                            return "never";
                                                        })
                                                .costs(Cost.NONE.tokens(8), Cost.NONE));
                            }
                            begun.await();
                            return context.perform(costing(n, Cost.NONE.tokens(3), Cost.NONE));
                        },
                        2,
                        Graphs.collected());
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0), Budget.unlimited().tokens(10));
        assertThat(end.reason()).isEqualTo(new StopReason.BudgetExhausted(Resource.TOKENS, 10));
        // Nobody knows what the long one has cost.
        assertThat(end.spent().tokens()).isEqualTo(8);
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void whatFailedWasACallButCostNothingElse() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    try {
                        return diary.plus(
                                context.perform(
                                        world.tool(
                                                        "fail",
                                                        1,
                                                        String.class,
                                                        (n, call) -> {
                                                            throw Failure.lasting("no", "No");
                                                        })
                                                .costs(
                                                        Cost.NONE.tokens(9).modelCalls(1),
                                                        Cost.NONE)));
                    } catch (EffectFailed e) {
                        return diary.plus(e.code());
                    }
                });
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.spent()).isEqualTo(Cost.NONE.modelCalls(1));
    }

    /** Ends this process at the intent of the third effect, and goes on in another one. */
    @Test
    void eachAttemptCostsWhatItHasCost() {
        AtomicInteger attempts = new AtomicInteger();
        Graph<Diary> graph =
                Graphs.one((diary, context) ->
                        diary.plus(
                                context.perform(
                                        world.effect(
                                                        "model",
                                                        "try",
                                                        "it",
                                                        String.class,
                                                        (text, call) ->
                                                                third(attempts.incrementAndGet()))
                                                .costs(
                                                        Cost.NONE.tokens(40).modelCalls(1),
                                                        Cost.NONE.tokens(5).modelCalls(1))
                                                .retry(QUICK))));
        Status.Finished<Diary> end =
                engine.run(graph, Diary.of(0), Budget.unlimited().tokens(1_000));
        assertThat(end.isCompleted()).isTrue();
        assertThat(end.spent()).isEqualTo(Cost.NONE.tokens(30 + 5).modelCalls(3));
        engine.assertFaithful(graph, end.run());
    }

    /** In vain first, then paid for and lost, then done. */
    private static String third(int attempt) {
        return switch (attempt) {
            case 1 -> throw Failure.passing("busy", "Come back");
            case 2 ->
                    throw Failure.passing("cut", "It broke off")
                            .used(Cost.NONE.tokens(30).modelCalls(1));
            default -> "done";
        };
    }

    @Test
    void nothingIsTriedAgainThatTheBudgetDoesNotPayFor() {
        AtomicInteger attempts = new AtomicInteger();
        Graph<Diary> graph =
                Graphs.one((diary, context) ->
                        diary.plus(
                                context.perform(
                                        world.effect(
                                                        "model",
                                                        "try",
                                                        "it",
                                                        String.class,
                                                        (text, call) -> {
                                                            attempts.incrementAndGet();
                                                            throw Failure.passing("cut", "Again")
                                                                    .used(Cost.NONE.tokens(40));
                                                        })
                                                .costs(Cost.NONE.tokens(40), Cost.NONE)
                                                .retry(QUICK))));
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0), Budget.unlimited().tokens(100));
        assertThat(attempts).hasValue(2);
        assertThat(end.spent().tokens()).isEqualTo(80);
        engine.assertFaithful(graph, end.run());
    }

    /** Each has failed once before any of them is tried again. */
    @Test
    void branchesThatTryAgainNeverUseMoreTogetherThanTheRunMay() {
        CyclicBarrier together = new CyclicBarrier(2);
        AtomicInteger attempts = new AtomicInteger();
        Graph<Diary> graph =
                Graphs.each(
                        2,
                        (n, context) ->
                                context.perform(
                                        world.effect(
                                                        "model",
                                                        "try",
                                                        n,
                                                        String.class,
                                                        (number, call) -> {
                                                            if (attempts.incrementAndGet() <= 2) {
                                                                together.await();
                                                            }
                                                            throw Failure.passing("cut", "Again")
                                                                    .used(Cost.NONE.tokens(10));
                                                        })
                                                .costs(Cost.NONE.tokens(10), Cost.NONE)
                                                .retry(QUICK)),
                        2,
                        Graphs.collected());
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0), Budget.unlimited().tokens(30));
        assertThat(attempts).hasValue(3);
        assertThat(end.spent().tokens()).isEqualTo(30);
        assertThat(end.left().tokens()).isZero();
    }

    @Test
    void whatNobodyKnowsTheEndOfHasCostWhatItsAttemptsHaveCostBefore() {
        AtomicInteger attempts = new AtomicInteger();
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    try {
                        return diary.plus(
                                context.perform(
                                        world.effect(
                                                        "model",
                                                        "try",
                                                        "it",
                                                        String.class,
                                                        (text, call) -> cutThenLate(attempts))
                                                .costs(Cost.NONE.tokens(40), Cost.NONE)
                                                .within(Duration.ofMillis(50))
                                                .retry(QUICK)));
                    } catch (EffectFailed e) {
                        return diary.plus(e.code());
                    }
                });
        for (Budget budget : List.of(Budget.unlimited(), Budget.unlimited().tokens(100))) {
            attempts.set(0);
            Status.Finished<Diary> end = engine.run(graph, Diary.of(0), budget);
            assertThat(end.state().lines()).containsExactly("time-out");
            assertThat(end.spent().tokens()).isEqualTo(30 + 40);
            assertThat(engine.events(end.run(), EffectOutcome.class))
                    .allMatch(outcome -> outcome.details().at("/cost/tokens").asLong() == 30 + 40);
        }
    }

    private static String cutThenLate(AtomicInteger attempts) throws InterruptedException {
        if (attempts.incrementAndGet() == 1) {
            throw Failure.passing("cut", "It broke off").used(Cost.NONE.tokens(30));
        }
        new CountDownLatch(1).await();
        return "never";
    }

    private Run<Diary> resumed(Graph<Diary> graph, Diary state, Budget budget, int record) {
        CrashInjector crashing = new CrashInjector(store, record, Crash.AFTER);
        String name;
        try (Engine first = new Engine(crashing, keys)) {
            Run<Diary> run = first.start(graph, state, RunOptions.titled("x").budget(budget));
            name = run.name();
            Assertions.assertThatThrownBy(run::await).isInstanceOf(NotKept.class);
        }
        return engine.resume(graph, name);
    }

    @Test
    void aRunThatIsResumedCountsWhatItHasSpentBefore() {
        Cost each = Cost.NONE.tokens(10);
        Graph<Diary> graph = buying(each, each);
        // Start, and for each node its start, intent, outcome and end.
        Run<Diary> run = resumed(graph, Diary.of(10), Budget.unlimited().tokens(40), 8);
        Status.Finished<Diary> end = Engine.finished(run);
        assertThat(end.state().lines()).hasSize(4);
        assertThat(end.spent().tokens()).isEqualTo(40);
        assertThat(world.performed()).hasSize(4);
    }

    @Test
    void whatNobodyKnowsTheOutcomeOfHasCostAllThatItMay() {
        Cost most = Cost.NONE.tokens(30);
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    String first;
                    try {
                        first =
                                context.perform(
                                        costing(1, most, Cost.NONE.tokens(1))
                                                .ifUnknown(Effect.IfUnknown.TELL));
                    } catch (OutcomeUnknown e) {
                        first = "unknown";
                    }
                    return diary.plus(first, context.perform(costing(2, most, most)));
                });
        Run<Diary> run = resumed(graph, Diary.of(0), Budget.unlimited().tokens(50), 2);
        Status.Finished<Diary> end = Engine.finished(run);
        assertThat(end.reason()).isEqualTo(new StopReason.BudgetExhausted(Resource.TOKENS, 50));
        assertThat(end.spent().tokens()).isEqualTo(30);
        assertThat(world.performed()).isEmpty();
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void anEffectThatIsRepeatedNeedsItsBudgetOnceMore() {
        Cost most = Cost.NONE.tokens(30);
        Graph<Diary> graph = buying(most, most);
        Run<Diary> run = resumed(graph, Diary.of(2), Budget.unlimited().tokens(50), 6);
        Status.Finished<Diary> end = Engine.finished(run);
        assertThat(end.reason()).isEqualTo(new StopReason.BudgetExhausted(Resource.TOKENS, 50));
        assertThat(end.state().lines()).hasSize(1);
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void aRunIsStoppedWhenItWasWorkedOnForAsLongAsItMay() {
        Graph<Diary> graph =
                Graphs.one((diary, context) ->
                        diary.plus(
                                context.perform(
                                        world.tool(
                                                "wait",
                                                1,
                                                String.class,
                                                (n, call) -> {
                                                    new CountDownLatch(1).await();
                                                    return "never";
                                                }))));
        Duration wall = Duration.ofMillis(100);
        Status.Finished<Diary> end =
                engine.run(graph, Diary.of(0).plus("before"), Budget.unlimited().wall(wall));
        assertThat(end.reason()).isEqualTo(new StopReason.TimedOut(wall));
        assertThat(end.state().lines()).containsExactly("before");
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void aNodeThatComputesIsInterruptedWhenTheTimeIsOver() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                    return diary.plus("computed");
                });
        Duration wall = Duration.ofMillis(50);
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0), Budget.unlimited().wall(wall));
        assertThat(end.reason()).isEqualTo(new StopReason.TimedOut(wall));
        assertThat(end.state().lines()).isEmpty();
    }

    @Test
    void aRunWithoutTimeDoesNothing() {
        Graph<Diary> graph = buying(Cost.NONE, Cost.NONE);
        Status.Finished<Diary> end =
                engine.run(graph, Diary.of(1), Budget.unlimited().wall(Duration.ZERO));
        assertThat(end.reason()).isEqualTo(new StopReason.TimedOut(Duration.ZERO));
        assertThat(world.performed()).isEmpty();
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void theLongestTimeThereIsIsNotTooLong() {
        Graph<Diary> graph =
                Graphs.one((diary, context) ->
                        diary.plus(
                                context.perform(
                                        costing(1, Cost.NONE, Cost.NONE)
                                                .within(Duration.ofSeconds(Long.MAX_VALUE)))));
        Budget budget = Budget.unlimited().wall(Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(engine.run(graph, Diary.of(0), budget).isCompleted()).isTrue();
    }

    /** The records of a run that waits have times by this clock. */
    @Test
    void theTimeInWhichARunWaitsForAPersonDoesNotCount() throws InterruptedException {
        FakeClock clock = FakeClock.atNoon();
        MemoryStore other = new MemoryStore();
        Graph<Diary> graph =
                Graphs.one((diary, context) ->
                        diary.plus(
                                context.ask(Question.open("What?")).text(),
                                context.perform(costing(1, Cost.NONE, Cost.NONE))));
        try (dev.glovebox.trace.Trace trace =
                        dev.glovebox.trace.Trace.open(other, keys.resolve("other"), clock);
                Runs runs = Runs.in(trace, clock)) {
            Budget budget = Budget.unlimited().wall(Duration.ofHours(1));
            Run<Diary> run = runs.start(graph, Diary.of(0), RunOptions.titled("x").budget(budget));
            Status.Waiting<Diary> waiting = Engine.waiting(run);
            clock.advance(Duration.ofDays(3));
            runs.answer(run.name(), waiting.questions().getFirst().key(), "that", "me");
            assertThat(Engine.atLast(run).isCompleted()).isTrue();
        }
    }

    @Test
    void aRunThatIsResumedHasOnlyTheTimeThatIsLeft() {
        FakeClock clock = FakeClock.atNoon();
        MemoryStore other = new MemoryStore();
        Budget budget = Budget.unlimited().wall(Duration.ofHours(1));
        Graph<Diary> graph =
                Graph.of("slow", Diary.class)
                        .node(
                                "work",
                                (diary, context) -> {
                                    String said = new Graphs(world).say(context, "half");
                                    clock.advance(Duration.ofMinutes(45));
                                    return diary.plus(said);
                                })
                        .choose(
                                "work",
                                diary -> diary.lines().size() < 3 ? "work" : Graph.END,
                                "work",
                                Graph.END)
                        .build();
        String name;
        CrashInjector crashing = new CrashInjector(other, 8, Crash.AFTER);
        try (dev.glovebox.trace.Trace trace =
                        dev.glovebox.trace.Trace.open(crashing, keys.resolve("other"), clock);
                Runs runs = Runs.in(trace)) {
            Run<Diary> run = runs.start(graph, Diary.of(0), RunOptions.titled("x").budget(budget));
            name = run.name();
            Assertions.assertThatThrownBy(run::await).isInstanceOf(NotKept.class);
        }
        clock.advance(Duration.ofDays(1));
        try (dev.glovebox.trace.Trace trace =
                        dev.glovebox.trace.Trace.open(other, keys.resolve("other"), clock);
                Runs runs = Runs.in(trace)) {
            Status.Finished<Diary> end = Engine.finished(runs.resume(graph, name));
            assertThat(end.reason()).isEqualTo(new StopReason.TimedOut(Duration.ofHours(1)));
            assertThat(end.state().lines()).hasSize(2);
        }
    }

    @Test
    void anEffectThatDidNotFitIsOnRecord() {
        Graph<Diary> graph = buying(Cost.NONE.tokens(10), Cost.NONE);
        Status.Finished<Diary> end = engine.run(graph, Diary.of(1), Budget.unlimited().tokens(5));
        assertThat(engine.events(end.run(), EffectIntent.class)).hasSize(1);
        assertThat(engine.events(end.run(), EffectOutcome.class))
                .singleElement()
                .satisfies(outcome ->
                        assertThat(outcome.details().path("stop").path("type").asText())
                                .isEqualTo("budget-exhausted"));
    }
}
