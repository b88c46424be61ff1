package dev.glovebox.sandbox.opensandbox;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** One thread that knows the time for all boxes; what takes longer gets a thread of its own. */
final class Clockwork {

    private static final ScheduledExecutorService CLOCK =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("glovebox-opensandbox-clock").factory());

    private Clockwork() {}

    static ScheduledFuture<?> every(Duration time, Runnable task) {
        return CLOCK.scheduleWithFixedDelay(
                () -> apart(task), time.toMillis(), time.toMillis(), TimeUnit.MILLISECONDS);
    }

    static ScheduledFuture<?> after(Duration time, Runnable task) {
        return CLOCK.schedule(() -> apart(task), time.toMillis(), TimeUnit.MILLISECONDS);
    }

    static void apart(Runnable task) {
        Thread.ofVirtual().name("glovebox-opensandbox").start(task);
    }
}
