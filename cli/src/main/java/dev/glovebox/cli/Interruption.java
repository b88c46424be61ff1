package dev.glovebox.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What happens on Ctrl-C: what is going on is stopped, and there is time to clean up and to report.
 *
 * <p>The JVM goes on with its own exit code, 128 and the number of the signal. Closing this is what
 * it waits for, so it must be closed before {@link System#exit}, which never returns by then.
 */
final class Interruption implements AutoCloseable {

    private static final long GRACE_SECONDS = 3;
    private static final long MOMENT_MILLIS = 500;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch reported = new CountDownLatch(1);
    private final Thread hook =
            Thread.ofPlatform().name("glovebox-interrupted").unstarted(this::stop);
    private @Nullable Runnable stop;
    private boolean stopping;

    /**
     * From now on.
     *
     * @throws Came if it has come already
     */
    Interruption() {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            throw new Came();
        }
    }

    /** Nothing more is to be done. */
    static final class Came extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private Came() {
            super("interrupted");
        }
    }

    /**
     * Does something that cannot be gone on with later. Boxes are closed when the time comes: what
     * fails from then on has not failed, and what came of it tells nothing.
     *
     * @param json whether somebody wants a document
     * @return its exit code, or that it was interrupted, which is told
     */
    static int during(Shell shell, boolean json, ToIntFunction<Interruption> what) {
        try (Interruption interruption = new Interruption()) {
            try {
                return what.applyAsInt(interruption);
            } catch (BadInput e) {
                throw e;
            } catch (RuntimeException e) {
                if (!interruption.isComing()) {
                    throw e;
                }
                Problem.of(new Came()).tell(shell, json);
                return ExecCommand.CANCELLED;
            }
        }
    }

    /** Does this when the time comes, to stop what is going on from now on. */
    void watch(Runnable ending) {
        synchronized (this) {
            stop = ending;
            if (!stopping) {
                return;
            }
        }
        ending.run();
    }

    /**
     * Looks whether it has come.
     *
     * @throws Came if it has
     */
    void check() {
        if (stopping()) {
            throw new Came();
        }
    }

    /** Whether the JVM is on its way out. */
    synchronized boolean stopping() {
        return stopping;
    }

    /**
     * Whether it has come, or does so in a moment: a terminal tells it to all programs that were
     * begun as well, and what fails since one of those has ended may fail before the JVM has heard.
     */
    private boolean isComing() {
        try {
            return begun.await(MOMENT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return stopping();
        }
    }

    private void stop() {
        begun.countDown();
        Runnable running;
        synchronized (this) {
            stopping = true;
            running = stop;
        }
        if (running != null) {
            running.run();
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
