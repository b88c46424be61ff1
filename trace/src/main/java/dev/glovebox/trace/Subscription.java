package dev.glovebox.trace;

import dev.glovebox.trace.spi.TraceStore;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Gives somebody the records of a run, those that are there and those to come: all of them, each
 * once, in their order. Whoever is slow makes nobody wait.
 */
public final class Subscription implements AutoCloseable {

    private final TraceStore store;
    private final String run;
    private final boolean toTheEnd;
    private final Consumer<Entry> consumer;
    private final Semaphore news = new Semaphore(0);
    private final TraceStore.Watch watch;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean closed;

    private Subscription(TraceStore store, String run, boolean toTheEnd, Consumer<Entry> consumer) {
        this.store = store;
        this.run = run;
        this.toTheEnd = toTheEnd;
        this.consumer = consumer;
        // Before the first look: what comes after that look is news.
        this.watch = store.watch(news::release);
    }

    /**
     * @param toTheEnd whether it ends with the record {@code run.finished}; otherwise redactions
     *     that come later are given as well, until it is closed
     */
    static Subscription begin(
            TraceStore store, String run, long from, boolean toTheEnd, Consumer<Entry> consumer) {
        Subscription subscription = new Subscription(store, run, toTheEnd, consumer);
        Thread.ofVirtual()
                .name("glovebox-subscription-" + run)
                .start(() -> subscription.work(from));
        return subscription;
    }

    private void work(long from) {
        try {
            long next = from;
            while (!closed) {
                Iterator<Entry> tape = Tape.of(store, run, next).iterator();
                while (!closed && tape.hasNext()) {
                    Entry entry = tape.next();
                    consumer.accept(entry);
                    next = entry.seq() + 1;
                    if (toTheEnd && entry.type().equals(EventCodec.RUN_FINISHED)) {
                        closed = true;
                    }
                }
                closed |= toTheEnd && isBehindTheEnd(next);
                if (!closed) {
                    news.acquire();
                    news.drainPermits();
                }
            }
            ended.complete(null);
        } catch (InterruptedException e) {
            ended.complete(null);
        } catch (RuntimeException | Error e) {
            // An error as well: whoever waits for the end would wait for ever.
            ended.completeExceptionally(e);
        } finally {
            watch.close();
        }
    }

    /** Whether somebody began to read behind the end, and would wait for it forever. */
    private boolean isBehindTheEnd(long next) {
        return store.run(run)
                .filter(row -> row.finishedAt().isPresent() && next >= row.records())
                .isPresent();
    }

    /** Done when nothing more is given; failed, if the consumer or the store has. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /** Ends it; a record that is being given at this moment is the last one. */
    @Override
    public void close() {
        closed = true;
        news.release();
    }
}
