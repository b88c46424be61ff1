package dev.glovebox.cli;

import dev.glovebox.sandbox.Execution;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What happens on Ctrl-C: the program is stopped, and there is time to close its box and to report.
 *
 * <p>The JVM goes on with its own exit code, 128 and the number of the signal. Closing this is what
 * it waits for, so it must be closed before {@link System#exit}, which never returns by then.
 */
final class Interruption implements AutoCloseable {

    private static final long GRACE_SECONDS = 3;

    private final CountDownLatch reported = new CountDownLatch(1);
    private final Thread hook =
            Thread.ofPlatform().name("glovebox-interrupted").unstarted(this::stop);
    private @Nullable Execution execution;
    private boolean stopping;

    Interruption() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Stops this program when the time comes. */
    void watch(Execution started) {
        synchronized (this) {
            execution = started;
            if (!stopping) {
                return;
            }
        }
        started.cancel("interrupted");
    }

    /** Whether the JVM is on its way out. */
    synchronized boolean stopping() {
        return stopping;
    }

    private void stop() {
        Execution running;
        synchronized (this) {
            stopping = true;
            running = execution;
        }
        if (running != null) {
            running.cancel("interrupted");
        }
        try {
            reported.await(GRACE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        reported.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // it is running
        }
    }
}
