package dev.glovebox.run;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;

/** Does small things later, on one thread. */
final class Alarms implements AutoCloseable {

    // No timer for what is longer.
    private static final Duration LONGEST = Duration.ofDays(3_650);

    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(
                    1,
                    Thread.ofPlatform().daemon().name("glovebox timer").factory(),
                    new DiscardPolicy());

    Alarms() {
        // Most are cancelled long before their time.
        timer.setRemoveOnCancelPolicy(true);
    }

    Future<?> after(Duration time, Runnable what) {
        return time.compareTo(LONGEST) > 0
                ? CompletableFuture.completedFuture(true)
                : timer.schedule(what, Math.max(0, time.toNanos()), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
