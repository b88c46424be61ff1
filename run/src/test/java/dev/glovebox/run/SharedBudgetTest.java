package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.ScriptedEffect;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.Conflict;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What runs of an engine may use together, and that they never use more. */
@Timeout(60)
class SharedBudgetTest {

    private static final Cost HUNDRED = Budget.unlimited().tokens(100).most();
    private static final StopReason EXHAUSTED =
            new StopReason.BudgetExhausted(Resource.TOKENS, 100);

    private final World world = new World();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private Trace trace;

    @BeforeEach
    void open(@TempDir Path folder) {
        trace = Trace.open(new MemoryStore(), folder);
    }

    @AfterEach
    void close() {
        released.countDown();
        trace.close();
    }

    private static Graph<Diary> performing(ScriptedEffect<Integer, String> effect) {
        return Graphs.one((diary, context) -> diary.plus(context.perform(effect)));
    }

    private ScriptedEffect<Integer, String> costing(int most, int used) {
        return world.tool("buy", most, String.class, (number, call) -> "bought")
                .costs(Cost.NONE.tokens(most), Cost.NONE.tokens(used));
    }

    /** Has 60 set aside until it is released, and uses 10 of them. */
    private Graph<Diary> holding() {
        return performing(
                world.tool(
                                "hold",
                                0,
                                String.class,
                                (number, call) -> {
                                    begun.countDown();
                                    released.await();
                                    return "held";
                                })
                        .costs(Cost.NONE.tokens(60), Cost.NONE.tokens(10)));
    }

    private Run<Diary> held(Runs runs) throws InterruptedException {
        Run<Diary> run = runs.start(holding(), Diary.of(0), "holding");
        begun.await();
        return run;
    }

    private static Status.Finished<Diary> end(Run<Diary> run) {
        return (Status.Finished<Diary>) run.await();
    }

    @Test
    void whatOneRunHasUsedAnotherDoesNotHave() {
        try (Runs runs = Runs.sharing(trace, HUNDRED, Cost.NONE)) {
            assertThat(end(runs.start(performing(costing(70, 70)), Diary.of(0), "one")).reason())
                    .isEqualTo(new StopReason.Completed());
            assertThat(end(runs.start(performing(costing(31, 1)), Diary.of(0), "two")).reason())
                    .isEqualTo(EXHAUSTED);
            assertThat(end(runs.start(performing(costing(30, 1)), Diary.of(0), "three")).reason())
                    .isEqualTo(new StopReason.Completed());
        }
    }

    @Test
    void whatWasUsedBeforeCounts() {
        try (Runs runs = Runs.sharing(trace, HUNDRED, Cost.NONE.tokens(95))) {
            assertThat(end(runs.start(performing(costing(6, 6)), Diary.of(0), "more")).reason())
                    .isEqualTo(EXHAUSTED);
        }
    }

    @Test
    void aRunThatMayUseLessItselfIsStoppedByThat() {
        try (Runs runs = Runs.sharing(trace, HUNDRED, Cost.NONE)) {
            RunOptions ten = RunOptions.titled("ten").budget(Budget.unlimited().tokens(10));
            assertThat(end(runs.start(performing(costing(11, 1)), Diary.of(0), ten)).reason())
                    .isEqualTo(new StopReason.BudgetExhausted(Resource.TOKENS, 10));
            // And has given back what it had set aside.
            assertThat(end(runs.start(performing(costing(100, 1)), Diary.of(0), "all")).reason())
                    .isEqualTo(new StopReason.Completed());
        }
    }

    @Test
    void whatOthersHaveOnlySetAsideIsWaitedFor() throws InterruptedException {
        try (Runs runs = Runs.sharing(trace, HUNDRED, Cost.NONE)) {
            Run<Diary> first = held(runs);
            Run<Diary> second = runs.start(performing(costing(80, 5)), Diary.of(0), "waiting");
            // What would not fit anyway does not wait.
            assertThat(end(runs.start(performing(costing(101, 1)), Diary.of(0), "large")).reason())
                    .isEqualTo(EXHAUSTED);
            // What fits beside it does not, either.
            assertThat(end(runs.start(performing(costing(40, 1)), Diary.of(0), "small")).reason())
                    .isEqualTo(new StopReason.Completed());
            released.countDown();
            assertThat(end(first).reason()).isEqualTo(new StopReason.Completed());
            assertThat(end(second).reason()).isEqualTo(new StopReason.Completed());
        }
    }

    @Test
    void whoeverWaitsCanBeCancelled() throws InterruptedException {
        try (Runs runs = Runs.sharing(trace, HUNDRED, Cost.NONE)) {
            Run<Diary> first = held(runs);
            Run<Diary> second = runs.start(performing(costing(80, 5)), Diary.of(0), "waiting");
            second.cancel("a test");
            assertThat(end(second).reason()).isEqualTo(new StopReason.Cancelled("a test"));
            released.countDown();
            assertThat(end(first).reason()).isEqualTo(new StopReason.Completed());
        }
    }

    @RepeatedTest(50)
    void whoeverWaitsIsSuspendedWithTheEngine() throws InterruptedException {
        Run<Diary> second;
        try (Runs runs = Runs.sharing(trace, HUNDRED, Cost.NONE)) {
            held(runs);
            second = runs.start(performing(costing(80, 5)), Diary.of(0), "waiting");
        }
        assertThatThrownBy(second::await).isInstanceOf(Suspended.class);
        assertThat(world.performed()).hasSize(1);
    }

    @Test
    void whatARunHadSetAsideThatWasTakenOverIsThereForTheOthers() throws InterruptedException {
        CountDownLatch taken = new CountDownLatch(1);
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    begun.countDown();
                    taken.await();
                    return diary.plus(context.perform(costing(60, 60)));
                });
        try (Runs runs = Runs.sharing(trace, HUNDRED, Cost.NONE);
                Runs other = Runs.in(trace)) {
            Run<Diary> lost = runs.start(graph, Diary.of(0), "lost");
            begun.await();
            Run<Diary> there = other.resume(graph, lost.name());
            taken.countDown();
            assertThat(end(there).isCompleted()).isTrue();
            assertThatThrownBy(lost::await).isInstanceOf(Conflict.class);

            assertThat(end(runs.start(performing(costing(80, 5)), Diary.of(0), "next")).reason())
                    .isEqualTo(new StopReason.Completed());
        }
    }

    @Test
    void manyRunsThatRaceNeverUseMoreTogether() {
        AtomicLong used = new AtomicLong();
        try (Runs runs = Runs.sharing(trace, HUNDRED, Cost.NONE)) {
            List<Run<Diary>> all =
                    IntStream.range(0, 50)
                            .mapToObj(n ->
                                    runs.start(performing(adding(n, used)), Diary.of(0), "race"))
                            .toList();
            long completed = all.stream().filter(run -> end(run).isCompleted()).count();
            // After 12 of them 16 are left, after 13 only 9.
            assertThat(completed).isEqualTo(13);
            assertThat(used).hasValue(91);
        }
    }

    private ScriptedEffect<Integer, String> adding(int n, AtomicLong used) {
        return world.tool(
                        "race",
                        n,
                        String.class,
                        (number, call) -> {
                            used.addAndGet(7);
                            return "done";
                        })
                .costs(Cost.NONE.tokens(10), Cost.NONE.tokens(7));
    }
}
