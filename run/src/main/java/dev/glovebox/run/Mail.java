package dev.glovebox.run;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for letters when there is news in the store, not too often. */
final class Mail implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Mail.class);
    private static final Duration BETWEEN = Duration.ofMillis(50);

    private final Semaphore news = new Semaphore(0);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    Mail(Runnable look) {
        thread = Thread.ofVirtual().name("glovebox mail").start(() -> watch(look));
    }

    /** Something may have been recorded. */
    void news() {
        if (news.availablePermits() == 0) {
            news.release();
        }
    }

    private void watch(Runnable look) {
        try {
            do {
                news.acquire();
                news.drainPermits();
                look(look);
            } while (!closed.await(BETWEEN.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(Runnable look) {
        try {
            if (closed.getCount() > 0) {
                look.run();
            }
        } catch (RuntimeException e) {
            // Answers are found again at the next news.
            LOG.warn("Could not look for letters to runs: {}", e.getMessage());
        }
    }

    /** Waits for the last look, which is not interrupted: it may be reading from a database. */
    @Override
    public void close() {
        closed.countDown();
        news.release();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
