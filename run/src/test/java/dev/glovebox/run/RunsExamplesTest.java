package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.spi.Decision;
import dev.glovebox.run.spi.GraphSource;
import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.run.support.CrashInjector;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.TraceException;
import dev.glovebox.trace.store.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/runs.md}. */
class RunsExamplesTest {

    record Essay(String topic, String text, int drafts) {

        Essay draft(String text) {
            return new Essay(topic, text, drafts + 1);
        }
    }

    /** Asks somebody to write; here it is a text that gets longer. */
    record Write(String arguments) implements Effect<String, String> {

        @Override
        public String kind() {
            return "model";
        }

        @Override
        public String name() {
            return "writer";
        }

        @Override
        public Class<String> resultType() {
            return String.class;
        }

        @Override
        public Done<String> perform(Call call) {
            String text = "All there is to say about " + arguments; // by the key call.key()
            return Done.of(text, Cost.NONE.tokens(40).modelCalls(1));
        }

        @Override
        public Cost atMost() {
            return Cost.NONE.tokens(100).modelCalls(1);
        }
    }

    Graph<Essay> essay =
            Graph.of("essay", Essay.class)
                    .node(
                            "write",
                            (state, context) ->
                                    state.draft(context.perform(new Write(state.topic()))))
                    .node(
                            "cut",
                            (state, context) -> {
                                context.note("draft " + state.drafts());
                                return new Essay(
                                        state.topic(), state.text().strip(), state.drafts());
                            })
                    .edge("write", "cut")
                    .choose(
                            "cut",
                            state -> state.drafts() < 2 ? "write" : Graph.END,
                            "write",
                            Graph.END)
                    .build();

    @Test
    void aGraph(@TempDir Path home) {
        try (Trace trace =
                        Trace.open(
                                SqliteStore.open(home.resolve("trace.db")), home.resolve("keys"));
                Runs runs = Runs.in(trace)) {
            Run<Essay> run = runs.start(essay, new Essay("gloves", "", 0), "An essay");
            String result =
                    switch (run.await()) {
                        case Status.Finished<Essay> end -> end.reason() + ": " + end.state().text();
                        case Status.Waiting<Essay> asks -> asks.questions().toString();
                        case Status.Differs<Essay> differs -> differs.divergence().sentence();
                    };
            assertThat(result).isEqualTo("Completed[]: All there is to say about gloves");
        }
        assertThat(essay.mermaid()).contains("flowchart TD", "write", "cut");
    }

    private static void in(Path keys, BiConsumer<Trace, Runs> what) {
        try (Trace trace = Trace.open(new MemoryStore(), keys);
                Runs runs = Runs.in(trace)) {
            what.accept(trace, runs);
        }
    }

    private static <S> S result(Run<S> run) {
        return ((Status.Finished<S>) run.await()).state();
    }

    record Report(List<String> sources, List<String> findings) {

        Report with(List<String> found) {
            return new Report(sources, Stream.concat(findings.stream(), found.stream()).toList());
        }
    }

    private static String search(String where) {
        return "found in " + where;
    }

    @Test
    void branches(@TempDir Path keys) {
        Graph<Report> report =
                Graph.of("report", Report.class)
                        .fanOut(
                                "ask",
                                String.class,
                                branches ->
                                        branches.add("lawyer", (state, context) -> "legal")
                                                .add("engineer", (state, context) -> "sound"),
                                Join.all(Report::with))
                        .map(
                                "search",
                                String.class,
                                Report::sources,
                                (source, context) -> search(source),
                                8, // at once
                                Join.settled((state, results) ->
                                        state.with(
                                                results.stream()
                                                        .map(result ->
                                                                switch (result) {
                                                                    case Settled.Done<String>
                                                                                    done ->
                                                                            done.result();
                                                                    case Settled.Failed<String>
                                                                                    no ->
                                                                            no.problem();
                                                                })
                                                        .toList())))
                        .node(
                                "title",
                                essay.within(
                                        state -> new Essay("a title", "", 0),
                                        (state, title) -> state.with(List.of(title.text()))))
                        .edge("ask", "search")
                        .edge("search", "title")
                        .edge("title", Graph.END)
                        .build();
        in(
                keys,
                (trace, runs) -> {
                    Run<Report> run =
                            runs.start(
                                    report, new Report(List.of("a", "b"), List.of()), "A report");
                    assertThat(result(run).findings())
                            .containsExactly(
                                    "legal",
                                    "sound",
                                    "found in a",
                                    "found in b",
                                    "All there is to say about a title");
                });
    }

    @Test
    void resume(@TempDir Path keys) {
        MemoryStore store = new MemoryStore();
        World world = new World();
        CrashInjector crash = new CrashInjector(store, 5, CrashInjector.Crash.BEFORE);
        String name;
        try (Trace trace = Trace.open(crash, keys);
                Runs runs = Runs.in(trace)) {
            Run<Essay> run = runs.start(essay, new Essay("gloves", "", 0), "An essay");
            name = run.name();
            try {
                run.await();
            } catch (TraceException e) {
                assertThat(world.performed()).isEmpty();
            }
        }
        try (Trace trace = Trace.open(store, keys);
                Runs runs = Runs.in(trace)) {
            Run<Essay> resumed = runs.resume(essay, name);
            assertThat(result(resumed).drafts()).isEqualTo(2);
        }
    }

    record EssaySource(String kind, Graph<Essay> essay) implements GraphSource {

        @Override
        public Graph<?> graph(RecordedRun run) {
            return essay;
        }
    }

    @Test
    void replay(@TempDir Path keys) {
        in(
                keys,
                (trace, runs) -> {
                    Run<Essay> run = runs.start(essay, new Essay("gloves", "", 0), "An essay");
                    var _ = run.await();
                    String name = run.name();

                    Replay replay = runs.replay(essay, name);
                    assertThat(replay.isFaithful()).isTrue();

                    Replay repeated = runs.replay(essay, name, Set.of("model"));
                    assertThat(repeated.repeated()).allMatch(Replay.Repeated::isReproduced);

                    KnownGraphs graphs = KnownGraphs.of(new EssaySource("essay", essay));
                    Graph<?> found =
                            graphs.graph(trace, name); // graphs = KnownGraphs.onClassPath()
                    assertThat(runs.replay(found, name).isFaithful()).isTrue();

                    Graph<Essay> changed =
                            Graph.of("essay", Essay.class)
                                    .node(
                                            "write",
                                            (state, context) ->
                                                    state.draft(
                                                            context.perform(
                                                                    new Write(
                                                                            "nice "
                                                                                    + state
                                                                                            .topic()))))
                                    .node("cut", (state, context) -> state)
                                    .edge("write", "cut")
                                    .choose(
                                            "cut",
                                            state -> state.drafts() < 2 ? "write" : Graph.END,
                                            "write",
                                            Graph.END)
                                    .build();
                    assertThat(runs.replay(changed, name).divergence().orElseThrow().sentence())
                            .isEqualTo(
                                    "write#1, the arguments of writer: recorded \"gloves\", now \"nice gloves\"");

                    Run<Essay> fork = runs.fork(changed, name, 3);
                    assertThat(result(fork).text())
                            .isEqualTo("All there is to say about nice gloves");
                });
    }

    @Test
    void budgets(@TempDir Path keys) {
        in(
                keys,
                (trace, runs) -> {
                    Budget budget =
                            Budget.unlimited()
                                    .tokens(120)
                                    .dollars("0.50")
                                    .toolCalls(10)
                                    .wall(Duration.ofMinutes(5));
                    Run<Essay> run =
                            runs.start(
                                    essay,
                                    new Essay("gloves", "", 0),
                                    RunOptions.titled("An essay").budget(budget));
                    Status.Finished<Essay> end = (Status.Finished<Essay>) run.await();
                    assertThat(end.reason())
                            .isEqualTo(new StopReason.BudgetExhausted(Resource.TOKENS, 120));
                    assertThat(end.state().drafts()).isEqualTo(1); // as much as there is
                    assertThat(end.left().tokens()).isEqualTo(80);
                });
    }

    record Order(String what, String answer) {}

    @Test
    void questions(@TempDir Path keys) {
        Graph<Order> order =
                Graph.of("order", Order.class)
                        .node(
                                "confirm",
                                (state, context) -> {
                                    Answer answer =
                                            context.ask(
                                                    Question.choice(
                                                                    "Order " + state.what() + "?",
                                                                    "yes",
                                                                    "no")
                                                            .within(Duration.ofDays(2))
                                                            .otherwise("no"));
                                    return new Order(
                                            state.what(), answer.text() + " by " + answer.by());
                                })
                        .edge("confirm", Graph.END)
                        .build();
        in(
                keys,
                (trace, runs) -> {
                    Run<Order> run = runs.start(order, new Order("gloves", ""), "An order");
                    run.await(); // Waiting: nothing of the run is in memory that must not be lost

                    for (OpenQuestion question : runs.questions(run.name())) {
                        runs.answer(run.name(), question.key(), "yes", "anna@example.com");
                    }
                    assertThat(((Status.Finished<Order>) run.awaitEnd()).state().answer())
                            .isEqualTo("yes by anna@example.com");
                });
    }

    @Test
    void interceptors(@TempDir Path keys) {
        Interceptor approval =
                request ->
                        request.kind().equals("model")
                                ? new Decision.Approve(
                                        Question.approval("Ask " + request.name() + "?"))
                                : Decision.ALLOW;
        try (Trace trace = Trace.open(new MemoryStore(), keys);
                Runs runs = Runs.in(trace, approval)) {
            Run<Essay> run = runs.start(essay, new Essay("gloves", "", 0), "An essay");
            run.await();
            OpenQuestion question = runs.questions(run.name()).getFirst();
            runs.answer(run.name(), question.key(), "no", "ben");
            assertThat(run.await().stop())
                    .contains(new StopReason.ApprovalDenied("Ask writer?", "ben"));
        }
    }

    @Test
    void cancelling(@TempDir Path keys) {
        CountDownLatch begun = new CountDownLatch(1);
        World world = new World();
        Graph<Order> slow =
                Graph.of("slow", Order.class)
                        .node(
                                "wait",
                                (state, context) -> {
                                    Instant now = context.now();
                                    context.perform(
                                            world.tool(
                                                    "sleep",
                                                    now.toString(),
                                                    String.class,
                                                    (a, call) -> {
                                                        begun.countDown();
                                                        Thread.sleep(Duration.ofHours(1));
                                                        return "slept";
                                                    }));
                                    return state;
                                })
                        .edge("wait", Graph.END)
                        .build();
        in(
                keys,
                (trace, runs) -> {
                    Run<Order> run = runs.start(slow, new Order("gloves", ""), "Wait");
                    await(begun);
                    runs.cancel(run.name(), "anna");
                    assertThat(run.await().stop()).contains(new StopReason.Cancelled("anna"));
                });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
