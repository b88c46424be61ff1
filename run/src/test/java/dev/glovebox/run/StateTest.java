package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.MemoryStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** States belong to one run, and in it to one node at a time. */
class StateTest {

    private static final int RUNS = 1_000;

    /** A state with something inside that can be changed. */
    record Basket(String owner, ArrayList<String> things) {

        static Basket of(String owner) {
            return new Basket(owner, new ArrayList<>());
        }
    }

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

    private Graph<Basket> filling() {
        return Graph.of("filling", Basket.class)
                .node(
                        "fill",
                        (basket, context) -> {
                            basket.things()
                                    .add(
                                            context.perform(
                                                    world.tool(
                                                            "fetch",
                                                            basket.owner() + basket.things().size(),
                                                            String.class,
                                                            (what, call) -> what)));
                            return basket;
                        })
                .choose(
                        "fill",
                        basket -> basket.things().size() < 3 ? "fill" : Graph.END,
                        "fill",
                        Graph.END)
                .build();
    }

    @Test
    void aThousandRunsOfOneGraphAtOnceDoNotSeeEachOther() {
        Graph<Basket> graph = filling();
        Basket[] given = new Basket[RUNS];
        List<Run<Basket>> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            given[i] = Basket.of("run " + i + " ");
            runs.add(engine.start(graph, given[i], "stress"));
        }
        for (int i = 0; i < RUNS; i++) {
            Status.Finished<Basket> end = Engine.finished(runs.get(i));
            String owner = "run " + i + " ";
            assertThat(end.state())
                    .isEqualTo(
                            new Basket(
                                    owner,
                                    new ArrayList<>(
                                            List.of(owner + "0", owner + "1", owner + "2"))));
            assertThat(given[i].things()).isEmpty();
        }
        for (int i = 0; i < RUNS; i += 100) {
            engine.assertFaithful(graph, runs.get(i).name());
        }
    }

    @Test
    void oneObjectGivenToManyRunsIsNotSharedByThem() {
        Graph<Basket> graph = filling();
        Basket shared = Basket.of("all ");
        List<Run<Basket>> runs =
                IntStream.range(0, 50)
                        .mapToObj(i -> engine.start(graph, shared, "shared"))
                        .toList();
        runs.forEach(run -> assertThat(Engine.finished(run).state().things()).hasSize(3));
        assertThat(shared.things()).isEmpty();
    }

    @Test
    void whatABranchDoesToItsStateNeitherSiblingsNorTheReducerSee() {
        Graph<Basket> graph =
                Graph.of("branches", Basket.class)
                        .fanOut(
                                "both",
                                Integer.class,
                                branches ->
                                        branches.add("a", StateTest::addAndCount)
                                                .add("b", StateTest::addAndCount)
                                                .add("c", StateTest::addAndCount),
                                Join.all((basket, counts) -> {
                                    List<String> told =
                                            counts.stream().map(n -> "saw " + n).toList();
                                    basket.things().addAll(told);
                                    return basket;
                                }))
                        .edge("both", Graph.END)
                        .build();
        Status.Finished<Basket> end = engine.run(graph, Basket.of("x"));
        assertThat(end.state().things()).containsExactly("saw 1", "saw 1", "saw 1");
        engine.assertFaithful(graph, end.run());
    }

    private static Integer addAndCount(Basket basket, Context context) {
        basket.things().add("mine");
        return basket.things().size();
    }

    @Test
    void whatABranchDoesToItsElementTheReducerDoesNotSee() {
        record Shelf(ArrayList<Basket> baskets) {}
        Graph<Shelf> graph =
                Graph.of("elements", Shelf.class)
                        .map(
                                "each",
                                Integer.class,
                                Shelf::baskets,
                                StateTest::addAndCount,
                                Join.all((shelf, counts) -> shelf))
                        .edge("each", Graph.END)
                        .build();
        Status.Finished<Shelf> end =
                engine.run(
                        graph, new Shelf(new ArrayList<>(List.of(Basket.of("a"), Basket.of("b")))));
        assertThat(end.state().baskets()).allMatch(basket -> basket.things().isEmpty());
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void aNodeThatFailsLeavesTheStateAsItWasWhateverItDidToIt() {
        Graph<Basket> graph =
                Graph.of("failing", Basket.class)
                        .node(
                                "fail",
                                (basket, context) -> {
                                    basket.things().add("half of it");
                                    throw new IllegalStateException("No");
                                })
                        .edge("fail", Graph.END)
                        .build();
        Status.Finished<Basket> end = engine.run(graph, Basket.of("x"));
        assertThat(end.state()).isEqualTo(Basket.of("x"));
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void aStateThatCannotBeReadAgainIsRefusedBeforeTheRunBegins() {
        record Odd(Runnable what) {}
        Graph<Odd> graph =
                Graph.of("odd", Odd.class)
                        .node("only", (odd, context) -> odd)
                        .edge("only", Graph.END)
                        .build();
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> engine.start(graph, new Odd(() -> {}), "odd"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Cannot be read as a " + Odd.class.getName());
        assertThat(engine.trace().runs(dev.glovebox.trace.spi.RunQuery.newest(10))).isEmpty();
    }

    @Test
    void largeNumbersSurviveInStatesAndArguments() {
        record Large(long number, java.math.BigDecimal exact) {}
        Large large = new Large(Long.MAX_VALUE, new java.math.BigDecimal("1e400"));
        Graph<Large> graph =
                Graph.of("large", Large.class)
                        .node(
                                "echo",
                                (state, context) ->
                                        context.perform(
                                                world.tool(
                                                        "echo",
                                                        state,
                                                        Large.class,
                                                        (given, call) -> given)))
                        .edge("echo", Graph.END)
                        .build();
        Status.Finished<Large> end = engine.run(graph, large);
        assertThat(end.state()).isEqualTo(large);
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void textsThatNobodyCanEncodeDoNotEndTheRun() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    context.note("half \uD83D");
                    return diary.plus(
                            context.perform(
                                    world.tool(
                                                    "half \uD83D",
                                                    "half \uD83D",
                                                    String.class,
                                                    (text, call) -> text + "\uDE00")
                                            .agent("agent \uD83D")));
                });
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.reason()).isEqualTo(new StopReason.Completed());
        engine.assertFaithful(graph, end.run());
    }
}
