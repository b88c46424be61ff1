package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.Speechless;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetryTest {

    private static final Retry QUICK = new Retry(4, Duration.ofMillis(2), Duration.ofMillis(5));
    private static final Retry PATIENT = new Retry(4, Duration.ofHours(1), Duration.ofHours(1));

    private final World world = new World();
    private final AtomicInteger attempts = new AtomicInteger();
    private Engine engine;

    @BeforeEach
    void open(@TempDir Path keys) {
        engine = new Engine(new MemoryStore(), keys);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private Graph<Diary> trying(Retry retry, World.Deed<String, String> deed) {
        return Graphs.one((diary, context) ->
                diary.plus(
                        context.perform(world.tool("try", "it", String.class, deed).retry(retry))));
    }

    @Test
    void aPassingFailureIsTriedAgainAndEachAttemptIsRecorded() {
        Graph<Diary> graph =
                trying(
                        QUICK,
                        (text, call) -> {
                            if (attempts.incrementAndGet() < 3) {
                                throw Failure.passing("busy", "Come back");
                            }
                            return "done";
                        });
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.state().lines()).containsExactly("done");
        assertThat(attempts).hasValue(3);
        // With one key, so that the other side knows that it is the same.
        assertThat(world.performed()).hasSize(3).containsOnly(end.run() + "/only#1:1");
        assertThat(engine.events(end.run(), EffectOutcome.class))
                .singleElement()
                .satisfies(outcome ->
                        assertThat(outcome.details().path("attempts").findValuesAsText("code"))
                                .containsExactly("busy", "busy"));
        engine.assertFaithful(graph, end.run());
        assertThat(attempts).hasValue(3);
    }

    @Test
    void aPassingFailureThatStaysIsOneInTheEnd() {
        Graph<Diary> graph =
                trying(
                        QUICK,
                        (text, call) -> {
                            attempts.incrementAndGet();
                            throw Failure.passing("busy", "Come back");
                        });
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.reason()).isEqualTo(new StopReason.ToolFailed("try", "Come back"));
        assertThat(attempts).hasValue(4);
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void aLastingFailureAndAnExceptionAreNotTriedAgain() {
        for (RuntimeException problem :
                new RuntimeException[] {
                    Failure.lasting("denied", "No"),
                    new IllegalStateException("Broken"),
                    new Speechless()
                }) {
            attempts.set(0);
            Graph<Diary> graph =
                    trying(
                            PATIENT,
                            (text, call) -> {
                                attempts.incrementAndGet();
                                throw problem;
                            });
            Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
            assertThat(end.reason()).isInstanceOf(StopReason.ToolFailed.class);
            assertThat(attempts).hasValue(1);
            engine.assertFaithful(graph, end.run());
        }
    }

    @Test
    void thePauseGrowsIsRandomAndNotShorterThanWhatTheOtherSideAsksFor() {
        Retry retry = new Retry(10, Duration.ofSeconds(1), Duration.ofSeconds(5));
        Failure busy = Failure.passing("busy", "x");
        Failure later = Failure.passing("busy", "x", Duration.ofMinutes(2));
        Random random = new Random(1);
        for (int i = 0; i < 1_000; i++) {
            assertThat(retry.pause(1, busy, random)).isBetween(ms(0), ms(1_000));
            assertThat(retry.pause(3, busy, random)).isBetween(ms(0), ms(4_000));
            assertThat(retry.pause(100, busy, random)).isBetween(ms(0), ms(5_000));
            assertThat(retry.pause(1, later, random)).isEqualTo(Duration.ofMinutes(2));
        }
        assertThat(Retry.never().pause(1, busy, random)).isZero();
    }

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    @Test
    void nothingIsTriedAgainWhenTheRunIsCancelled() throws InterruptedException {
        CountDownLatch failed = new CountDownLatch(1);
        Graph<Diary> graph =
                trying(
                        PATIENT,
                        (text, call) -> {
                            attempts.incrementAndGet();
                            failed.countDown();
                            throw Failure.passing("busy", "Come back", Duration.ofHours(1));
                        });
        Run<Diary> run = engine.start(graph, Diary.of(0), "x");
        failed.await();
        run.cancel("somebody");
        assertThat(Engine.finished(run).reason()).isEqualTo(new StopReason.Cancelled("somebody"));
        assertThat(attempts).hasValue(1);
        engine.assertFaithful(graph, run.name());
    }

    @Test
    void whatTakesTooLongIsInterruptedAndHasFailed() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    try {
                        return diary.plus(
                                context.perform(
                                        world.tool(
                                                        "slow",
                                                        1,
                                                        String.class,
                                                        (n, call) -> {
                                                            new CountDownLatch(1).await();
                                                            return "never";
                                                        })
                                                .within(Duration.ofMillis(20))));
                    } catch (EffectFailed e) {
                        return diary.plus(e.code() + ": " + e.getMessage());
                    }
                });
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.state().lines()).containsExactly("time-out: slow took too long");
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void whatTakesTooLongAndMayHaveBeenDoneIsUnknown() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    try {
                        return diary.plus(
                                context.perform(
                                        world.tool(
                                                        "slow",
                                                        1,
                                                        String.class,
                                                        (n, call) -> {
                                                            new CountDownLatch(1).await();
                                                            return "never";
                                                        })
                                                .ifUnknown(Effect.IfUnknown.TELL)
                                                .within(Duration.ofMillis(20))));
                    } catch (OutcomeUnknown e) {
                        return diary.plus(e.key().substring(e.key().indexOf('/')));
                    }
                });
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.state().lines()).containsExactly("/only#1:1");
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void whatSaysThatItWasNotDoneWhenItTookTooLongIsBelieved() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    try {
                        return diary.plus(
                                context.perform(
                                        world.tool(
                                                        "slow",
                                                        1,
                                                        String.class,
                                                        (n, call) -> {
                                                            try {
                                                                new CountDownLatch(1).await();
                                                            } catch (InterruptedException e) {
                                                                throw Failure.lasting(
                                                                        "undone", "Not begun");
                                                            }
                                                            return "never";
                                                        })
                                                .ifUnknown(Effect.IfUnknown.TELL)
                                                .within(Duration.ofMillis(20))));
                    } catch (EffectFailed e) {
                        return diary.plus(e.code());
                    }
                });
        assertThat(engine.run(graph, Diary.of(0)).state().lines()).containsExactly("undone");
    }

    @Test
    void aResultThatCannotBeWrittenIsAFailureThatIsReplayed() {
        Object[] loop = new Object[1];
        loop[0] = loop;
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    try {
                        context.perform(world.tool("odd", 1, Object[].class, (n, call) -> loop));
                        return diary;
                    } catch (EffectFailed e) {
                        return diary.plus(e.code());
                    }
                });
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.state().lines()).containsExactly("error");
        engine.assertFaithful(graph, end.run());
    }

    @Test
    @SuppressWarnings("NullAway") // That is what it is about.
    void anEffectWithoutAResultHasFailed() {
        Graph<Diary> graph = trying(Retry.never(), (text, call) -> null);
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.reason())
                .isEqualTo(
                        new StopReason.ToolFailed(
                                "try", "NullPointerException: An effect has a result"));
        engine.assertFaithful(graph, end.run());
    }
}
