package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.Effect.IfUnknown;
import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine that is closed leaves its runs as they are. */
class CloseTest {

    private final World world = new World();
    private final MemoryStore store = new MemoryStore();
    private final AtomicBoolean blocked = new AtomicBoolean(true);
    private final CountDownLatch begun = new CountDownLatch(1);
    @TempDir Path keys;

    private String work(Context context, int n, IfUnknown policy) {
        return context.perform(
                world.tool(
                                "work",
                                n,
                                String.class,
                                (number, call) -> {
                                    if (blocked.get()) {
                                        begun.countDown();
                                        new CountDownLatch(1).await();
                                    }
                                    return "done " + number;
                                })
                        .ifUnknown(policy));
    }

    @Test
    void whatWasInterruptedIsDoneWhenTheRunIsResumed() throws Exception {
        Graph<Diary> graph =
                Graphs.each(
                        3,
                        (n, context) ->
                                new Graphs(world).say(context, "before " + n)
                                        + work(context, n, IfUnknown.REPEAT));
        Run<Diary> run;
        try (Engine first = new Engine(store, keys)) {
            run = first.start(graph, Diary.of(0), "x");
            begun.await();
        }
        assertThatThrownBy(run::await)
                .isInstanceOf(Suspended.class)
                .hasMessage("The run " + run.name() + " was suspended. Resume it to go on");
        blocked.set(false);
        try (Engine second = new Engine(store, keys)) {
            Status.Finished<Diary> end = Engine.finished(second.resume(graph, run.name()));
            assertThat(end.reason()).isEqualTo(new StopReason.Completed());
            assertThat(end.state().lines())
                    .containsExactly(
                            "said before 0done 0", "said before 1done 1", "said before 2done 2");
            second.assertFaithful(graph, run.name());
        }
        world.performed()
                .forEach(key -> {
                    if (key.endsWith(":1")) {
                        assertThat(world.count(key)).isEqualTo(1);
                    }
                });
    }

    @Test
    void whatMayHaveBeenDoneIsUnknownWhenTheRunIsResumed() throws Exception {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    try {
                        return diary.plus(work(context, 1, IfUnknown.TELL));
                    } catch (OutcomeUnknown e) {
                        return diary.plus("unknown");
                    }
                });
        String name;
        try (Engine first = new Engine(store, keys)) {
            Run<Diary> run = first.start(graph, Diary.of(0), "x");
            name = run.name();
            begun.await();
        }
        try (Engine second = new Engine(store, keys)) {
            assertThat(second.events(name, EffectOutcome.class)).isEmpty();
            Status.Finished<Diary> end = Engine.finished(second.resume(graph, name));
            assertThat(end.state().lines()).containsExactly("unknown");
            second.assertFaithful(graph, name);
        }
    }

    @Test
    void whatWaitsForItsNextAttemptIsTriedAgainWhenTheRunIsResumed() throws Exception {
        Graph<Diary> graph =
                Graphs.one((diary, context) ->
                        diary.plus(
                                context.perform(
                                        world.tool(
                                                        "busy",
                                                        1,
                                                        String.class,
                                                        (n, call) -> {
                                                            if (blocked.get()) {
                                                                begun.countDown();
                                                                throw Failure.passing(
                                                                        "busy",
                                                                        "Later",
                                                                        Duration.ofHours(1));
                                                            }
                                                            return "done";
                                                        })
                                                .retry(Retry.standard()))));
        String name;
        try (Engine first = new Engine(store, keys)) {
            Run<Diary> run = first.start(graph, Diary.of(0), "x");
            name = run.name();
            begun.await();
        }
        blocked.set(false);
        try (Engine second = new Engine(store, keys)) {
            assertThat(Engine.finished(second.resume(graph, name)).state().lines())
                    .containsExactly("done");
        }
    }

    @Test
    void aRunThatIsStartedOnAClosedEngineIsSuspendedAtOnce() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> diary.plus(work(context, 1, IfUnknown.REPEAT)));
        try (Engine first = new Engine(store, keys)) {
            first.runs().close();
            Budget budget = Budget.unlimited().wall(Duration.ofHours(1));
            Run<Diary> run = first.start(graph, Diary.of(0), RunOptions.titled("x").budget(budget));
            assertThatThrownBy(run::await).isInstanceOf(Suspended.class);
            assertThat(world.performed()).isEmpty();
        }
    }

    @Test
    void noThreadIsLeft() throws Exception {
        Graph<Diary> graph =
                Graphs.each(
                        5,
                        (n, context) ->
                                n == 0
                                        ? context.ask(Question.open("What?")).text()
                                        : work(context, n, IfUnknown.REPEAT));
        try (Engine engine = new Engine(store, keys)) {
            List<Run<Diary>> runs =
                    IntStream.range(0, 10)
                            .mapToObj(i ->
                                    engine.start(
                                            graph,
                                            Diary.of(0),
                                            RunOptions.titled("x")
                                                    .budget(
                                                            Budget.unlimited()
                                                                    .wall(Duration.ofDays(1)))))
                            .toList();
            begun.await();
            assertThat(Threads.named(name -> true)).isNotEmpty();
            engine.runs().close();
            runs.forEach(run -> assertThatThrownBy(run::await).isInstanceOf(Suspended.class));
            Threads.awaitNone(name -> true);
        }
    }
}
