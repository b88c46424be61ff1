package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.Effect.IfUnknown;
import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.CrashInjector;
import dev.glovebox.run.support.CrashInjector.Crash;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.Conflict;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.NodeFinished;
import dev.glovebox.trace.Event.RunClaimed;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.NoSuchRun;
import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.TraceException;
import dev.glovebox.trace.conformance.StoreInFront;
import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that were interrupted, and how they go on. */
class ResumeTest {

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

    /** Starts a run in a process that ends when such an event is recorded. */
    private String crashed(Graph<Diary> graph, Class<? extends Event> last, int count) {
        Graph<Diary> shape = graph;
        // Find out which record that is, in a world of its own.
        MemoryStore trial = new MemoryStore();
        int record = -1;
        for (int at = 1; record < 0; at++) {
            try (Engine first = new Engine(new CrashInjector(trial, at, Crash.AFTER), keys)) {
                Run<Diary> run = first.start(shape, Diary.of(0), "x");
                assertThatThrownBy(run::await).isInstanceOf(NotKept.class);
                try (Engine reader = new Engine(trial, keys)) {
                    List<Event> events =
                            reader.entries(run.name()).stream()
                                    .map(entry -> entry.event())
                                    .toList();
                    if (events.stream().filter(last::isInstance).count() == count) {
                        record = at;
                    }
                }
            }
            trial = new MemoryStore();
        }
        try (Engine first = new Engine(new CrashInjector(store, record, Crash.AFTER), keys)) {
            Run<Diary> run = first.start(shape, Diary.of(0), "x");
            assertThatThrownBy(run::await).isInstanceOf(NotKept.class);
            return run.name();
        }
    }

    private Graph<Diary> sending(IfUnknown policy, AtomicInteger sent) {
        return Graphs.one((diary, context) -> {
            try {
                return diary.plus(
                        context.perform(
                                world.tool(
                                                "send",
                                                "mail",
                                                String.class,
                                                (text, call) -> "sent " + sent.incrementAndGet())
                                        .ifUnknown(policy)));
            } catch (OutcomeUnknown e) {
                return diary.plus("unknown");
            }
        });
    }

    /** The record says that it was begun, and no more. */
    private String begun(Graph<Diary> graph) {
        return crashed(graph, Event.EffectIntent.class, 1);
    }

    @Test
    void whatDoesNoHarmTwiceIsDoneAgainWithTheSameKey() {
        AtomicInteger sent = new AtomicInteger();
        Graph<Diary> graph = sending(IfUnknown.REPEAT, sent);
        String run = begun(graph);
        Status.Finished<Diary> end = Engine.finished(engine.resume(graph, run));
        assertThat(end.state().lines()).containsExactly("sent " + sent.get());
        assertThat(world.count(run + "/only#1:1")).isEqualTo(1);
        engine.assertFaithful(graph, run);
    }

    @Test
    void whatMayHaveBeenDoneTheNodeIsTold() {
        AtomicInteger sent = new AtomicInteger();
        Graph<Diary> graph = sending(IfUnknown.TELL, sent);
        String run = begun(graph);
        Status.Finished<Diary> end = Engine.finished(engine.resume(graph, run));
        assertThat(end.state().lines()).containsExactly("unknown");
        assertThat(world.count(run + "/only#1:1")).isZero();
        engine.assertFaithful(graph, run);
    }

    @Test
    void whetherToDoItAgainAPersonIsAskedEachTime() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        Graph<Diary> graph = sending(IfUnknown.ASK, sent);
        String run = begun(graph);
        // It is approved, and interrupted again.
        try (Engine second = new Engine(store, keys)) {
            CountDownLatch begun = new CountDownLatch(1);
            Graph<Diary> hanging =
                    Graphs.one((diary, context) ->
                            diary.plus(
                                    context.perform(
                                            world.tool(
                                                            "send",
                                                            "mail",
                                                            String.class,
                                                            (text, call) -> {
                                                                begun.countDown();
                                                                new CountDownLatch(1).await();
                                                                return "never";
                                                            })
                                                    .ifUnknown(IfUnknown.ASK))));
            Run<Diary> resumed = second.resume(hanging, run);
            OpenQuestion question = Engine.waiting(resumed).questions().getFirst();
            assertThat(question.question().text())
                    .startsWith("tool send was interrupted, and nobody knows");
            second.runs().answer(run, question.key(), "yes", "me");
            begun.await();
        }
        Run<Diary> resumed = engine.resume(graph, run);
        OpenQuestion question = Engine.waiting(resumed).questions().getFirst();
        engine.runs().answer(run, question.key(), "yes", "me again");
        Status.Finished<Diary> end = Engine.atLast(resumed);
        assertThat(end.state().lines()).containsExactly("sent " + sent.get());
        engine.assertFaithful(graph, run);
    }

    @Test
    void whatAPersonDoesNotWantDoneAgainIsUnknown() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        Graph<Diary> graph = sending(IfUnknown.ASK, sent);
        String run = begun(graph);
        Run<Diary> resumed = engine.resume(graph, run);
        OpenQuestion question = Engine.waiting(resumed).questions().getFirst();
        engine.runs().answer(run, question.key(), "no", "me");
        assertThat(Engine.atLast(resumed).state().lines()).containsExactly("unknown");
        assertThat(world.count(run + "/only#1:1")).isZero();
        engine.assertFaithful(graph, run);
    }

    /** The answer could be found and taken for one to each time. */
    @Test
    void nothingIsDoneAgainUntilTheAnswerIsOnRecord() {
        AtomicInteger sent = new AtomicInteger();
        Graph<Diary> graph = sending(IfUnknown.ASK, sent);
        String run = begun(graph);
        OpenQuestion question = Engine.waiting(engine.resume(graph, run)).questions().getFirst();
        int before = sent.get();
        TraceStore full =
                new StoreInFront(store) {
                    @Override
                    public CompletableFuture<Void> append(Append append) {
                        return append.entries().stream().anyMatch(ResumeTest::isAnswer)
                                ? CompletableFuture.failedFuture(new NotKept("No space left"))
                                : super.append(append);
                    }
                };
        try (Engine other = new Engine(full, keys)) {
            Run<Diary> resumed = other.runs().resume(graph, run);
            Engine.waiting(resumed);
            other.runs().answer(run, question.key(), "yes", "me");
            assertThatThrownBy(resumed::awaitEnd).isInstanceOf(TraceException.class);
        }
        assertThat(sent).hasValue(before);
    }

    private static boolean isAnswer(Entry entry) {
        return entry.event() instanceof Event.EffectOutcome outcome
                && outcome.id().kind().equals(Desk.KIND);
    }

    /** A program of two nodes, and what may be different in another version of it. */
    private final class Program {
        private String first = "a";
        private int effects = 2;
        private String mark = "";

        Graph<Diary> graph() {
            return Graph.of("program", Diary.class)
                    .node("early", (diary, context) -> diary.plus(say(context, "early") + mark))
                    .node(
                            "late",
                            (diary, context) -> {
                                Diary now = diary.plus(say(context, first));
                                for (int i = 1; i < effects; i++) {
                                    now = now.plus(say(context, "more " + i));
                                }
                                return now;
                            })
                    .fanOut(
                            "count",
                            Integer.class,
                            branches ->
                                    branches.add("x", (diary, context) -> 1)
                                            .add("y", (diary, context) -> 2),
                            Join.all((diary, numbers) -> diary.plus("one" + numbers)))
                    .node("last", (diary, context) -> diary.plus(say(context, "last")))
                    .edge("early", "late")
                    .choose("late", diary -> mark.equals("!") ? "last" : "count", "count", "last")
                    .edge("count", "last")
                    .edge("last", Graph.END)
                    .build();
        }
    }

    private String say(Context context, String what) {
        return new Graphs(world).say(context, what);
    }

    private Program program(java.util.function.Consumer<Program> change) {
        Program program = new Program();
        change.accept(program);
        return program;
    }

    /** Another program is refused, nothing of it is recorded, and the right one goes on. */
    private String refusal(Graph<Diary> wrong, Class<? extends Event> last, int count) {
        Graph<Diary> right = new Program().graph();
        String run = crashed(right, last, count);
        int performed = world.performed().size();
        long before = recorded(run);
        Divergence divergence = Engine.differs(engine.resume(wrong, run));
        assertThat(world.performed()).hasSize(performed);
        assertThat(recorded(run)).isEqualTo(before);
        Status.Finished<Diary> end = Engine.finished(engine.resume(right, run));
        assertThat(end.isCompleted()).isTrue();
        assertThat(end.state().lines())
                .containsExactly("said early", "said a", "said more 1", "one[1, 2]", "said last");
        engine.assertFaithful(right, run);
        return divergence.sentence();
    }

    /** Beside that somebody has taken it over. */
    private long recorded(String run) {
        return engine.entries(run).stream()
                .filter(entry -> !(entry.event() instanceof RunClaimed))
                .count();
    }

    @Test
    void aChangedArgumentIsNamed() {
        assertThat(refusal(program(p -> p.first = "b").graph(), EffectOutcome.class, 3))
                .isEqualTo("late#1, the arguments of say: recorded \"a\", now \"b\"");
    }

    @Test
    void anEffectThatIsNotWantedAnyMoreIsNamed() {
        assertThat(refusal(program(p -> p.effects = 1).graph(), EffectOutcome.class, 3))
                .isEqualTo("late#1, what it does: recorded 2 effects and notes, now 1");
    }

    @Test
    void anotherEdgeIsNamed() {
        assertThat(refusal(program(p -> p.mark = "!").graph(), NodeFinished.class, 2))
                .isEqualTo("late#1, edge of node.finished: recorded count, now last");
    }

    @Test
    void anotherShapeIsNamed() {
        Graph<Diary> other =
                Graph.of("program", Diary.class)
                        .node("early", (diary, context) -> diary)
                        .edge("early", Graph.END)
                        .build();
        assertThat(refusal(other, NodeFinished.class, 1))
                .startsWith("the graph, nodes/count: recorded {\"next\":[\"last\"],\"branches\"")
                .endsWith(", now not there");
    }

    record Person(String name, int age) {}

    record Named(String name) {}

    /** Finds somebody, and asks a question. */
    private <S, F> Graph<S> finding(Class<S> state, Class<F> found, F who) {
        return Graph.of("program", state)
                .node("pass", (now, context) -> now)
                .node(
                        "find",
                        (now, context) -> {
                            context.perform(world.tool("find", "a", found, (a, call) -> who));
                            context.ask(Question.choice("Go on?", "yes", "no"));
                            return now;
                        })
                .edge("pass", "find")
                .edge("find", Graph.END)
                .build();
    }

    @Test
    void aStateAndAResultThatTheProgramCannotReadAnyMoreAreNamed() {
        Person anna = new Person("Anna", 5);
        Named bare = new Named("Anna");
        Graph<Person> right = finding(Person.class, Person.class, anna);
        Run<Person> run;
        try (Engine first = new Engine(store, keys)) {
            run = first.start(right, anna, "x");
            Engine.waiting(run);
        }
        long before = recorded(run.name());

        Graph<Named> another = finding(Named.class, Person.class, anna);
        String state =
                "the graph, its state: recorded {\"name\":\"Anna\",\"age\":5}, now Named(String name)";
        assertThat(Engine.differs(engine.resume(another, run.name())).sentence()).isEqualTo(state);
        assertThat(engine.runs().replay(another, run.name()).divergence())
                .get()
                .extracting(Divergence::sentence)
                .isEqualTo(state);
        assertThatThrownBy(() -> engine.fork(another, run.name(), 3))
                .isInstanceOf(IllegalArgumentException.class);
        Graph<Person> forgetful = finding(Person.class, Named.class, bare);
        assertThat(Engine.differs(engine.resume(forgetful, run.name())).sentence())
                .isEqualTo(
                        "find#1, the result of find: recorded {\"name\":\"Anna\",\"age\":5}, now"
                                + " Named(String name)");
        assertThat(recorded(run.name())).isEqualTo(before);

        Run<Person> resumed = engine.resume(right, run.name());
        String question = Engine.waiting(resumed).questions().getFirst().key();
        engine.runs().answer(run.name(), question, "yes", "anna");
        assertThat(((Status.Finished<Person>) resumed.awaitEnd()).state()).isEqualTo(anna);
    }

    @Test
    void somethingElseInThePlaceOfAnEffectIsNamed() {
        Graph<Diary> right =
                Graphs.one((diary, context) -> {
                    String said = say(context, "a");
                    return diary.plus(said, say(context, "b"));
                });
        Graph<Diary> wrong =
                Graphs.one((diary, context) -> {
                    context.note("a");
                    return diary.plus(say(context, "b"), "");
                });
        String run = crashed(right, EffectOutcome.class, 1);
        assertThat(Engine.differs(engine.resume(wrong, run)).sentence())
                .isEqualTo("only#1, what it does: recorded effect.intent, now note");
    }

    @Test
    void aNodeThatCatchesEverythingCannotHideThatItDiffers() {
        Graph<Diary> right =
                Graphs.one((diary, context) -> diary.plus(say(context, "a"), say(context, "b")));
        Graph<Diary> wrong =
                Graphs.one((diary, context) -> {
                    try {
                        return diary.plus(say(context, "x"));
                    } catch (Throwable e) {
                        return diary.plus("caught");
                    }
                });
        String run = crashed(right, EffectOutcome.class, 1);
        assertThat(Engine.differs(engine.resume(wrong, run)).sentence())
                .contains("the arguments of say");
    }

    @Test
    void ofTwoProcessesThatResumeAtOnceOnlyOneGoesOn() throws Exception {
        for (int round = 0; round < 20; round++) {
            Graph<Diary> graph = new Graphs(world).subgraph();
            String run;
            try (Engine first = new Engine(new CrashInjector(store, 9, Crash.AFTER), keys)) {
                Run<Diary> started = first.start(graph, Diary.of(3), "x");
                run = started.name();
                assertThatThrownBy(started::await).isInstanceOf(NotKept.class);
            }
            CyclicBarrier together = new CyclicBarrier(2);
            List<String> ends = new java.util.concurrent.CopyOnWriteArrayList<>();
            List<Thread> threads =
                    Stream.of(1, 2)
                            .map(i ->
                                    Thread.startVirtualThread(() -> {
                                        try (Engine own = new Engine(store, keys)) {
                                            together.await();
                                            Run<Diary> resumed = own.resume(graph, run);
                                            ends.add(resumed.await().getClass().getSimpleName());
                                        } catch (Conflict | NoSuchRun e) {
                                            // The other one was quicker, or has finished.
                                            ends.add("Conflict");
                                        } catch (Exception e) {
                                            ends.add(e.toString());
                                        }
                                    }))
                            .toList();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(ends).containsExactlyInAnyOrder("Finished", "Conflict");
            // One may be done twice, by both: none after its outcome was known.
            List<EffectOutcome> outcomes = engine.events(run, EffectOutcome.class);
            assertThat(outcomes.stream().map(outcome -> outcome.id().key()).distinct())
                    .hasSize(outcomes.size());
            engine.assertFaithful(graph, run);
        }
    }

    @Test
    void whoWasTakenOverIsTold() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Graph<Diary> graph =
                Graphs.one((diary, context) ->
                        diary.plus(
                                context.perform(
                                        world.tool(
                                                "wait",
                                                1,
                                                String.class,
                                                (n, call) -> {
                                                    begun.countDown();
                                                    go.await();
                                                    return "done";
                                                }))));
        Run<Diary> first = engine.start(graph, Diary.of(0), "x");
        begun.await();
        try (Engine other = new Engine(store, keys)) {
            Run<Diary> second = other.resume(graph, first.name());
            while (other.events(first.name(), RunClaimed.class).isEmpty()) {
                Thread.sleep(1);
            }
            go.countDown();
            assertThat(Engine.finished(second).isCompleted()).isTrue();
            assertThatThrownBy(first::await).isInstanceOf(Conflict.class);
            other.assertFaithful(graph, first.name());
        }
    }

    @Test
    void aFinishedRunIsNotResumedAndNoRunOfAnotherKindIs() {
        Graph<Diary> graph = Graphs.one((diary, context) -> diary);
        String run = engine.run(graph, Diary.of(0)).run();
        assertThatThrownBy(() -> engine.resume(graph, run))
                .isInstanceOf(NoSuchRun.class)
                .hasMessage("The run " + run + " is finished");
        assertThatThrownBy(() -> engine.resume(graph, "nobody")).isInstanceOf(NoSuchRun.class);
        String other = engine.trace().start("exec", "x", new byte[] {'{', '}'}, "text/plain").run();
        assertThatThrownBy(() -> engine.resume(graph, other))
                .isInstanceOf(NotReplayable.class)
                .hasMessage("The run " + other + " is not a run of a graph");
    }

    /** Exceptions name objects by where they are in memory. */
    @Test
    void whatAFailureSaidStaysTheSameHoweverOftenItIsDerived() {
        Graph<Diary> graph =
                Graph.of("odd", Diary.class)
                        .map(
                                "each",
                                String.class,
                                diary -> List.of(1),
                                (Integer n, Context context) -> {
                                    throw new IllegalStateException(new Object().toString());
                                },
                                Graphs.collected())
                        .node("last", (diary, context) -> diary.plus(say(context, "last")))
                        .edge("each", "last")
                        .edge("last", Graph.END)
                        .build();
        String run = crashed(graph, Event.NodeFailed.class, 1);
        Status.Finished<Diary> end = Engine.finished(engine.resume(graph, run));
        assertThat(end.isCompleted()).isTrue();
        engine.assertFaithful(graph, run);
    }
}
