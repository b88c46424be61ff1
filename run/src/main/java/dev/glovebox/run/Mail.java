package dev.glovebox.run;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for letters when there is news in the store, not too often. */
final class Mail implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Mail.class);
    private static final Duration BETWEEN = Duration.ofMillis(50);

    private final Semaphore news = new Semaphore(0);
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
            while (true) {
                news.acquire();
                news.drainPermits();
                try {
                    look.run();
                } catch (RuntimeException e) {
                    // Answers are found again at the next news.
                    LOG.warn("Could not look for letters to runs: {}", e.getMessage());
                }
                Thread.sleep(BETWEEN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
