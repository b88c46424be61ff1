package dev.glovebox.trace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.trace.Conflict;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Runs are continued at their end, in order, and stay as they are. */
interface AppendKit extends Medium {

    @Test
    default void recordsAreReadAsTheyWereAppended() {
        try (TraceStore store = open()) {
            Chain chain = new Chain("a-run");
            List<Append> appends =
                    List.of(chain.start("test", "A run"), chain.note("one"), chain.note("two"));
            appends.forEach(append -> store.append(append).join());

            assertThat(store.lines("a-run", 0, 10))
                    .containsExactlyElementsOf(
                            appends.stream().map(a -> a.entries().getFirst().bytes()).toList());
        }
    }

    @Test
    default void recordsAreReadFromANumberOnAndNoMoreThanAskedFor() {
        try (TraceStore store = open()) {
            Chain chain = new Chain("a-run");
            for (int i = 0; i < 10; i++) {
                store.append(chain.note("n" + i)).join();
            }
            assertThat(store.lines("a-run", 4, 3).stream().map(line -> Entry.read(line).seq()))
                    .containsExactly(4L, 5L, 6L);
            assertThat(store.lines("a-run", 10, 3)).isEmpty();
            assertThat(store.lines("a-run", 0, 0)).isEmpty();
            assertThat(store.lines("no-such-run", 0, 3)).isEmpty();
        }
    }

    @Test
    default void aRunIsKnownWithoutReadingIt() {
        try (TraceStore store = open()) {
            assertThat(store.run("a-run")).isEmpty();
            Chain chain = new Chain("a-run").at(5);
            Append start = chain.start("exec", "Say 'hi'");
            store.append(start).join();
            assertThat(store.run("a-run"))
                    .contains(
                            new RunRow(
                                    "a-run",
                                    "exec",
                                    "Say 'hi'",
                                    5,
                                    OptionalLong.empty(),
                                    "",
                                    1,
                                    start.entries().getLast().hash(),
                                    OptionalLong.empty()));

            Append end = chain.at(9).finish("Completed");
            store.append(end).join();
            Append redacted = chain.at(10).next(new Event.BlobRedacted(Entry.NOTHING, "asked"));
            store.append(redacted).join();
            assertThat(store.run("a-run"))
                    .contains(
                            new RunRow(
                                    "a-run",
                                    "exec",
                                    "Say 'hi'",
                                    5,
                                    OptionalLong.of(9),
                                    "Completed",
                                    3,
                                    redacted.entries().getLast().hash(),
                                    OptionalLong.empty()));
        }
    }

    @Test
    default void severalRecordsAreAppendedAsOne() {
        try (TraceStore store = open()) {
            Chain chain = new Chain("a-run");
            Append wrong = chain.fork().next(new Event.Noted("a", 0, "x"));
            store.append(
                            chain.next(
                                    new Event.Noted("a", 0, "one"),
                                    new Event.Noted("a", 1, "two"),
                                    new Event.Noted("a", 2, "three")))
                    .join();
            assertThat(Chain.unbroken(store, "a-run")).hasSize(3);
            assertConflict(store, wrong);
            assertThat(Chain.unbroken(store, "a-run")).hasSize(3);
        }
    }

    @Test
    default void whatDoesNotContinueTheRunIsAConflict() {
        try (TraceStore store = open()) {
            Chain chain = new Chain("a-run");
            Append first = chain.start("test", "A run");
            Chain other = chain.fork();
            Append second = chain.note("second");
            Append otherSecond = other.note("another second");
            Append third = chain.note("third");
            Append otherThird = other.note("another third");

            assertConflict(store, second);
            store.append(first).join();
            assertConflict(store, first);
            assertConflict(store, third);
            store.append(second).join();
            assertConflict(store, otherSecond);
            assertConflict(store, otherThird);
            store.append(third).join();
            assertThat(Chain.unbroken(store, "a-run"))
                    .containsExactly(
                            first.entries().getFirst(),
                            second.entries().getFirst(),
                            third.entries().getFirst());
        }
    }

    private static void assertConflict(TraceStore store, Append append) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> store.append(append).join())
                .withCauseInstanceOf(Conflict.class);
    }

    @Test
    default void aConflictDoesNotHarmThoseThatAreAppendedTogetherWithIt() {
        try (TraceStore store = open()) {
            List<CompletableFuture<Void>> right = new ArrayList<>();
            List<CompletableFuture<Void>> wrong = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                Chain chain = new Chain("run-" + i);
                Chain rival = chain.fork();
                right.add(store.append(chain.note("first")));
                wrong.add(store.append(rival.note("rival")));
                wrong.add(store.append(rival.note("rival again")));
                right.add(store.append(chain.note("second")));
            }
            right.forEach(CompletableFuture::join);
            for (CompletableFuture<Void> append : wrong) {
                assertThatThrownBy(append::join).hasCauseInstanceOf(Conflict.class);
            }
            for (int i = 0; i < 300; i++) {
                assertThat(Chain.unbroken(store, "run-" + i)).hasSize(2);
            }
        }
    }

    @Test
    default void whatOneThreadSubmitsIsTakenInItsOrder() {
        try (TraceStore store = open()) {
            Chain chain = new Chain("a-run");
            List<CompletableFuture<Void>> appends = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                appends.add(store.append(chain.note("n" + i)));
            }
            appends.forEach(CompletableFuture::join);
            assertThat(Chain.unbroken(store, "a-run")).hasSize(5_000);
        }
    }

    @Test
    default void manyRunsThatGrowAtTheSameTimeStayApart() {
        List<Chain> chains = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            chains.add(new Chain("run-" + i));
        }
        List<CompletableFuture<Void>> appends = new ArrayList<>();
        for (int opened = 0; opened < 3; opened++) {
            try (TraceStore store = open()) {
                for (int i = 0; i < 100; i++) {
                    chains.forEach(chain -> appends.add(store.append(chain.note("text"))));
                }
            }
        }
        appends.forEach(CompletableFuture::join);
        try (TraceStore store = open()) {
            for (Chain chain : chains) {
                assertThat(Chain.unbroken(store, chain.run())).hasSize(300);
                store.append(chain.note("one more")).join();
                assertThat(store.lines(chain.run(), 299, 10)).hasSize(2);
            }
        }
    }

    @Test
    default void recordsOfAnyLengthAreKept() {
        try (TraceStore store = open()) {
            Chain chain = new Chain("a-run");
            for (int length : new int[] {0, 1, 3_000, 5_000, 100_000, 1_040_000}) {
                store.append(chain.note("ü".repeat(length / 2))).join();
            }
            assertThat(Chain.unbroken(store, "a-run")).hasSize(6);
        }
    }

    @Test
    default void textsOfAnyKindAreKeptAsTheyAre() {
        List<String> texts =
                List.of(
                        "'; DROP TABLE runs; --",
                        "\"quoted\" \\ back\\slashed",
                        "100% _under_ *?[a]",
                        "line\nbreak\ttab\u0000nul\u0007bell",
                        "Ünïcødé 日本語 \ud83d\ude00 e\u0301 \u202e",
                        "");
        try (TraceStore store = open()) {
            for (int i = 0; i < texts.size(); i++) {
                Chain chain = new Chain("run-" + i);
                store.append(chain.start(texts.get(i), texts.get(i))).join();
                store.append(chain.finish(texts.get(i))).join();
                RunRow row = store.run("run-" + i).orElseThrow();
                assertThat(row.kind()).isEqualTo(texts.get(i));
                assertThat(row.title()).isEqualTo(texts.get(i));
                assertThat(row.stop()).isEqualTo(texts.get(i));
            }
            assertThat(store.run("'; DROP TABLE runs; --")).isEmpty();
            assertThat(store.run("run-0\u0000")).isEmpty();
            assertThat(store.lines("run-0' OR 1=1", 0, 10)).isEmpty();
            assertThat(store.lines("run-0\ud800", 0, 10)).isEmpty();
        }
    }

    @Test
    default void titlesAndKindsOfAnyLengthAreKeptInTheRecords() {
        String endless = "\ud83d\ude00".repeat(50_000);
        try (TraceStore store = open()) {
            Chain chain = new Chain("a-run");
            store.append(chain.start(endless, endless)).join();
            store.append(chain.finish(endless)).join();
            RunRow row = store.run("a-run").orElseThrow();
            assertThat(endless).startsWith(row.kind()).startsWith(row.title());
            assertThat(row.title()).isNotEmpty();
            Event event = Chain.unbroken(store, "a-run").getFirst().event();
            assertThat(((Event.RunStarted) event).title()).isEqualTo(endless);
        }
    }

    @Test
    default void whatIsNotConsecutiveIsAMistake() {
        Append one = new Chain("one").note("text");
        Append other = new Chain("other").note("text");
        List<Entry> mixed = List.of(one.entries().getFirst(), other.entries().getFirst());
        try (TraceStore store = open()) {
            assertThatThrownBy(() -> store.append(new Append(mixed, List.of(), Set.of())))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(store.run("one")).isEmpty();
        }
    }

    @Test
    default void closingWaitsForWhatWasAppended() {
        List<CompletableFuture<Void>> appends = new ArrayList<>();
        Chain chain = new Chain("a-run");
        try (TraceStore store = open()) {
            for (int i = 0; i < 2_000; i++) {
                appends.add(store.append(chain.note("n" + i)));
            }
        }
        appends.forEach(CompletableFuture::join);
        try (TraceStore store = open()) {
            assertThat(Chain.unbroken(store, "a-run")).hasSize(2_000);
        }
    }

    @Test
    default void aClosedStoreRefusesEverythingAndSaysSo() {
        TraceStore store = open();
        store.append(new Chain("a-run").note("text")).join();
        store.close();
        store.close();

        assertThatThrownBy(() -> store.append(new Chain("another").note("text")).join())
                .hasCauseInstanceOf(NotKept.class)
                .hasMessageContaining("closed");
        List<Runnable> calls =
                List.of(
                        () -> store.run("a-run"),
                        () -> store.runs(RunQuery.newest(1)),
                        () -> store.erase(Entry.NOTHING, Set.of()),
                        () -> store.watch(() -> {}));
        for (Runnable call : calls) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(NotKept.class)
                    .hasMessageContaining("closed");
        }
    }
}
