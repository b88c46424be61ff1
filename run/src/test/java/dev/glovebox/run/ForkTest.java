package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.OneRun;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.NodeFinished;
import dev.glovebox.trace.MemoryStore;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForkTest {

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

    private static Graph<Diary> named(World world, String name) {
        return java.util.Objects.requireNonNull(new Graphs(world).all().get(name));
    }

    private static Set<String> outcomes(List<Entry> entries) {
        return entries.stream()
                .map(Entry::event)
                .filter(EffectOutcome.class::isInstance)
                .map(event -> ((EffectOutcome) event).id().key())
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(strings = {"fan-out", "nested", "subgraph", "failing"})
    void aForkFromAnyRecordComesToTheSameEndAndIsWholeByItself(String name) {
        Status.Finished<Diary> origin = engine.run(named(new World(), name), Diary.of(2));
        List<Entry> records = engine.entries(origin.run());
        for (int from = 0; from <= records.size(); from++) {
            World world = new World();
            Graph<Diary> graph = named(world, name);
            Run<Diary> fork = engine.fork(graph, origin.run(), from);
            Status.Finished<Diary> end = Engine.finished(fork);
            assertThat(end.state()).isEqualTo(origin.state());
            assertThat(end.reason()).isEqualTo(origin.reason());
            // What has its outcome before that record is not performed, all else is.
            Set<String> expected = new HashSet<>(outcomes(records));
            expected.removeAll(outcomes(records.subList(0, from)));
            assertThat(world.performed())
                    .containsExactlyInAnyOrderElementsOf(
                            expected.stream().map(key -> fork.name() + "/" + key).toList());
            // Each effect is there once.
            List<EffectIntent> intents = engine.events(fork.name(), EffectIntent.class);
            assertThat(intents).hasSize(engine.events(origin.run(), EffectIntent.class).size());
            assertThat(intents.stream().map(intent -> intent.id().key()).distinct())
                    .hasSize(intents.size());
            // Whoever does not have the other run can check this one.
            try (Engine alone = new Engine(new OneRun(store, fork.name()), keys)) {
                alone.assertFaithful(graph, fork.name());
            }
        }
    }

    private Graph<Diary> chatting(World world, String model) {
        return Graph.of("chat", Diary.class)
                .node(
                        "chat",
                        (diary, context) ->
                                diary.plus(
                                        context.perform(
                                                world.effect(
                                                                "model",
                                                                model,
                                                                diary.lines(),
                                                                String.class,
                                                                (lines, call) ->
                                                                        model + lines.size())
                                                        .costs(
                                                                Cost.NONE.tokens(10),
                                                                Cost.NONE.tokens(10)))))
                .choose(
                        "chat",
                        diary -> diary.lines().size() < diary.size() ? "chat" : Graph.END,
                        "chat",
                        Graph.END)
                .build();
    }

    @Test
    void aForkGoesOnWithAnotherModel() {
        Status.Finished<Diary> origin = engine.run(chatting(new World(), "old"), Diary.of(4));
        long third =
                engine.entries(origin.run()).stream()
                        .filter(entry ->
                                entry.event() instanceof Event.NodeStarted started
                                        && started.path().equals("chat#3"))
                        .findFirst()
                        .orElseThrow()
                        .seq();
        World world = new World();
        Graph<Diary> graph = chatting(world, "new");
        Run<Diary> fork = engine.fork(graph, origin.run(), third);
        Status.Finished<Diary> end = Engine.finished(fork);
        assertThat(end.state().lines()).containsExactly("old0", "old1", "new2", "new3");
        assertThat(world.performed()).hasSize(2);
        // What it has taken over it has spent.
        assertThat(end.spent().tokens()).isEqualTo(40);
        // No program does both.
        engine.irreproducible(fork.name());
    }

    @Test
    void anEffectThatIsDifferentInANodeThatWasNotFinishedIsPerformedAnew() {
        World old = new World();
        Graph<Diary> before =
                Graphs.one((diary, context) ->
                        diary.plus(
                                new Graphs(old).say(context, "same"),
                                new Graphs(old).say(context, "old")));
        Status.Finished<Diary> origin = engine.run(before, Diary.of(0));
        World world = new World();
        Graph<Diary> after =
                Graphs.one((diary, context) ->
                        diary.plus(
                                new Graphs(world).say(context, "same"),
                                new Graphs(world).say(context, "new")));
        long end =
                engine.entries(origin.run()).stream()
                        .filter(entry -> entry.event() instanceof NodeFinished)
                        .findFirst()
                        .orElseThrow()
                        .seq();
        Run<Diary> fork = engine.fork(after, origin.run(), end);
        assertThat(Engine.finished(fork).state().lines()).containsExactly("said same", "said new");
        assertThat(world.performed()).containsExactly(fork.name() + "/only#1:2");
        engine.assertFaithful(after, fork.name());
    }

    @Test
    void aGraphThatWouldHaveGoneAnotherWayIsNoForkOfThat() {
        World world = new World();
        Status.Finished<Diary> origin = engine.run(chatting(world, "m"), Diary.of(2));
        Graph<Diary> shorter =
                Graph.of("chat", Diary.class)
                        .node("chat", (diary, context) -> diary)
                        .choose("chat", diary -> Graph.END, "chat", Graph.END)
                        .build();
        Run<Diary> fork = engine.fork(shorter, origin.run(), 1_000);
        assertThat(Engine.differs(fork).sentence())
                .isEqualTo("chat#1, edge of node.finished: recorded chat, now END");
    }

    @Test
    void answersAreTakenOverAndOpenQuestionsAreAskedAnew() throws Exception {
        Graph<Diary> graph =
                Graphs.one((diary, context) ->
                        diary.plus(
                                context.ask(Question.open("First?")).text(),
                                context.ask(Question.open("Second?")).text()));
        Run<Diary> origin = engine.start(graph, Diary.of(0), "x");
        engine.runs()
                .answer(
                        origin.name(),
                        Engine.waiting(origin).questions().getFirst().key(),
                        "one",
                        "me");
        while (engine.runs().questions(origin.name()).isEmpty()) {
            Thread.sleep(1);
        }
        Run<Diary> fork = engine.fork(graph, origin.name(), Long.MAX_VALUE);
        OpenQuestion open = Engine.waiting(fork).questions().getFirst();
        assertThat(open.question().text()).isEqualTo("Second?");
        engine.runs().answer(fork.name(), open.key(), "other", "me");
        assertThat(Engine.atLast(fork).state().lines()).containsExactly("one", "other");
        engine.assertFaithful(graph, fork.name());
        assertThat(Engine.waiting(origin).questions()).hasSize(1);
    }

    @Test
    void aForkOfAPrivateRunIsPrivate() {
        World world = new World();
        Graph<Diary> graph = chatting(world, "m");
        Run<Diary> origin = engine.start(graph, Diary.of(4), RunOptions.titled("x").inPrivate());
        Engine.finished(origin);
        Run<Diary> fork = engine.fork(graph, origin.name(), 8);
        assertThat(Engine.finished(fork).state().lines()).hasSize(4);
        engine.assertPrivate(fork.name());
        engine.assertFaithful(graph, fork.name());
    }
}
