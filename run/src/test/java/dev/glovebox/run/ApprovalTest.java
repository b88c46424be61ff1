package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.spi.Decision;
import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.run.support.FakeClock;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.TraceStore;
import dev.glovebox.trace.store.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions to people, and what becomes of the run meanwhile. */
class ApprovalTest {

    private static final Question CHOICE = Question.choice("Which?", "this", "that");

    private final World world = new World();
    private final MemoryStore store = new MemoryStore();
    @TempDir Path folder;

    private Engine engine(Interceptor... interceptors) {
        return new Engine(store, folder.resolve("keys"), interceptors);
    }

    private static Graph<Diary> asking(Question question) {
        return Graphs.one((diary, context) -> {
            Answer answer = context.ask(question);
            return diary.plus(answer.text() + " by " + answer.by());
        });
    }

    private Graph<Diary> buying() {
        return Graphs.one((diary, context) ->
                diary.plus(
                        context.perform(
                                world.tool("buy", "x", String.class, (text, call) -> "bought"))));
    }

    private static OpenQuestion only(List<OpenQuestion> questions) {
        assertThat(questions).hasSize(1);
        return questions.getFirst();
    }

    @Test
    void aRunThatWaitsHasNoThread() throws Exception {
        try (Engine engine = engine()) {
            List<Run<Diary>> runs =
                    IntStream.range(0, 20)
                            .mapToObj(i -> engine.start(asking(CHOICE), Diary.of(0), "x"))
                            .toList();
            runs.forEach(Engine::waiting);
            Threads.awaitNone(name -> runs.stream().anyMatch(run -> name.contains(run.name())));
            runs.forEach(run -> {
                OpenQuestion question = only(engine.runs().questions(run.name()));
                engine.runs().answer(run.name(), question.key(), "this", "me");
            });
            for (Run<Diary> run : runs) {
                assertThat(Engine.atLast(run).state().lines()).containsExactly("this by me");
            }
        }
    }

    @Test
    void whoeverIsToldOfTheEndHasNoThreadUntilThen() throws Exception {
        CompletableFuture<Status<Diary>> told = new CompletableFuture<>();
        CompletableFuture<Status<Diary>> never = new CompletableFuture<>();
        try (Engine engine = engine()) {
            Run<Diary> run = engine.start(asking(CHOICE), Diary.of(0), "x");
            Run<Diary> other = engine.start(asking(CHOICE), Diary.of(0), "y");
            run.whenEnded(told::complete);
            other.whenEnded(never::complete);
            OpenQuestion question = only(Engine.waiting(run).questions());
            Engine.waiting(other);
            Threads.awaitNone(name -> name.contains(run.name()) || name.contains(other.name()));
            assertThat(told).isNotDone();
            assertThat(run.isAwaited()).isFalse();
            engine.runs().answer(run.name(), question.key(), "this", "me");
            assertThat(told.get(10, TimeUnit.SECONDS)).isEqualTo(run.awaitEnd());
        }
        // It goes on another time.
        assertThat(never).isNotDone();
    }

    @Test
    void whoAnsweredIsInTheTraceAndTheAnswerIsReplayed() throws Exception {
        try (Engine engine = engine()) {
            Graph<Diary> graph = asking(CHOICE);
            Run<Diary> run = engine.start(graph, Diary.of(0), "x");
            OpenQuestion question = only(Engine.waiting(run).questions());
            assertThat(question.question()).isEqualTo(CHOICE);
            engine.runs().answer(run.name(), question.key(), "that", "ada@example.com");
            assertThat(Engine.atLast(run).state().lines())
                    .containsExactly("that by ada@example.com");
            assertThat(engine.events(run.name(), EffectOutcome.class))
                    .singleElement()
                    .satisfies(outcome ->
                            assertThat(outcome.details().path("by").asText())
                                    .isEqualTo("ada@example.com"));
            engine.assertFaithful(graph, run.name());
        }
    }

    @Test
    void onlyAChoiceThatWasGivenIsAnAnswer() {
        try (Engine engine = engine()) {
            Run<Diary> run = engine.start(asking(CHOICE), Diary.of(0), "x");
            String key = only(Engine.waiting(run).questions()).key();
            assertThatThrownBy(() -> engine.runs().answer(run.name(), key, "other", "me"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("'other' is not among the choices [this, that]");
            assertThatThrownBy(() -> engine.runs().answer(run.name(), "x", "this", "me"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("does not ask x");
            assertThat(engine.runs().questions(run.name())).hasSize(1);
        }
    }

    @Test
    void ofFiftyWhoAnswerAtOnceOneIsTheFirst() throws Exception {
        try (Engine engine = engine();
                Engine other = engine()) {
            Graph<Diary> graph = asking(Question.open("Who?"));
            Run<Diary> run = engine.start(graph, Diary.of(0), "x");
            String key = only(Engine.waiting(run).questions()).key();
            CyclicBarrier together = new CyclicBarrier(50);
            AtomicInteger late = new AtomicInteger();
            List<String> first = new java.util.concurrent.CopyOnWriteArrayList<>();
            List<Thread> threads =
                    IntStream.range(0, 50)
                            .mapToObj(i ->
                                    Thread.startVirtualThread(() -> {
                                        Runs runs = i % 2 == 0 ? engine.runs() : other.runs();
                                        try {
                                            together.await();
                                            runs.answer(run.name(), key, "answer " + i, "p" + i);
                                            first.add("answer " + i + " by p" + i);
                                        } catch (AlreadyAnswered e) {
                                            late.incrementAndGet();
                                        } catch (Exception e) {
                                            throw new IllegalStateException(e);
                                        }
                                    }))
                            .toList();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(first).hasSize(1);
            assertThat(late).hasValue(49);
            assertThat(Engine.atLast(run).state().lines()).isEqualTo(first);
            assertThatThrownBy(() -> engine.runs().answer(run.name(), key, "late", "me"))
                    .isInstanceOf(AlreadyAnswered.class);
        }
    }

    private void answeredElsewhere(TraceStore here, TraceStore there) throws Exception {
        Graph<Diary> graph = asking(CHOICE);
        try (Engine engine = new Engine(here, folder.resolve("keys"));
                Engine other = new Engine(there, folder.resolve("keys"))) {
            Run<Diary> run = engine.start(graph, Diary.of(0), "x");
            Engine.waiting(run);
            OpenQuestion question = only(other.runs().questions(run.name()));
            other.runs().answer(run.name(), question.key(), "this", "somebody else");
            assertThat(Engine.atLast(run).state().lines()).containsExactly("this by somebody else");
            assertThat(other.runs().questions(run.name())).isEmpty();
        }
    }

    @Test
    void anAnswerComesFromAnotherEngineOverTheSameStore() throws Exception {
        answeredElsewhere(store, store);
    }

    @Test
    void anAnswerComesFromAnotherStoreOverTheSameFile() throws Exception {
        Path file = folder.resolve("traces.db");
        answeredElsewhere(SqliteStore.open(file), SqliteStore.open(file));
    }

    @Test
    void anAnswerThatCameWhileNobodyHadTheRunIsFoundWhenItIsResumed() throws Exception {
        Graph<Diary> graph = asking(CHOICE);
        String name;
        try (Engine first = engine()) {
            Run<Diary> run = first.start(graph, Diary.of(0), "x");
            name = run.name();
            Engine.waiting(run);
        }
        try (Engine second = engine()) {
            String key = only(second.runs().questions(name)).key();
            second.runs().answer(name, key, "that", "me");
        }
        try (Engine third = engine()) {
            Run<Diary> run = third.resume(graph, name);
            assertThat(Engine.finished(run).state().lines()).containsExactly("that by me");
            third.assertFaithful(graph, name);
        }
    }

    @Test
    void whenNobodyAnswersInTimeTheDefaultCounts() throws Exception {
        FakeClock clock = FakeClock.atNoon();
        Graph<Diary> graph = asking(CHOICE.within(Duration.ofDays(2)).otherwise("that"));
        try (dev.glovebox.trace.Trace trace =
                        dev.glovebox.trace.Trace.open(store, folder.resolve("keys"), clock);
                Runs runs = Runs.in(trace, clock)) {
            Run<Diary> run = runs.start(graph, Diary.of(0), "x");
            OpenQuestion question = only(Engine.waiting(run).questions());
            assertThat(question.until()).contains(clock.instant().plus(Duration.ofDays(2)));
            clock.advance(Duration.ofDays(1));
            runs.poll();
            assertThat(run.await()).isInstanceOf(Status.Waiting.class);
            clock.advance(Duration.ofDays(1));
            runs.poll();
            assertThat(Engine.atLast(run).state().lines()).containsExactly("that by time-out");
            assertThat(runs.replay(graph, run.name()).isFaithful()).isTrue();
            assertThatThrownBy(() -> runs.answer(run.name(), question.key(), "this", "me"))
                    .isInstanceOf(AlreadyAnswered.class);
        }
    }

    @Test
    void whenNobodyAnswersInTimeAndThereIsNoDefaultTheRunStops() throws Exception {
        Graph<Diary> graph = asking(CHOICE.within(Duration.ofMillis(30)));
        try (Engine engine = engine()) {
            Run<Diary> run = engine.start(graph, Diary.of(0), "x");
            assertThat(Engine.atLast(run).reason()).isEqualTo(new StopReason.NeedsInput("Which?"));
            engine.assertFaithful(graph, run.name());
        }
    }

    @Test
    void aDefaultMustBeAmongTheChoices() {
        assertThatThrownBy(() -> CHOICE.otherwise("other"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'other' is not among the choices [this, that]");
    }

    private static Interceptor approving(String text) {
        return request -> new Decision.Approve(Question.approval(text));
    }

    @Test
    void anEffectThatMustBeApprovedIsPerformedWhenSomebodySaysYes() throws Exception {
        try (Engine engine = engine(approving("Buy?"))) {
            Run<Diary> run = engine.start(buying(), Diary.of(0), "x");
            OpenQuestion question = only(Engine.waiting(run).questions());
            assertThat(question.question().text()).isEqualTo("Buy?");
            assertThat(world.performed()).isEmpty();
            engine.runs().answer(run.name(), question.key(), "yes", "boss");
            assertThat(Engine.atLast(run).state().lines()).containsExactly("bought");
            engine.assertFaithful(buying(), run.name());
        }
    }

    @Test
    void anEffectThatIsNotApprovedIsNotPerformedAndTheRunStops() throws Exception {
        try (Engine engine = engine(approving("Buy?"))) {
            Run<Diary> run = engine.start(buying(), Diary.of(0).plus("before"), "x");
            String key = only(Engine.waiting(run).questions()).key();
            engine.runs().answer(run.name(), key, "no", "boss");
            Status.Finished<Diary> end = Engine.atLast(run);
            assertThat(end.reason()).isEqualTo(new StopReason.ApprovalDenied("Buy?", "boss"));
            assertThat(end.state().lines()).containsExactly("before");
            assertThat(world.performed()).isEmpty();
            engine.assertFaithful(buying(), run.name());
        }
    }

    @Test
    void anEffectThatNobodyApprovesInTimeIsNotPerformed() throws Exception {
        Question quick = Question.approval("Buy?").within(Duration.ofMillis(30));
        try (Engine engine = engine(request -> new Decision.Approve(quick))) {
            Run<Diary> run = engine.start(buying(), Diary.of(0), "x");
            assertThat(Engine.atLast(run).reason())
                    .isEqualTo(new StopReason.ApprovalDenied("Buy?", "time-out"));
            assertThat(world.performed()).isEmpty();
            engine.assertFaithful(buying(), run.name());
        }
    }

    @Test
    void whoeverWantsToApproveIsAskedByItself() throws Exception {
        try (Engine engine = engine(approving("First?"), approving("Second?"))) {
            Run<Diary> run = engine.start(buying(), Diary.of(0), "x");
            OpenQuestion first = only(Engine.waiting(run).questions());
            engine.runs().answer(run.name(), first.key(), "yes", "one");
            while (engine.runs().questions(run.name()).isEmpty()) {
                Thread.sleep(1);
            }
            OpenQuestion second = only(engine.runs().questions(run.name()));
            assertThat(second.question().text()).isEqualTo("Second?");
            engine.runs().answer(run.name(), second.key(), "no", "two");
            assertThat(Engine.atLast(run).reason())
                    .isEqualTo(new StopReason.ApprovalDenied("Second?", "two"));
            engine.assertFaithful(buying(), run.name());
        }
    }

    @Test
    void anApprovalThatIsNoLongerNeededIsNotWaitedFor() throws Exception {
        String name;
        try (Engine strict = engine(approving("Buy?"))) {
            Run<Diary> run = strict.start(buying(), Diary.of(0), "x");
            name = run.name();
            Engine.waiting(run);
        }
        try (Engine free = engine()) {
            Run<Diary> run = free.resume(buying(), name);
            assertThat(Engine.finished(run).isCompleted()).isTrue();
            free.assertFaithful(buying(), name);
        }
    }

    @Test
    void whatIsRefusedTheNodeIsTold() {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    try {
                        return buyingNode(diary, context);
                    } catch (EffectFailed e) {
                        return diary.plus(e.code() + ": " + e.getMessage());
                    }
                });
        try (Engine engine = engine(request -> new Decision.Refuse("not " + request.name()))) {
            Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
            assertThat(end.state().lines()).containsExactly("refused: not buy");
            assertThat(world.performed()).isEmpty();
            engine.assertFaithful(graph, end.run());
        }
    }

    private Diary buyingNode(Diary diary, Context context) {
        return diary.plus(
                context.perform(world.tool("buy", "x", String.class, (text, call) -> "bought")));
    }

    @Test
    void aGuardrailStopsTheRun() {
        StopReason why = new StopReason.GuardrailTripped("no-money", "it costs");
        try (Engine engine = engine(request -> new Decision.StopRun(why))) {
            Status.Finished<Diary> end = engine.run(buying(), Diary.of(0));
            assertThat(end.reason()).isEqualTo(why);
            assertThat(world.performed()).isEmpty();
            engine.assertFaithful(buying(), end.run());
        }
    }

    @Test
    void anInterceptorThatFailsAllowsNothing() {
        Interceptor broken =
                request -> {
                    throw new IllegalStateException("Out of order");
                };
        try (Engine engine = engine(broken)) {
            Status.Finished<Diary> end = engine.run(buying(), Diary.of(0));
            assertThat(end.reason())
                    .isEqualTo(
                            new StopReason.ToolFailed(
                                    "buy",
                                    "An interceptor failed: java.lang.IllegalStateException: Out"
                                            + " of order"));
            assertThat(world.performed()).isEmpty();
            engine.assertFaithful(buying(), end.run());
        }
    }

    @Test
    void anAnswerThatComesWhileAnotherBranchStillWorksIsTakenWhenThatHasEnded() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Graph<Diary> graph =
                Graphs.each(
                        2,
                        (n, context) ->
                                n == 0
                                        ? context.ask(CHOICE).text()
                                        : context.perform(
                                                world.tool(
                                                        "work",
                                                        n,
                                                        String.class,
                                                        (number, call) -> {
                                                            begun.countDown();
                                                            go.await();
                                                            return "worked";
                                                        })));
        try (Engine engine = engine()) {
            Run<Diary> run = engine.start(graph, Diary.of(0), "x");
            begun.await();
            while (engine.runs().questions(run.name()).isEmpty()) {
                Thread.sleep(1);
            }
            String key = only(engine.runs().questions(run.name())).key();
            engine.runs().answer(run.name(), key, "that", "me");
            go.countDown();
            assertThat(Engine.atLast(run).state().lines()).containsExactly("that", "worked");
            assertThat(world.performed()).hasSize(1);
            engine.assertFaithful(graph, run.name());
        }
    }

    @Test
    void effectsAtOnceOfWhichOneFailsStillWaitForTheOneThatMustBeApproved() throws Exception {
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    try {
                        context.performAll(
                                List.of(
                                        world.tool(
                                                "fail",
                                                1,
                                                String.class,
                                                (n, call) -> {
                                                    throw Failure.lasting("no", "No");
                                                }),
                                        world.tool("buy", 2, String.class, (n, call) -> "ok")));
                        return diary;
                    } catch (EffectFailed e) {
                        return diary.plus(e.name());
                    }
                });
        Interceptor onlyBuy =
                request ->
                        request.name().equals("buy")
                                ? new Decision.Approve(Question.approval("Buy?"))
                                : Decision.ALLOW;
        try (Engine engine = engine(onlyBuy)) {
            Run<Diary> run = engine.start(graph, Diary.of(0), "x");
            String key = only(Engine.waiting(run).questions()).key();
            engine.runs().answer(run.name(), key, "yes", "me");
            assertThat(Engine.atLast(run).state().lines()).containsExactly("fail");
            assertThat(world.performed()).hasSize(2);
            engine.assertFaithful(graph, run.name());
        }
    }

    @Test
    void aFinishedRunAsksNothing() throws Exception {
        Graph<Diary> graph = asking(CHOICE);
        try (Engine engine = engine()) {
            Run<Diary> run = engine.start(graph, Diary.of(0), "x");
            String key = only(Engine.waiting(run).questions()).key();
            run.cancel("me");
            assertThat(Engine.atLast(run).reason()).isEqualTo(new StopReason.Cancelled("me"));
            assertThat(engine.runs().questions(run.name())).isEmpty();
            assertThatThrownBy(() -> engine.runs().answer(run.name(), key, "this", "me"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void lettersThatWereReadAreNotLookedAtAgain() throws Exception {
        Graph<Diary> graph = asking(CHOICE);
        try (Engine engine = engine()) {
            Run<Diary> answered = engine.start(graph, Diary.of(0), "x");
            String key = only(Engine.waiting(answered).questions()).key();
            engine.runs().answer(answered.name(), key, "this", "me");
            Engine.atLast(answered);
            Run<Diary> cancelled = engine.start(graph, Diary.of(0), "x");
            Engine.waiting(cancelled);
            cancelled.cancel("me");
            Engine.atLast(cancelled);
            cancelled.cancel("me too");
            RunQuery unread =
                    new RunQuery(
                            Optional.of("letter"),
                            Optional.of(""),
                            Optional.empty(),
                            Optional.empty(),
                            10);
            assertThat(engine.trace().runs(unread)).isEmpty();
        }
    }

    @Test
    void aNodeThatCatchesEverythingStillWaits() throws Exception {
        AtomicBoolean caught = new AtomicBoolean();
        Graph<Diary> graph =
                Graphs.one((diary, context) -> {
                    try {
                        return diary.plus(context.ask(CHOICE).text());
                    } catch (Throwable e) {
                        caught.set(true);
                        return diary.plus("wrong");
                    }
                });
        try (Engine engine = engine()) {
            Run<Diary> run = engine.start(graph, Diary.of(0), "x");
            String key = only(Engine.waiting(run).questions()).key();
            assertThat(caught).isTrue();
            engine.runs().answer(run.name(), key, "this", "me");
            assertThat(Engine.atLast(run).state().lines()).containsExactly("this");
        }
    }
}
