package dev.glovebox.trace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.trace.spi.TraceStore;
import dev.glovebox.trace.spi.TraceStore.Watch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Whoever watches hears of what was appended. */
interface WatchKit extends Medium {

    /** Waits for news until what is looked for is there. */
    private static void await(Semaphore news, BooleanSupplier there) throws InterruptedException {
        while (!there.getAsBoolean()) {
            assertThat(news.tryAcquire(1, TimeUnit.MINUTES)).as("news within a minute").isTrue();
        }
    }

    @Test
    default void oneHearsOfWhatThisStoreAppends() throws InterruptedException {
        try (TraceStore store = open()) {
            Semaphore news = new Semaphore(0);
            Chain chain = new Chain("a-run");
            try (Watch watch = store.watch(news::release)) {
                assertThat(watch).isNotNull();
                for (int i = 1; i <= 20; i++) {
                    store.append(chain.note("n")).join();
                    int records = i;
                    await(news, () -> store.lines("a-run", 0, 100).size() == records);
                }
            }
        }
    }

    @Test
    default void oneHearsOfWhatAnotherStoreAppends() throws InterruptedException {
        try (TraceStore store = open();
                TraceStore other = open()) {
            Semaphore news = new Semaphore(0);
            Chain chain = new Chain("a-run");
            try (Watch watch = store.watch(news::release)) {
                assertThat(watch).isNotNull();
                for (int i = 1; i <= 5; i++) {
                    other.append(chain.note("n")).join();
                    int records = i;
                    await(news, () -> store.lines("a-run", 0, 100).size() == records);
                }
            }
        }
    }

    @Test
    default void oneWhoFailsDoesNotKeepOthersFromHearing() throws InterruptedException {
        try (TraceStore store = open()) {
            Semaphore news = new Semaphore(0);
            Chain chain = new Chain("a-run");
            store.watch(() -> {
                throw new IllegalStateException("on purpose");
            });
            store.watch(news::release);
            store.append(chain.note("n")).join();
            await(news, () -> store.run("a-run").isPresent());
        }
    }

    @Test
    default void oneWhoComesAfterAllOthersHaveLeftHearsAsWell() throws InterruptedException {
        try (TraceStore store = open()) {
            Chain chain = new Chain("a-run");
            for (int i = 1; i <= 5; i++) {
                Semaphore news = new Semaphore(0);
                int records = i;
                try (Watch watch = store.watch(news::release)) {
                    assertThat(watch).isNotNull();
                    store.append(chain.note("n")).join();
                    await(news, () -> store.lines("a-run", 0, 100).size() == records);
                }
                TimeUnit.MILLISECONDS.sleep(i * 60L);
            }
        }
    }

    @Test
    default void oneWhoHearsMayUseTheStoreAndEvenCloseIt() throws InterruptedException {
        TraceStore store = open();
        Semaphore closed = new Semaphore(0);
        store.watch(() -> {
            if (store.run("a-run").isPresent()) {
                store.close();
                closed.release();
            }
        });
        store.append(new Chain("a-run").note("n")).join();
        assertThat(closed.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
    }
}
