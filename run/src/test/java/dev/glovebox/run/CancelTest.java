package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.spi.Decision;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.NoSuchRun;
import dev.glovebox.trace.conformance.StoreInFront;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import dev.glovebox.trace.store.SqliteStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CancelTest {

    private static final StopReason BY_ME = new StopReason.Cancelled("me");

    private final World world = new World();
    private final MemoryStore store = new MemoryStore();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final AtomicBoolean interrupted = new AtomicBoolean();
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

    private String block(Context context) {
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

    /** First something that is done, then something that never is. */
    private Graph<Diary> blocking() {
        return Graph.of("blocking", Diary.class)
                .node("first", (diary, context) -> diary.plus(new Graphs(world).say(context, "a")))
                .node("second", (diary, context) -> diary.plus(block(context)))
                .edge("first", "second")
                .edge("second", Graph.END)
                .build();
    }

    @Test
    void anEffectThatBlocksIsInterruptedAndWhatWasReachedIsKept() throws Exception {
        Run<Diary> run = engine.start(blocking(), Diary.of(0), "x");
        begun.await();
        run.cancel("me");
        Status.Finished<Diary> end = Engine.finished(run);
        assertThat(end.reason()).isEqualTo(BY_ME);
        assertThat(end.state().lines()).containsExactly("said a");
        assertThat(interrupted).isTrue();
        engine.assertFaithful(blocking(), run.name());
    }

    @Test
    void anEffectThatIgnoresInterruptionsIsLeftBehind() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Graph<Diary> graph =
                Graphs.one((diary, context) ->
                        diary.plus(
                                context.perform(
                                        world.tool(
                                                        "deaf",
                                                        1,
                                                        String.class,
                                                        (n, call) -> {
                                                            begun.countDown();
                                                            awaitUninterruptibly(go);
                                                            return "too late";
                                                        })
                                                .ifUnknown(Effect.IfUnknown.TELL))));
        Run<Diary> run = engine.start(graph, Diary.of(0), "x");
        begun.await();
        run.cancel("me");
        assertThat(Engine.finished(run).reason()).isEqualTo(BY_ME);
        assertThat(engine.events(run.name(), EffectOutcome.class))
                .singleElement()
                .satisfies(outcome ->
                        assertThat(outcome.status())
                                .isEqualTo(dev.glovebox.trace.Event.Status.UNKNOWN));
        engine.assertFaithful(graph, run.name());
        go.countDown();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // That is what it ignores.
            }
        }
    }

    @Test
    void aNodeThatComputesIsInterrupted() throws Exception {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    begun.countDown();
                    while (!Thread.interrupted()) {
                        Thread.onSpinWait();
                    }
                    throw new IllegalStateException("It is not my fault");
                });
        Run<Diary> run = engine.start(graph, Diary.of(0), "x");
        begun.await();
        run.cancel("me");
        assertThat(Engine.finished(run).reason()).isEqualTo(BY_ME);
    }

    @Test
    void aRunThatWaitsForAnAnswerEnds() throws Exception {
        Graph<Diary> graph =
                Graph.of("waiting", Diary.class)
                        .node(
                                "first",
                                (diary, context) -> diary.plus(new Graphs(world).say(context, "a")))
                        .node(
                                "ask",
                                (diary, context) ->
                                        diary.plus(context.ask(Question.open("What?")).text()))
                        .edge("first", "ask")
                        .edge("ask", Graph.END)
                        .build();
        Run<Diary> run = engine.start(graph, Diary.of(0), "x");
        Engine.waiting(run);
        run.cancel("me");
        Status.Finished<Diary> end = Engine.atLast(run);
        assertThat(end.reason()).isEqualTo(BY_ME);
        assertThat(end.state().lines()).containsExactly("said a");
        engine.assertFaithful(graph, run.name());
    }

    @Test
    void aRunThatWaitsForAnApprovalEnds() throws Exception {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> diary.plus(new Graphs(world).say(context, "a")));
        try (Engine strict =
                new Engine(
                        store,
                        keys,
                        request -> new Decision.Approve(Question.approval("May I?")))) {
            Run<Diary> run = strict.start(graph, Diary.of(0), "x");
            Engine.waiting(run);
            run.cancel("me");
            assertThat(Engine.atLast(run).reason()).isEqualTo(BY_ME);
            assertThat(world.performed()).isEmpty();
            strict.assertFaithful(graph, run.name());
        }
    }

    private void cancelledElsewhere(TraceStore here, TraceStore there) throws Exception {
        try (Engine one = new Engine(here, keys.resolve("k"));
                Engine other = new Engine(there, keys.resolve("k"))) {
            Run<Diary> run = one.start(blocking(), Diary.of(0), "x");
            begun.await();
            other.runs().cancel(run.name(), "me");
            assertThat(Engine.finished(run).reason()).isEqualTo(BY_ME);
            assertThat(interrupted).isTrue();
            one.assertFaithful(blocking(), run.name());
        }
    }

    @Test
    void anOrderComesFromAnotherEngineOverTheSameStore() throws Exception {
        cancelledElsewhere(store, store);
    }

    @Test
    void anOrderComesFromAnotherStoreOverTheSameFile() throws Exception {
        Path file = keys.resolve("traces.db");
        cancelledElsewhere(SqliteStore.open(file), SqliteStore.open(file));
    }

    @Test
    void aRunThatNobodyWorksOnEndsWhenItIsResumed() throws Exception {
        String name;
        try (Engine first = new Engine(store, keys)) {
            Run<Diary> run = first.start(blocking(), Diary.of(0), "x");
            begun.await();
            name = run.name();
        }
        int performed = world.performed().size();
        engine.runs().cancel(name, "me");
        Run<Diary> resumed = engine.resume(blocking(), name);
        Status.Finished<Diary> end = Engine.finished(resumed);
        assertThat(end.reason()).isEqualTo(BY_ME);
        assertThat(end.state().lines()).containsExactly("said a");
        assertThat(world.performed()).hasSize(performed);
        engine.assertFaithful(blocking(), name);
    }

    @Test
    void nothingHappensToARunThatIsFinishedAndThereMustBeOne() {
        Graph<Diary> graph = Graphs.one((diary, context) -> diary.plus("x"));
        Run<Diary> run = engine.start(graph, Diary.of(0), "x");
        Engine.finished(run);
        int records = engine.entries(run.name()).size();
        run.cancel("me");
        engine.runs().cancel(run.name(), "me");
        assertThat(Engine.finished(run).isCompleted()).isTrue();
        assertThat(engine.entries(run.name())).hasSize(records);
        assertThatThrownBy(() -> engine.runs().cancel("nobody", "me"))
                .isInstanceOf(NoSuchRun.class);
    }

    /** It comes between the last look for an answer and the moment when the run rests. */
    @Test
    void anOrderThatComesWhileARunBeginsToWaitIsNotLost() throws Exception {
        CompletableFuture<Run<Diary>> started = new CompletableFuture<>();
        TraceStore looking =
                new StoreInFront(store) {
                    @Override
                    public Optional<RunRow> run(String name) {
                        if (name.startsWith("letter-") && !interrupted.getAndSet(true)) {
                            started.join().cancel("me");
                        }
                        return super.run(name);
                    }
                };
        Graph<Diary> graph =
                Graphs.one((diary, context) -> diary.plus(context.ask(Question.open("?")).text()));
        try (Engine own = new Engine(looking, keys)) {
            started.complete(own.start(graph, Diary.of(0), "x"));
            assertThat(Engine.finished(started.join()).reason()).isEqualTo(BY_ME);
        }
    }

    /** At whatever moment the order comes, in graphs of every shape. */
    @Test
    void aRunThatIsCancelledAtAnyMomentIsReplayedAsItWas() {
        Graphs graphs = new Graphs(world);
        for (int round = 0; round < 40; round++) {
            try (Engine own = new Engine(new MemoryStore(), keys)) {
                for (Graph<Diary> graph :
                        List.of(graphs.fanOut(), graphs.nested(), graphs.failing())) {
                    Run<Diary> run = own.start(graph, Diary.of(3), "x");
                    for (long i = 0; i < round * 5_000L; i++) {
                        Thread.onSpinWait();
                    }
                    run.cancel("me");
                    Engine.finished(run);
                    own.assertFaithful(graph, run.name());
                }
            }
        }
    }
}
