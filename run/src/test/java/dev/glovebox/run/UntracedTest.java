package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.spi.Decision;
import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.NoSuchRun;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.RunQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of which nothing is kept do the same as others, and cannot be asked about. */
class UntracedTest {

    private static final RunOptions UNTRACED = RunOptions.titled("untraced").untraced();

    private final World world = new World();
    private final MemoryStore store = new MemoryStore();
    @TempDir Path keys;

    private record Tally(List<String> words) {

        Tally plus(List<String> more) {
            List<String> all = new ArrayList<>(words);
            all.addAll(more);
            return new Tally(List.copyOf(all));
        }
    }

    private Effect<?, String> say(String word) {
        Cost once = Cost.NONE.toolCalls(1);
        return world.tool("say", word, String.class, (said, call) -> "<" + said + ">")
                .costs(once, once);
    }

    /** A node, a list, branches that may fail, and a graph within, twice round. */
    private Graph<Tally> everything() {
        Graph<Tally> inner =
                Graph.of("inner", Tally.class)
                        .node("in", (tally, context) -> tally.plus(List.of(context.path())))
                        .edge("in", Graph.END)
                        .build();
        return Graph.of("everything", Tally.class)
                .node(
                        "all",
                        (tally, context) ->
                                tally.plus(
                                        context.performAll(
                                                List.of(
                                                        say("a" + tally.words().size()),
                                                        say("b" + tally.words().size())))))
                .map(
                        "each",
                        String.class,
                        Tally::words,
                        (word, context) -> context.perform(say(word)),
                        2,
                        Join.all(Tally::plus))
                .fanOut(
                        "fan",
                        String.class,
                        branches ->
                                branches.add("good", (tally, context) -> context.path())
                                        .add(
                                                "bad",
                                                (tally, context) -> {
                                                    throw new IllegalStateException("bad luck");
                                                }),
                        Join.settled((tally, results) ->
                                tally.plus(results.stream().map(String::valueOf).toList())))
                .node("inner", inner.within(tally -> tally, (before, after) -> after))
                .edge("all", "each")
                .edge("each", "fan")
                .edge("fan", "inner")
                .choose(
                        "inner",
                        tally -> tally.words().size() < 20 ? "all" : Graph.END,
                        "all",
                        Graph.END)
                .build();
    }

    private <S> Status.Finished<S> run(
            Graph<S> graph, S state, RunOptions options, Interceptor... interceptors) {
        try (Engine engine = new Engine(store, keys, interceptors)) {
            return (Status.Finished<S>) engine.runs().start(graph, state, options).await();
        }
    }

    @Test
    void itDoesTheSameAsOneThatIsRecorded() {
        Tally empty = new Tally(List.of());
        var recorded = run(everything(), empty, RunOptions.titled("recorded"));
        var untraced = run(everything(), empty, UNTRACED);

        assertThat(untraced.isCompleted()).isTrue();
        assertThat(untraced.state()).isEqualTo(recorded.state());
        assertThat(untraced.spent()).isEqualTo(recorded.spent());
    }

    @Test
    void nothingIsKeptOfIt() {
        var end = run(everything(), new Tally(List.of()), UNTRACED);
        try (Trace trace = Trace.open(store, keys);
                Runs runs = Runs.in(trace)) {
            assertThat(trace.runs(RunQuery.newest(10))).isEmpty();
            assertThatThrownBy(() -> runs.resume(everything(), end.run()))
                    .isInstanceOf(NoSuchRun.class);
            assertThatThrownBy(() -> runs.replay(everything(), end.run()))
                    .isInstanceOf(NoSuchRun.class);
        }
    }

    private Graph<Diary> saying(String word, int times) {
        return Graphs.one((diary, context) -> {
            Diary now = diary;
            for (int i = 0; i < times; i++) {
                now = now.plus(context.perform(say(word)));
            }
            return now;
        });
    }

    @Test
    void budgetsInterceptorsAndLoopsStopIt() {
        RunOptions twice = UNTRACED.budget(Budget.unlimited().toolCalls(2));
        assertThat(run(saying("more", 3), Diary.of(0), twice).reason())
                .isEqualTo(new StopReason.BudgetExhausted(Resource.TOOL_CALLS, 2));
        assertThat(world.performed()).hasSize(2);
        assertThat(run(saying("again", 9), Diary.of(0), UNTRACED).reason())
                .isInstanceOf(StopReason.LoopDetected.class);
        assertThat(
                        run(
                                        saying("no", 1),
                                        Diary.of(0),
                                        UNTRACED,
                                        request ->
                                                new Decision.Refuse("not " + request.arguments()))
                                .reason())
                .isInstanceOfSatisfying(
                        StopReason.ToolFailed.class,
                        failed -> assertThat(failed.toString()).contains("not \"no\""));
    }

    @Test
    void whatWouldAskAPersonStopsIt() {
        Question question = Question.approval("Really?");
        assertThat(
                        run(
                                        Graphs.one((diary, context) ->
                                                diary.plus(context.ask(question).text())),
                                        Diary.of(0),
                                        UNTRACED)
                                .reason())
                .isEqualTo(new StopReason.NeedsInput("Really?"));
        assertThat(
                        run(
                                        saying("it", 1),
                                        Diary.of(0),
                                        UNTRACED,
                                        request -> new Decision.Approve(question))
                                .reason())
                .isInstanceOf(StopReason.ApprovalDenied.class);
        assertThat(world.performed()).isEmpty();
    }

    @Test
    void itIsCancelledLikeAnother() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        Graph<Diary> waiting =
                Graphs.one((diary, context) -> {
                    began.countDown();
                    Thread.sleep(Duration.ofMinutes(5));
                    return diary;
                });
        try (Engine engine = new Engine(store, keys)) {
            Run<Diary> run = engine.runs().start(waiting, Diary.of(0), UNTRACED);
            began.await();
            engine.runs().cancel(run.name(), "anna");
            assertThat(run.await().stop()).contains(new StopReason.Cancelled("anna"));
        }
    }

    @Test
    void aNodeThatThrowsIsNamed() {
        Graph<Diary> failing =
                Graphs.one((diary, context) -> {
                    throw new IllegalStateException("bad luck");
                });
        assertThat(run(failing, Diary.of(0), UNTRACED).reason())
                .isEqualTo(new StopReason.Failed("only#1", "IllegalStateException: bad luck"));
    }
}
