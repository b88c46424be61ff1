package dev.glovebox.trace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.trace.Conflict;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.TraceStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Of those who continue a run at the same time, one wins, and the run never forks. */
interface RaceKit extends Medium {

    /** How many records are raced for. */
    int RECORDS = 1_000;

    /** The run that all want to continue. */
    String PRIZE = "prize";

    /** Wins as many records as possible, until there are enough; how many those were. */
    static long race(TraceStore store, String racer) {
        long won = 0;
        Chain chain = Chain.in(store, PRIZE);
        while (chain.size() < RECORDS) {
            try {
                store.append(chain.note(racer)).join();
                won++;
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof Conflict)) {
                    throw e;
                }
                chain = Chain.in(store, PRIZE);
            }
        }
        return won;
    }

    @Test
    default void twoThreadsNeverForkARun() throws Exception {
        try (TraceStore store = open()) {
            race(store, store);
        }
    }

    @Test
    default void twoStoresNeverForkARun() throws Exception {
        try (TraceStore one = open();
                TraceStore other = open()) {
            race(one, other);
        }
    }

    private static void race(TraceStore one, TraceStore other)
            throws InterruptedException, ExecutionException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Long> first = threads.submit(() -> race(one, "first"));
            Future<Long> second = threads.submit(() -> race(other, "second"));
            assertWon(one, Map.of("first", first.get(), "second", second.get()));
        }
    }

    @Test
    default void twoProcessesNeverForkARun() throws IOException, InterruptedException {
        // Both find the store empty: making its tables is a race as well.
        try (Child one = Child.start("race", address(), "one");
                Child other = Child.start("race", address(), "other")) {
            long won = Long.parseLong(one.lines().getLast());
            long otherWon = Long.parseLong(other.lines().getLast());
            try (TraceStore store = open()) {
                assertWon(store, Map.of("one", won, "other", otherWon));
            }
        }
    }

    @Test
    default void manyMayMakeAStoreAtTheSameTime() throws Exception {
        int many = 12;
        CyclicBarrier together = new CyclicBarrier(many);
        try (var threads = Executors.newFixedThreadPool(many)) {
            List<Future<Void>> opened = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                Chain chain = new Chain("run-" + i);
                opened.add(
                        threads.submit(() -> {
                            together.await();
                            try (TraceStore store = open()) {
                                return store.append(chain.note("text")).join();
                            }
                        }));
            }
            for (Future<Void> one : opened) {
                one.get();
            }
        }
        try (TraceStore store = open()) {
            assertThat(store.runs(RunQuery.newest(100))).hasSize(many);
        }
    }

    private static void assertWon(TraceStore store, Map<String, Long> won) {
        List<Entry> entries = Chain.unbroken(store, PRIZE);
        Map<String, Long> kept =
                entries.stream()
                        .map(entry -> ((Event.Noted) entry.event()).text())
                        .collect(Collectors.groupingBy(racer -> racer, Collectors.counting()));
        won.forEach(
                (racer, records) -> assertThat(kept.getOrDefault(racer, 0L)).isEqualTo(records));
        assertThat(entries.size()).isBetween(RECORDS, RECORDS + 1);
    }
}
