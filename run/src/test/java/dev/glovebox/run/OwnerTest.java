package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.Conflict;
import dev.glovebox.trace.Event.RunClaimed;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.conformance.StoreInFront;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who goes on with a run, where several could: those who wait with it, and those who resume it. */
class OwnerTest {

    private final World world = new World();
    private final MemoryStore store = new MemoryStore();
    @TempDir Path keys;

    /** A store that says of which run somebody wants to know. */
    private static final class Watched extends StoreInFront {
        private final Consumer<String> looked;

        private Watched(TraceStore store, Consumer<String> looked) {
            super(store);
            this.looked = looked;
        }

        @Override
        public Optional<RunRow> run(String run) {
            looked.accept(run);
            return super.run(run);
        }
    }

    private static Graph<Diary> asking() {
        return Graphs.one((diary, context) -> diary.plus(context.ask(Question.open("?")).text()));
    }

    private static String key(Runs runs, Run<?> run) {
        return runs.questions(run.name()).getFirst().key();
    }

    /** The answer comes when the engine is closed, and its last thread is about to look. */
    @Test
    void aClosedEngineDoesNotGoOnWithARun() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<String> waiting = new CompletableFuture<>();
        Consumer<String> slow =
                about -> {
                    String run = waiting.getNow("");
                    if (about.equals(Letters.name(run, Letters.CANCEL))) {
                        awaited(go);
                    }
                };
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    waiting.complete(context.run());
                    return diary.plus(context.ask(Question.open("?")).text());
                });
        try (Engine after = new Engine(store, keys);
                Trace trace = Trace.open(new Watched(store, slow), keys)) {
            Run<Diary> run;
            try (Runs before = Runs.in(trace)) {
                run = before.start(graph, Diary.of(0), "x");
                assertThat(run.await()).isInstanceOf(Status.Waiting.class);
            }
            after.runs().answer(run.name(), key(after.runs(), run), "this", "me");
            go.countDown();
            Threads.awaitNone(name -> name.contains(run.name()));
            assertThat(after.events(run.name(), RunClaimed.class)).isEmpty();
            assertThat(Engine.finished(after.resume(graph, run.name())).state().lines())
                    .containsExactly("this");
        }
    }

    /** Nobody has the run when both letters are written. */
    @Test
    void anAnswerThatComesTooLateIsNotLookedAtForEver() {
        String name;
        try (Engine before = new Engine(store, keys)) {
            Run<Diary> run = before.start(asking(), Diary.of(0), "x");
            Engine.waiting(run);
            name = run.name();
        }
        try (Engine after = new Engine(store, keys)) {
            OpenQuestion question = after.runs().questions(name).getFirst();
            after.runs().answer(name, question.key(), "this", "me");
            after.runs().cancel(name, "somebody else");
            assertThat(new Letters(after.trace()).addressees()).containsExactly(name);
            assertThat(Engine.finished(after.resume(asking(), name)).stop())
                    .containsInstanceOf(StopReason.Cancelled.class);
            assertThat(new Letters(after.trace()).addressees()).isEmpty();
        }
    }

    @Test
    void aClosedEngineTakesNoRunOver() {
        try (Engine first = new Engine(store, keys);
                Engine closed = new Engine(store, keys)) {
            Run<Diary> run = first.start(asking(), Diary.of(0), "x");
            Engine.waiting(run);
            closed.runs().close();
            Run<Diary> resumed = closed.runs().resume(asking(), run.name());
            assertThatThrownBy(resumed::await).isInstanceOf(Suspended.class);
            assertThatThrownBy(resumed::awaitEnd).isInstanceOf(Suspended.class);
            assertThat(first.events(run.name(), RunClaimed.class)).isEmpty();
        }
    }

    @Test
    void whoeverWaitsForTheEndOfARunThatWaitsIsToldThatTheEngineIsClosed() throws Exception {
        try (Engine engine = new Engine(store, keys)) {
            Run<Diary> run = engine.start(asking(), Diary.of(0), "x");
            Engine.waiting(run);
            CompletableFuture<Status<Diary>> end = CompletableFuture.supplyAsync(run::awaitEnd);
            engine.runs().close();
            assertThatThrownBy(end::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(Suspended.class);
            assertThat(run.await()).isInstanceOf(Status.Waiting.class);
        }
    }

    /** Both find that nobody has it, each with a graph of its own. */
    @Test
    void twoWhoResumeARunAtOnceHaveTheSameRun() throws Exception {
        String name;
        try (Engine first = new Engine(store, keys)) {
            name = first.start(asking(), Diary.of(0), "x").name();
        }
        Phaser both = new Phaser(2);
        Consumer<String> together =
                about -> {
                    if (about.equals(name) && both.getPhase() == 0) {
                        both.arriveAndAwaitAdvance();
                    }
                };
        try (Engine engine = new Engine(new Watched(store, together), keys)) {
            CompletableFuture<Run<Diary>> other =
                    CompletableFuture.supplyAsync(() -> engine.resume(asking(), name));
            Run<Diary> run = engine.resume(asking(), name);
            assertThat(other.get()).isSameAs(run);
            Engine.waiting(run);
            assertThat(engine.events(name, RunClaimed.class)).hasSize(1);
            engine.runs().answer(name, key(engine.runs(), run), "this", "me");
            assertThat(((Status.Finished<Diary>) run.awaitEnd()).state().lines())
                    .containsExactly("this");
        }
    }

    private Graph<Diary> askingAndWorking(CyclicBarrier step) {
        return Graphs.one((diary, context) ->
                diary.plus(
                        context.ask(Question.open("?")).text(),
                        context.perform(
                                world.tool(
                                        "work",
                                        1,
                                        String.class,
                                        (n, call) -> {
                                            step.await();
                                            step.await();
                                            return "worked";
                                        }))));
    }

    /** The graph is built anew, as whoever has only the name of the run must do. */
    @Test
    void whoeverResumesARunThatItsAnswerHasWokenJoinsIt() throws Exception {
        CyclicBarrier step = new CyclicBarrier(2);
        try (Engine engine = new Engine(store, keys)) {
            Run<Diary> run = engine.start(askingAndWorking(step), Diary.of(0), "x");
            Engine.waiting(run);
            engine.runs().answer(run.name(), key(engine.runs(), run), "this", "me");
            step.await();
            assertThat(engine.runs().resume(askingAndWorking(step), run.name())).isSameAs(run);
            step.await();
            assertThat(((Status.Finished<Diary>) run.awaitEnd()).state().lines())
                    .containsExactly("this", "worked");
            assertThat(world.performed()).hasSize(1);
            engine.irreproducible(run.name());
        }
    }

    @Test
    void aRunThatIsHereIsNotGivenToAnotherProgram() throws Exception {
        Graph<Diary> other =
                Graph.of("one", Diary.class)
                        .node("another", (diary, context) -> diary)
                        .edge("another", Graph.END)
                        .build();
        Graph<String> stranger =
                Graph.of("one", String.class)
                        .node("only", (text, context) -> text)
                        .edge("only", Graph.END)
                        .build();
        try (Engine engine = new Engine(store, keys)) {
            Run<Diary> run = engine.start(asking(), Diary.of(0), "x");
            Engine.waiting(run);
            assertThat(Engine.differs(engine.runs().resume(other, run.name())).sentence())
                    .startsWith("the graph, nodes/another: recorded not there");
            assertThat(Engine.differs(engine.runs().resume(stranger, run.name())).sentence())
                    .isEqualTo("the graph, its state: recorded Diary, now String");
            engine.runs().answer(run.name(), key(engine.runs(), run), "this", "me");
            assertThat(((Status.Finished<Diary>) run.awaitEnd()).state().lines())
                    .containsExactly("this");
        }
    }

    /** Whoever resumes a run owns it: who waited with it before does not take it back. */
    @Test
    void anAnswerWakesTheOneWhoResumedTheRunAndNobodyElse() throws Exception {
        CyclicBarrier step = new CyclicBarrier(2);
        Graph<Diary> graph = askingAndWorking(step);
        try (Engine first = new Engine(store, keys);
                Engine second = new Engine(store, keys)) {
            Run<Diary> before = first.runs().start(graph, Diary.of(0), "x");
            Engine.waiting(before);
            Run<Diary> run = second.runs().resume(graph, before.name());
            Engine.waiting(run);
            second.runs().answer(run.name(), key(second.runs(), run), "this", "me");
            step.await();
            first.runs().poll();
            assertThatThrownBy(before::awaitEnd).isInstanceOf(Conflict.class);
            step.await();
            assertThat(((Status.Finished<Diary>) run.awaitEnd()).state().lines())
                    .containsExactly("this", "worked");
            assertThat(world.performed()).hasSize(1);
        }
    }

    /** It is the second one's when it returns, however slow the first one's threads are. */
    @Test
    void aRunIsTakenOverWhenResumeReturns() {
        try (Engine first = new Engine(store, keys);
                Engine second = new Engine(store, keys)) {
            Run<Diary> run = first.start(asking(), Diary.of(0), "x");
            Engine.waiting(run);
            for (int i = 1; i <= 20; i++) {
                Engine next = i % 2 == 0 ? first : second;
                Run<Diary> resumed = next.runs().resume(asking(), run.name());
                assertThat(next.events(run.name(), RunClaimed.class)).hasSize(i);
                Engine.waiting(resumed);
            }
        }
    }

    @Test
    void whoeverResumesARunThatHeHasLostTakesItBack() {
        try (Engine first = new Engine(store, keys);
                Engine second = new Engine(store, keys)) {
            Run<Diary> before = first.start(asking(), Diary.of(0), "x");
            Engine.waiting(before);
            Run<Diary> meanwhile = second.runs().resume(asking(), before.name());
            Engine.waiting(meanwhile);
            Run<Diary> run = first.resume(asking(), before.name());
            assertThat(run).isNotSameAs(before);
            assertThatThrownBy(before::awaitEnd).isInstanceOf(Conflict.class);
            Engine.waiting(run);
            first.runs().answer(run.name(), key(first.runs(), run), "this", "me");
            assertThat(((Status.Finished<Diary>) run.awaitEnd()).state().lines())
                    .containsExactly("this");
            second.runs().poll();
            assertThatThrownBy(meanwhile::awaitEnd).isInstanceOf(Conflict.class);
        }
    }

    private Graph<Diary> hanging(CountDownLatch begun) {
        return Graphs.one((diary, context) ->
                diary.plus(
                        context.perform(
                                world.tool(
                                        "hang",
                                        1,
                                        String.class,
                                        (n, call) -> {
                                            begun.countDown();
                                            new CountDownLatch(1).await();
                                            return "never";
                                        }))));
    }

    @Test
    void anOrderToStopReachesWhoeverHasTheRun() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch begunAgain = new CountDownLatch(1);
        try (Engine first = new Engine(store, keys);
                Engine second = new Engine(store, keys)) {
            Run<Diary> before = first.runs().start(hanging(begun), Diary.of(0), "x");
            awaited(begun);
            Run<Diary> run = second.resume(hanging(begunAgain), before.name());
            awaited(begunAgain);
            first.runs().cancel(before.name(), "me");
            assertThatThrownBy(before::awaitEnd).isInstanceOf(Conflict.class);
            assertThat(run.awaitEnd().stop()).contains(new StopReason.Cancelled("me"));
        }
    }

    /** Whichever is told first waits for the other to be told. */
    @Test
    void allRunsAreToldToEndBeforeAnyIsWaitedFor() {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch told = new CountDownLatch(2);
        CountDownLatch allTold = new CountDownLatch(2);
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        told.countDown();
                        if (told.await(5, TimeUnit.SECONDS)) {
                            allTold.countDown();
                        }
                    }
                    return diary;
                });
        try (Engine engine = new Engine(store, keys)) {
            engine.runs().start(graph, Diary.of(0), "one");
            engine.runs().start(graph, Diary.of(0), "two");
            awaited(begun);
        }
        assertThat(allTold.getCount()).isZero();
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
