package dev.glovebox.sandbox.internal;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * The one thread that starts processes.
 *
 * <p>A box asks the kernel to die with its parent, and the kernel means the parent <em>thread</em>:
 * a box started from a short-lived thread would die with that. This thread lives as long as the
 * JVM. It is also the only one that steps into a box's version 1 cgroups, so that children are born
 * there.
 */
final class Spawner {

    private static final ExecutorService THREAD =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("glovebox-spawner").factory());

    private Spawner() {}

    /** Runs the task on the thread and gives its result. */
    static <T> T call(Supplier<T> task) {
        Future<T> future = THREAD.submit(task::get);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    // A process that was started must not be lost, so the interrupt has to wait.
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
