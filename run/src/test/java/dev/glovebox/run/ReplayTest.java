package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.NodeFinished;
import dev.glovebox.trace.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTest {

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

    private Graph<Diary> named(String name) {
        return java.util.Objects.requireNonNull(new Graphs(world).all().get(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"loop", "fan-out", "nested", "subgraph", "failing"})
    void aReplayDoesNothingToTheWorldAndRecordsNothing(String name) {
        Status.Finished<Diary> end = engine.run(named(name), Diary.of(3));
        int performed = world.performed().size();
        int records = engine.entries(end.run()).size();
        engine.assertFaithful(named(name), end.run());
        assertThat(world.performed()).hasSize(performed);
        assertThat(engine.entries(end.run())).hasSize(records);
    }

    /** Goes on with what it is told of a failure. */
    private Graph<Diary> failing(Failure failure) {
        return Graphs.one((diary, context) -> {
            try {
                return diary.plus(
                        context.perform(
                                world.tool(
                                        "fail",
                                        "it",
                                        String.class,
                                        (text, call) -> {
                                            throw failure;
                                        })));
            } catch (EffectFailed e) {
                return diary.plus(e.getMessage());
            }
        });
    }

    @Test
    void whoeverFailsWithALongMessageIsReplayedFaithfully() {
        Graph<Diary> graph = failing(Failure.lasting("no", "No".repeat(5_000)));
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.state().lines()).singleElement().asString().contains("NoNo");
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void detailsThatNoRecordCouldHoldAreCut() {
        ArrayNode many = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < 100_000; i++) {
            many.add("finding " + i);
        }
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        details.put("long", "x".repeat(2 << 20)).set("many", many);
        Status.Finished<Diary> end =
                engine.run(failing(Failure.lasting("no", "No").details(details)), Diary.of(0));
        assertThat(end.isCompleted()).isTrue();
        assertThat(engine.events(end.run(), EffectOutcome.class))
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.details().path("many")).hasSize(1_000));
    }

    /** A prompt, an edge and a reducer that can be changed. */
    private Graph<Diary> graph(String prompt, String edge, String reducer) {
        return Graph.of("changing", Diary.class)
                .node(
                        "ask",
                        (diary, context) ->
                                diary.plus(
                                        context.perform(
                                                world.effect(
                                                        "model",
                                                        "m",
                                                        List.of("You are kind.", prompt),
                                                        String.class,
                                                        (text, call) -> "answer"))))
                .map(
                        "each",
                        String.class,
                        diary -> List.of(1, 2),
                        (Integer n, Context context) -> "n" + n,
                        Join.all((diary, all) -> diary.plus(String.join(reducer, all))))
                .choose("ask", diary -> edge, "each", Graph.END)
                .edge("each", Graph.END)
                .build();
    }

    private Replay replayed(Graph<Diary> now) {
        String run = engine.run(graph("Hello", "each", "+"), Diary.of(0)).run();
        Replay replay = engine.runs().replay(now, run);
        assertThat(replay.isFaithful()).isFalse();
        return replay;
    }

    @Test
    void aChangedPromptIsNamed() {
        assertThat(replayed(graph("Hi", "each", "+")).divergence().orElseThrow().sentence())
                .isEqualTo(
                        "ask#1, the arguments of m: recorded [\"You are kind.\",\"Hello\"]"
                                + ", now [\"You are kind.\",\"Hi\"]");
    }

    @Test
    void aChangedEdgeIsNamed() {
        assertThat(replayed(graph("Hello", Graph.END, "+")).divergence().orElseThrow().sentence())
                .isEqualTo("ask#1, edge of node.finished: recorded \"each\", now \"END\"");
    }

    @Test
    void aChangedReducerIsNamed() {
        assertThat(replayed(graph("Hello", "each", "-")).divergence().orElseThrow().sentence())
                .isEqualTo(
                        "each#1, the change of state: recorded {\"append\":{\"lines\":[\"n1+n2\"]}}"
                                + ", now {\"append\":{\"lines\":[\"n1-n2\"]}}");
    }

    @Test
    void anEffectMoreIsNamed() {
        String run = engine.run(Graphs.one((diary, context) -> diary), Diary.of(0)).run();
        Graph<Diary> more =
                Graphs.one((diary, context) -> {
                    new Graphs(world).say(context, "more");
                    return diary;
                });
        assertThat(engine.runs().replay(more, run).divergence().orElseThrow().sentence())
                .startsWith("only#1, effect.intent: recorded not there, now {");
        assertThat(world.performed()).isEmpty();
    }

    @Test
    void anEffectLessIsNamed() {
        Graph<Diary> two =
                Graphs.one((diary, context) -> {
                    new Graphs(world).say(context, "one");
                    new Graphs(world).say(context, "two");
                    return diary;
                });
        String run = engine.run(two, Diary.of(0)).run();
        Graph<Diary> one =
                Graphs.one((diary, context) -> {
                    new Graphs(world).say(context, "one");
                    return diary;
                });
        assertThat(engine.runs().replay(one, run).divergence().orElseThrow().sentence())
                .isEqualTo("only#1, what it does: recorded 2 effects and notes, now 1");
    }

    @Test
    void aFailureThatDoesNotHappenAnyMoreIsNamed() {
        Graph<Diary> failing =
                Graphs.one((diary, context) -> {
                    throw new IllegalStateException("No");
                });
        String run = engine.run(failing, Diary.of(0)).run();
        Graph<Diary> fine = Graphs.one((diary, context) -> diary);
        assertThat(engine.runs().replay(fine, run).divergence().orElseThrow().sentence())
                .isEqualTo("only#1, what it does: recorded node.failed, now node.finished");
    }

    @Test
    void branchesThatFinishInAnotherOrderAreTheSame() {
        for (int round = 0; round < 20; round++) {
            CountDownLatch[] turns =
                    IntStream.range(0, 6)
                            .mapToObj(i -> new CountDownLatch(1))
                            .toArray(CountDownLatch[]::new);
            AtomicBoolean replaying = new AtomicBoolean();
            Graph<Diary> graph =
                    Graphs.each(
                            5,
                            (n, context) -> {
                                String said = new Graphs(world).say(context, "a" + n);
                                if (!replaying.get() && n < 4) {
                                    // The last one first.
                                    turns[n + 1].await();
                                }
                                said += new Graphs(world).say(context, "b" + n);
                                turns[n].countDown();
                                return said;
                            });
            String run = engine.run(graph, Diary.of(0)).run();
            replaying.set(true);
            engine.assertFaithful(graph, run);
        }
    }

    private Graph<Diary> rolling(AtomicInteger dice) {
        return Graphs.one((diary, context) ->
                diary.plus(
                        context.perform(
                                world.effect(
                                        "sandbox.exec",
                                        "roll",
                                        1,
                                        String.class,
                                        (n, call) -> "rolled " + dice.get())),
                        new Graphs(world).say(context, "x")));
    }

    @Test
    void effectsOfAKindAreRepeatedAndCompared() {
        AtomicInteger dice = new AtomicInteger(3);
        Graph<Diary> graph = rolling(dice);
        String run = engine.run(graph, Diary.of(0)).run();
        Replay same = engine.runs().replay(graph, run, Set.of("sandbox.exec"));
        assertThat(same.isFaithful()).isTrue();
        assertThat(same.repeated())
                .singleElement()
                .satisfies(repeated -> {
                    assertThat(repeated.name()).isEqualTo("roll");
                    assertThat(repeated.isReproduced()).isTrue();
                });
        // Under another key, for whoever does nothing twice.
        assertThat(world.performed()).contains(run + "/only#1:1?replay");
        dice.set(5);
        Replay other = engine.runs().replay(graph, run, Set.of("sandbox.exec"));
        // The node goes on with what was recorded.
        assertThat(other.isFaithful()).isTrue();
        assertThat(other.repeated())
                .singleElement()
                .satisfies(repeated -> assertThat(repeated.isReproduced()).isFalse());
    }

    @Test
    void anEffectThatCannotBeRepeatedIsReported() {
        AtomicBoolean broken = new AtomicBoolean();
        Graph<Diary> graph =
                Graphs.one((diary, context) ->
                        diary.plus(
                                context.perform(
                                        world.effect(
                                                "sandbox.exec",
                                                "run",
                                                1,
                                                String.class,
                                                (n, call) -> {
                                                    if (broken.get()) {
                                                        throw Failure.lasting("gone", "No box");
                                                    }
                                                    return "ok";
                                                }))));
        String run = engine.run(graph, Diary.of(0)).run();
        broken.set(true);
        Replay replay = engine.runs().replay(graph, run, Set.of("sandbox.exec"));
        assertThat(replay.isFaithful()).isTrue();
        assertThat(replay.repeated())
                .singleElement()
                .satisfies(repeated -> {
                    assertThat(repeated.isReproduced()).isFalse();
                    assertThat(repeated.problem()).contains("No box");
                });
    }

    @Test
    void aRunThatTimedOutWithRacingBranchesIsReplayedAsItWas() {
        for (int round = 0; round < 50; round++) {
            Graph<Diary> graph =
                    Graphs.each(
                            4,
                            (n, context) -> {
                                String said = "";
                                for (int i = 0; i < 1_000; i++) {
                                    said = new Graphs(world).say(context, n + " " + i);
                                }
                                return said;
                            });
            Budget budget = Budget.unlimited().wall(Duration.ofMillis(5 + round % 5));
            Status.Finished<Diary> end = engine.run(graph, Diary.of(0), budget);
            assertThat(end.reason()).isInstanceOf(StopReason.TimedOut.class);
            engine.assertFaithful(graph, end.run());
        }
    }

    @Test
    void aRunThatIsNotFinishedIsReplayedAsFarAsItGoes() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    String said = new Graphs(world).say(context, "a");
                    return diary.plus(said, context.ask(Question.open("What?")).text());
                });
        Run<Diary> run = engine.start(graph, Diary.of(0), "x");
        Engine.waiting(run);
        Replay replay = engine.runs().replay(graph, run.name());
        assertThat(replay.divergence()).isEmpty();
        assertThat(replay.recorded()).isEmpty();
        assertThat(replay.isFaithful()).isTrue();
    }

    private void assertNotReplayable(Graph<Diary> graph, String run, BlobRef content) {
        engine.irreproducible(run);
        engine.trace().redact(content.digest(), "private after all");
        assertThatThrownBy(() -> engine.runs().replay(graph, run))
                .isInstanceOf(NotReplayable.class)
                .hasMessageContaining("deleted");
    }

    @Test
    void aRunWithoutTheResultsOfItsEffectsCannotBeReplayed() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    try {
                        return diary.plus(new Graphs(world).say(context, "a"));
                    } catch (RuntimeException e) {
                        return diary.plus("a node must not take that for a failure of its effect");
                    }
                });
        String run = engine.run(graph, Diary.of(0)).run();
        BlobRef result = engine.events(run, EffectOutcome.class).getFirst().result().orElseThrow();
        assertNotReplayable(graph, run, result);
    }

    @Test
    void aRunWithoutItsInputCannotBeReplayed() {
        Graph<Diary> graph = Graphs.one((diary, context) -> diary);
        Run<Diary> run = engine.start(graph, Diary.of(0), RunOptions.titled("x").inPrivate());
        Engine.finished(run);
        BlobRef input =
                engine.events(run.name(), dev.glovebox.trace.Event.RunStarted.class)
                        .getFirst()
                        .input();
        assertNotReplayable(graph, run.name(), input);
    }

    @Test
    void aRunWithoutArgumentsAndChangesIsStillReplayed() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> diary.plus(new Graphs(world).say(context, "abc")));
        for (RunOptions options :
                List.of(RunOptions.titled("x"), RunOptions.titled("x").inPrivate())) {
            Run<Diary> run = engine.start(graph, Diary.of(0), options);
            Engine.finished(run);
            String name = run.name();
            engine.trace()
                    .redact(
                            engine.events(name, EffectIntent.class).getFirst().arguments().digest(),
                            "x");
            engine.trace()
                    .redact(
                            engine.events(name, NodeFinished.class).getFirst().delta().digest(),
                            "x");
            assertThat(engine.runs().replay(graph, name).isFaithful()).isTrue();
        }
    }
}
