package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.Conflict;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An effect that heeds no interruption keeps its thread, and not the run. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeftBehindTest {

    private static final RunOptions UNTRACED = RunOptions.titled("untraced").untraced();
    private static final Duration BRIEF = Duration.ofMillis(50);

    private final World world = new World();
    private final MemoryStore store = new MemoryStore();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final CountDownLatch gone = new CountDownLatch(1);
    @TempDir private Path keys;
    private Engine engine;

    @BeforeEach
    void open() {
        engine = new Engine(store, keys);
    }

    @AfterEach
    void close() {
        go.countDown();
        engine.close();
    }

    private Effect<?, String> say(String word) {
        Cost once = Cost.NONE.toolCalls(1);
        return world.tool("say", word, String.class, (said, call) -> "<" + said + ">")
                .costs(once, once);
    }

    private Effect<?, String> deaf(Effect.IfUnknown policy) {
        Cost once = Cost.NONE.toolCalls(1);
        return world.tool(
                        "deaf",
                        "listen",
                        String.class,
                        (text, call) -> {
                            begun.countDown();
                            awaitUninterruptibly();
                            gone.countDown();
                            return "too late";
                        })
                .costs(once, once)
                .within(BRIEF)
                .ifUnknown(policy);
    }

    private void awaitUninterruptibly() {
        while (true) {
            try {
                go.await();
                return;
            } catch (InterruptedException e) {
                // That is what it ignores.
            }
        }
    }

    /** Something before it, in the same node, and something behind it, there and later. */
    private Graph<Diary> graph(Effect.IfUnknown policy) {
        Graph<Diary> inner =
                Graph.of("inner", Diary.class)
                        .node(
                                "try",
                                (diary, context) -> {
                                    Diary now = diary.plus(context.perform(say("before")));
                                    try {
                                        now = now.plus(context.perform(deaf(policy)));
                                    } catch (EffectFailed e) {
                                        now = now.plus("failed: " + e.code());
                                    } catch (OutcomeUnknown e) {
                                        now = now.plus("unknown");
                                    }
                                    return now.plus(context.perform(say("behind")));
                                })
                        .edge("try", Graph.END)
                        .build();
        return Graph.of("outer", Diary.class)
                .node("first", (diary, context) -> diary.plus(context.perform(say("first"))))
                .node("inner", inner.within(diary -> diary, (before, after) -> after))
                .node("last", (diary, context) -> diary.plus(context.perform(say("last"))))
                .edge("first", "inner")
                .edge("inner", "last")
                .edge("last", Graph.END)
                .build();
    }

    private Status.Finished<Diary> run(Graph<Diary> graph, RunOptions options) {
        return (Status.Finished<Diary>) engine.runs().start(graph, Diary.of(0), options).awaitEnd();
    }

    private List<String> lines(String what) {
        return List.of("<first>", "<before>", what, "<behind>", "<last>");
    }

    @Test
    void aRunGoesOnWithoutItAndDoesNothingTwice() {
        Graph<Diary> graph = graph(Effect.IfUnknown.TELL);
        Status.Finished<Diary> end = run(graph, RunOptions.titled("recorded"));
        assertThat(end.state().lines()).isEqualTo(lines("unknown"));
        assertThat(end.spent().toolCalls()).isEqualTo(5);
        assertThat(world.performed()).hasSize(5);
        assertThat(engine.events(end.run(), EffectOutcome.class))
                .extracting(EffectOutcome::status)
                .containsExactly(
                        Event.Status.DONE,
                        Event.Status.DONE,
                        Event.Status.UNKNOWN,
                        Event.Status.DONE,
                        Event.Status.DONE);
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void whatCanBeRepeatedHasFailed() {
        Status.Finished<Diary> end =
                run(graph(Effect.IfUnknown.REPEAT), RunOptions.titled("recorded"));
        assertThat(end.state().lines()).isEqualTo(lines("failed: time-out"));
    }

    @Test
    void aRunOfWhichNothingIsKeptGoesOnAsWell() {
        Status.Finished<Diary> end = run(graph(Effect.IfUnknown.TELL), UNTRACED);
        assertThat(end.state().lines()).isEqualTo(lines("unknown"));
        assertThat(end.spent().toolCalls()).isEqualTo(5);
        assertThat(world.performed()).hasSize(5);
        assertThat(run(graph(Effect.IfUnknown.REPEAT), UNTRACED).state().lines())
                .isEqualTo(lines("failed: time-out"));
    }

    @Test
    void whenItComesBackNothingHappens() throws InterruptedException {
        Status.Finished<Diary> end =
                run(graph(Effect.IfUnknown.TELL), RunOptions.titled("recorded"));
        long records = engine.trace().run(end.run()).records();
        go.countDown();
        gone.await();
        Status.Finished<Diary> other = run(Graphs.one((diary, context) -> diary), UNTRACED);
        assertThat(other.isCompleted()).isTrue();
        assertThat(engine.trace().run(end.run()).records()).isEqualTo(records);
    }

    @Test
    void whoeverWaitsIsToldThatTheRunWentOnElsewhere() throws InterruptedException {
        Graph<Diary> graph = graph(Effect.IfUnknown.TELL);
        Run<Diary> here = engine.runs().start(graph, Diary.of(0), RunOptions.titled("recorded"));
        begun.await();
        try (Engine other = new Engine(store, keys)) {
            assertThat(Engine.finished(other.resume(graph, here.name())).state().lines())
                    .isEqualTo(lines("unknown"));
        }
        assertThatThrownBy(here::awaitEnd).isInstanceOf(Conflict.class);
    }

    @Test
    void aLateEffectThatDoesComeBackCountsAsDone() {
        Graph<Diary> graph =
                Graphs.one((diary, context) ->
                        diary.plus(
                                context.perform(
                                        world.tool(
                                                        "slow",
                                                        "x",
                                                        String.class,
                                                        (text, call) -> {
                                                            try {
                                                                go.await();
                                                            } catch (InterruptedException e) {
                                                                return "in time";
                                                            }
                                                            return "never";
                                                        })
                                                .within(BRIEF))));
        assertThat(run(graph, UNTRACED).state().lines()).containsExactly("in time");
        assertThat(run(graph, RunOptions.titled("x")).state().lines()).containsExactly("in time");
    }

    @Test
    void anInterruptionDoesNotReachWhatComesNext() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    String late =
                            context.perform(
                                    world.tool(
                                                    "stubborn",
                                                    "x",
                                                    String.class,
                                                    (text, call) -> {
                                                        while (!Thread.currentThread()
                                                                .isInterrupted()) {
                                                            Thread.onSpinWait();
                                                        }
                                                        return "with the flag set";
                                                    })
                                            .within(BRIEF));
                    return diary.plus(late + " " + Thread.currentThread().isInterrupted());
                });
        assertThat(run(graph, UNTRACED).state().lines()).containsExactly("with the flag set false");
    }
}
