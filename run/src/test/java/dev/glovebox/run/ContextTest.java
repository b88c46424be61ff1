package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.CrashInjector;
import dev.glovebox.run.support.CrashInjector.Crash;
import dev.glovebox.run.support.Speechless;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.NotKept;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that do what they should not, and traces that fail. */
class ContextTest {

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

    private String say(Context context, String what) {
        return new Graphs(world).say(context, what);
    }

    @Test
    void anotherThreadCannotUseTheContextOfANode() {
        AtomicReference<Throwable> problem = new AtomicReference<>();
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    Thread thread =
                            Thread.ofVirtual()
                                    .uncaughtExceptionHandler((any, e) -> problem.set(e))
                                    .start(() -> say(context, "stolen"));
                    thread.join();
                    return diary.plus(say(context, "own"));
                });
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.state().lines()).containsExactly("said own");
        assertThat(problem.get())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "A node uses its context from its own thread; see performAll and fan-outs");
    }

    @Test
    void aContextIsOfNoUseWhenItsNodeHasEnded() {
        AtomicReference<Context> kept = new AtomicReference<>();
        Graph<Diary> graph =
                Graph.of("two", Diary.class)
                        .node(
                                "first",
                                (diary, context) -> {
                                    kept.set(context);
                                    return diary;
                                })
                        .node(
                                "second",
                                (diary, context) -> {
                                    Context old = java.util.Objects.requireNonNull(kept.get());
                                    return diary.plus(say(old, "late"));
                                })
                        .edge("first", "second")
                        .edge("second", Graph.END)
                        .build();
        assertThat(engine.run(graph, Diary.of(0)).reason())
                .isEqualTo(
                        new StopReason.Failed(
                                "second#1",
                                "IllegalStateException: The node first#1 has ended, and its context"
                                        + " with it"));
        assertThat(world.performed()).isEmpty();
    }

    @Test
    @SuppressWarnings("NullAway") // That is what it is about.
    void aNodeThatGivesNothingBackHasFailed() {
        Graph<Diary> graph = Graphs.one((diary, context) -> null);
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0).plus("before"));
        assertThat(end.reason())
                .isEqualTo(
                        new StopReason.Failed(
                                "only#1",
                                "NullPointerException: The node only#1 gave nothing back"));
        assertThat(end.state().lines()).containsExactly("before");
        engine.assertFaithful(graph, end.run());
    }

    private static int deeper(int n) {
        return n < 0 ? n : deeper(n + 1) + 1;
    }

    @Test
    void anErrorInANodeIsAFailureOfTheNode() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    say(context, "before");
                    return diary.plus("" + deeper(0));
                });
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.reason()).isEqualTo(new StopReason.Failed("only#1", "StackOverflowError"));
        engine.assertFaithful(graph, end.run());
        Graph<Diary> other =
                Graphs.one((diary, context) -> {
                    throw new AssertionError("Never");
                });
        Status.Finished<Diary> failed = engine.run(other, Diary.of(0));
        assertThat(failed.reason())
                .isEqualTo(new StopReason.Failed("only#1", "AssertionError: Never"));
        engine.assertFaithful(other, failed.run());
        Graph<Diary> odd =
                Graphs.one((diary, context) -> {
                    throw new Speechless();
                });
        assertThat(engine.run(odd, Diary.of(0)).reason())
                .isEqualTo(new StopReason.Failed("only#1", "Speechless"));
    }

    @Test
    void aWayThatIsNotThereIsAFailureOfTheNode() {
        Graph<Diary> graph =
                Graph.of("lost", Diary.class)
                        .node("only", (diary, context) -> diary)
                        .choose("only", diary -> "elsewhere", "only", Graph.END)
                        .build();
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.reason())
                .isEqualTo(
                        new StopReason.Failed(
                                "only#1",
                                "From 'only' the run would go to 'elsewhere', which is not among"
                                        + " [only, END]"));
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void timeAndChanceAreTheSameWhenTheNodeIsRunAgain() {
        Graph<Diary> graph =
                Graphs.one((diary, context) ->
                        diary.plus(
                                context.now().toString(),
                                "" + context.random().nextLong(),
                                "" + context.random().nextLong(),
                                context.run(),
                                context.path()));
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.state().lines()).doesNotHaveDuplicates().endsWith(end.run(), "only#1");
        engine.assertFaithful(graph, end.run());
    }

    /** Nothing is performed that could not be recorded before. */
    @Test
    void whenTheStoreFailsNothingMoreIsPerformedAndWhoeverWaitsIsTold() {
        Graph<Diary> graph =
                Graph.of("stubborn", Diary.class)
                        .node(
                                "try",
                                (diary, context) -> {
                                    try {
                                        return diary.plus(say(context, "n" + diary.lines().size()));
                                    } catch (Throwable e) {
                                        return diary.plus("caught");
                                    }
                                })
                        .choose(
                                "try",
                                diary -> diary.lines().size() < 20 ? "try" : Graph.END,
                                "try",
                                Graph.END)
                        .build();
        for (int record = 0; record < 20; record++) {
            World own = world;
            int before = own.performed().size();
            CrashInjector failing = new CrashInjector(store, record, Crash.BEFORE);
            try (Engine first = new Engine(failing, keys)) {
                Run<Diary> run = first.start(graph, Diary.of(0), "x");
                first.irreproducible(run.name());
                assertThatThrownBy(run::await).isInstanceOf(NotKept.class);
                // Start, then for each node its start, intent, outcome and end.
                int intents = (record + 1) / 4;
                assertThat(own.performed().size() - before).isLessThanOrEqualTo(intents);
            }
        }
    }

    @Test
    void whenTheStoreFailsInABranchTheOthersDoNotHideIt() {
        Graph<Diary> graph =
                Graphs.each(
                        4,
                        (n, context) -> {
                            if (n == 3) {
                                throw new IllegalStateException("My own failure");
                            }
                            return say(context, "a" + n) + say(context, "b" + n);
                        },
                        4,
                        Graphs.collected());
        for (int record = 2; record < 12; record++) {
            CrashInjector failing = new CrashInjector(store, record, Crash.BEFORE);
            try (Engine first = new Engine(failing, keys)) {
                Run<Diary> run = first.start(graph, Diary.of(0), "x");
                assertThatThrownBy(run::await).isInstanceOf(NotKept.class);
            }
        }
    }
}
