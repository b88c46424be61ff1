package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.trace.Event.Noted;
import dev.glovebox.trace.Event.RunClaimed;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init")
class TraceTest {

    @TempDir private Path home;
    private Installation here;

    @BeforeEach
    void open() {
        here = new Installation(home.resolve("keys"));
    }

    @AfterEach
    void close() {
        here.close();
    }

    private static Event note(long i) {
        return new Noted("path", i, "note " + i);
    }

    @Test
    void aFinishedRunIsIntactWhereItIsKeptAndInAFile() {
        String run = here.finished("run", 30);

        assertThat(here.trace.verify(run))
                .isEqualTo(new Verdict.Intact(run, 30, here.trace.key().id()));
        assertThat(ExportLines.verdict(here.export(run), here.trusted()))
                .isEqualTo(here.trace.verify(run));
    }

    @Test
    void aRunThatGoesOnIsIncomplete() {
        Recorder recorder = here.unfinished("run", 10);

        assertThat(here.trace.verify(recorder.run()).sentence())
                .isEqualTo("Incomplete: the run is not finished.");
        assertThat(ExportLines.verdict(here.export(recorder.run()), here.trusted()))
                .isInstanceOf(Verdict.Incomplete.class);
    }

    @Test
    void namesOfRunsSortAsTheyWereMadeAndAreUnique() {
        RunNames names = new RunNames(Clock.systemUTC());
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            made.add(names.next());
        }

        assertThat(made).isSorted().doesNotHaveDuplicates().allMatch(Entry::validRun);
        assertThat(made.getFirst()).matches("[0-9a-hjkmnp-tv-z]{26}");
    }

    @Test
    void manyThreadsRecordOneRunWithoutAGap() throws InterruptedException {
        Recorder recorder = here.start("run");
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 16; t++) {
            int thread = t;
            threads.add(
                    Thread.startVirtualThread(() -> {
                        for (int i = 0; i < 50; i++) {
                            BlobRef kept =
                                    recorder.keep(Installation.utf8("shared " + i), BlobRef.TEXT);
                            recorder.record(new Event.NodeStarted("t" + thread + "/" + i, kept));
                        }
                    }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        recorder.finish("Completed");

        assertThat(here.trace.verify(recorder.run()))
                .isEqualTo(new Verdict.Intact(recorder.run(), 802, here.trace.key().id()));
    }

    @Test
    void whoTakesARunOverFencesWhoHadIt() {
        Recorder first = here.unfinished("run", 5);
        Recorder second = here.trace.resume(first.run(), "another process");
        assertThatThrownBy(() -> first.record(note(1))).isInstanceOf(Conflict.class);
        // And it stays so: what follows has nothing to continue.
        assertThatThrownBy(() -> first.record(note(2))).isInstanceOf(Conflict.class);
        second.record(note(3));
        Recorder third = here.trace.resume(first.run(), "a third one");
        assertThatThrownBy(() -> second.record(note(4))).isInstanceOf(Conflict.class);
        third.finish("Completed");

        assertThat(here.trace.entries(first.run(), 5).map(Entry::event))
                .startsWith(new RunClaimed(1, "another process"))
                .contains(new RunClaimed(2, "a third one"));
        assertThat(here.trace.verify(first.run())).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void whatFollowsARecordThatWasNotKeptFailsForTheSameReason() {
        Recorder recorder = here.unfinished("run", 5);
        CompletableFuture<Void> answer = new CompletableFuture<>();
        here.answers.add(answer);
        CompletableFuture<Entry> lost = recorder.submit(note(1));
        CompletableFuture<Entry> next = recorder.submit(note(2));
        assertThat(next).isNotDone();
        answer.completeExceptionally(new NotKept("The disk is full"));

        for (CompletableFuture<Entry> future : List.of(lost, next)) {
            assertThatThrownBy(future::join)
                    .cause()
                    .isInstanceOf(NotKept.class)
                    .hasMessage("The disk is full");
        }
        assertThatThrownBy(() -> recorder.record(note(3))).hasMessage("The disk is full");
    }

    @Test
    void aRunThatIsFinishedOrUnknownOrBrokenIsNotTakenOver() {
        String run = here.finished("run", 3);
        Recorder broken = here.unfinished("broken", 5);
        here.store.tape(broken.run()).remove(3);

        assertThatThrownBy(() -> here.trace.resume(run, "x"))
                .isInstanceOf(NoSuchRun.class)
                .hasMessageContaining("finished");
        assertThatThrownBy(() -> here.trace.resume("nobody", "x")).isInstanceOf(NoSuchRun.class);
        assertThatThrownBy(() -> here.trace.resume(broken.run(), "x"))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("record 3");
    }

    @Test
    void nothingIsRecordedBehindTheEnd() {
        Recorder recorder = here.start("run");
        recorder.finish("Completed");

        assertThatThrownBy(() -> recorder.record(note(1)))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> recorder.finish("Completed"))
                .isInstanceOf(IllegalStateException.class);
        assertThat(here.trace.verify(recorder.run())).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void anEndThatCannotBeRecordedLeavesNoTraceInTheOneThatCan() {
        Recorder recorder = here.start("run");
        BlobRef elsewhere = Blob.of(Installation.utf8("elsewhere")).reference(BlobRef.TEXT);

        assertThatThrownBy(() -> recorder.finish("Completed", elsewhere))
                .isInstanceOf(NotKept.class);
        assertThatThrownBy(() -> recorder.finish("x".repeat(Entry.LONGEST)))
                .isInstanceOf(Malformed.class);
        recorder.finish("Failed");
        assertThat(here.trace.verify(recorder.run())).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void aRecordMayNotReferToContentThatNobodyKept() {
        Recorder recorder = here.start("run");
        BlobRef elsewhere = Blob.of(Installation.utf8("elsewhere")).reference(BlobRef.TEXT);

        assertThatThrownBy(() -> recorder.record(new Event.NodeStarted("x", elsewhere)))
                .isInstanceOf(NotKept.class);
        recorder.finish("Completed");
        assertThat(here.trace.verify(recorder.run())).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void contentOfAnotherRunCanBeReferredToAndIsFoundWhenItIsRedacted() {
        Recorder first = here.start("first");
        List<JsonNode> messages = new ArrayList<>();
        BlobRef secret = first.keepPrivate(Installation.utf8("secret"), BlobRef.TEXT);
        messages.add(secret.json());
        KeptList list = first.keepList(KeptList.EMPTY, messages);
        messages.add(JsonNodeFactory.instance.textNode("more"));
        KeptList longer = first.keepList(list, messages);
        first.record(new Event.NodeStarted("x", longer.reference()));
        first.finish("Completed");
        Recorder second = here.start("second");
        second.record(new Event.NodeStarted("y", longer.reference()));
        second.finish("Completed");

        assertThat(here.store.referring(secret.digest())).contains(first.run(), second.run());
        here.trace.redact(secret.digest(), "asked to");
        assertThat(here.trace.verify(second.run())).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void aListIsReadAsItWasThroughAllThatItContinues() {
        Recorder recorder = here.start("run");
        List<JsonNode> messages = new ArrayList<>();
        KeptList last = KeptList.EMPTY;
        for (int i = 0; i < 200; i++) {
            if (i % 10 == 9) {
                messages.removeLast();
            }
            messages.add(JsonNodeFactory.instance.textNode("message " + i));
            last = recorder.keepList(last, messages);
            recorder.record(new Event.NodeStarted("n" + i, last.reference()));
        }
        KeptList read = here.trace.list(last.reference());

        assertThat(read.elements()).isEqualTo(messages);
        recorder.finish("Completed");
        assertThat(here.trace.verify(recorder.run())).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void whoResumesContinuesTheListsOfTheRun() {
        Recorder first = here.start("run");
        List<JsonNode> messages = new ArrayList<>();
        messages.add(first.keep(Installation.utf8("content"), BlobRef.TEXT).json());
        messages.add(JsonNodeFactory.instance.textNode("x".repeat(10_000)));
        KeptList list = first.keepList(KeptList.EMPTY, messages);
        first.record(new Event.NodeStarted("n", list.reference()));
        Recorder second = here.trace.resume(first.run(), "another");
        KeptList read = here.trace.list(list.reference());
        messages.add(JsonNodeFactory.instance.textNode("y"));

        assertThat(second.keepList(read, messages).reference().bytes()).isLessThan(300);
    }

    @Test
    void aRunIsFoundByTheBeginningOfItsNameAndTheLastOneByThatWord() {
        assertThatThrownBy(() -> here.trace.run("last")).isInstanceOf(NoSuchRun.class);
        String one = here.start("one").run();
        String other = here.start("other").run();
        int common = 0;
        while (one.charAt(common) == other.charAt(common)) {
            common++;
        }
        String beginning = one.substring(0, common + 1);

        assertThat(here.trace.run(beginning).run()).isEqualTo(one);
        assertThat(here.trace.run(one).run()).isEqualTo(one);
        assertThat(here.trace.run("last").title()).isIn("one", "other");
        assertThatThrownBy(() -> here.trace.run(one.substring(0, 3)))
                .isInstanceOf(NoSuchRun.class)
                .hasMessageContaining("More than one");
        assertThatThrownBy(() -> here.trace.run("zzz")).isInstanceOf(NoSuchRun.class);
        assertThatThrownBy(() -> here.trace.run("Not/a name")).isInstanceOf(NoSuchRun.class);
        assertThatThrownBy(() -> here.trace.run("")).isInstanceOf(NoSuchRun.class);
    }

    @Test
    void runsAreListedAPageAtATime() {
        Set<String> made = new HashSet<>();
        for (int i = 0; i < 25; i++) {
            made.add(here.start("run " + i).run());
        }
        Set<String> listed = new HashSet<>();
        List<RunRow> page = here.trace.runs(RunQuery.newest(10));
        while (!page.isEmpty()) {
            page.forEach(row -> assertThat(listed.add(row.run())).isTrue());
            page =
                    here.trace.runs(
                            new RunQuery(
                                    Optional.of("test"),
                                    Optional.of(""),
                                    Optional.of("RUN"),
                                    Optional.of(page.getLast()),
                                    10));
        }

        assertThat(listed).isEqualTo(made);
    }

    @Test
    void aSubscriberGetsEveryRecordOnceInOrderUpToTheEnd() {
        Recorder recorder = here.unfinished("run", 20);
        List<Long> whole = new CopyOnWriteArrayList<>();
        List<Long> tail = new CopyOnWriteArrayList<>();
        List<Long> behind = new CopyOnWriteArrayList<>();
        try (Subscription one =
                        here.trace.subscribe(
                                recorder.run(), 0, true, entry -> whole.add(entry.seq()));
                Subscription two =
                        here.trace.subscribe(
                                recorder.run(), 15, true, entry -> tail.add(entry.seq()))) {
            for (int i = 0; i < 2_000; i++) {
                recorder.record(note(i));
            }
            recorder.finish("Completed");
            one.ended().join();
            two.ended().join();
        }
        try (Subscription late =
                here.trace.subscribe(
                        recorder.run(), recorder.size(), true, entry -> behind.add(entry.seq()))) {
            late.ended().join();
        }

        assertThat(whole).containsExactlyElementsOf(numbers(0, recorder.size()));
        assertThat(tail).containsExactlyElementsOf(numbers(15, recorder.size()));
        assertThat(behind).isEmpty();
    }

    private static List<Long> numbers(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    @Test
    void aSubscriberThatIsStuckDoesNotHoldUpTheWriter() {
        Recorder recorder = here.start("run");
        CountDownLatch release = new CountDownLatch(1);
        try (Subscription stuck =
                here.trace.subscribe(
                        recorder.run(),
                        0,
                        true,
                        entry -> {
                            try {
                                release.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        })) {
            for (int i = 0; i < 500; i++) {
                recorder.record(note(i));
            }
            recorder.finish("Completed");
            assertThat(stuck.ended()).isNotDone();
            release.countDown();
            stuck.ended().join();
        }
    }

    @Test
    void aSubscriptionEndsWhenItIsClosedOrItsConsumerFails() {
        Recorder recorder = here.start("run");
        Subscription closed = here.trace.subscribe(recorder.run(), 0, false, entry -> {});
        closed.close();
        closed.ended().join();
        Subscription failing =
                here.trace.subscribe(
                        recorder.run(),
                        0,
                        false,
                        entry -> {
                            throw new IllegalStateException("no more");
                        });

        assertThat(failing.ended()).failsWithin(Duration.ofMinutes(1));
        Subscription worse =
                here.trace.subscribe(
                        recorder.run(),
                        0,
                        false,
                        entry -> {
                            throw new AssertionError("not what was expected");
                        });
        assertThat(worse.ended()).failsWithin(Duration.ofMinutes(1));
        assertThatThrownBy(() -> here.trace.subscribe("nobody", 0, true, entry -> {}))
                .isInstanceOf(NoSuchRun.class);
    }
}
