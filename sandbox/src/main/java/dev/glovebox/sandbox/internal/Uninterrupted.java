package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Result;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** Waits for the end of a command, whatever else happens. */
final class Uninterrupted {

    private Uninterrupted() {}

    /** Waits for the end of a command that was just killed. */
    static Result await(Execution execution) {
        return insist(execution::await);
    }

    static void await(CountDownLatch latch) {
        insist(() -> {
            latch.await();
            return true;
        });
    }

    static boolean tryLock(Lock lock, long millis) {
        return insist(() -> lock.tryLock(millis, TimeUnit.MILLISECONDS));
    }

    static void await(CountDownLatch latch, long millis) {
        insist(() -> latch.await(millis, TimeUnit.MILLISECONDS));
    }

    static boolean awaitTermination(ExecutorService threads, long seconds) {
        return insist(() -> threads.awaitTermination(seconds, TimeUnit.SECONDS));
    }

    static void join(Thread thread) {
        insist(() -> {
            thread.join();
            return true;
        });
    }

    @FunctionalInterface
    private interface Waiting<T> {
        T await() throws InterruptedException;
    }

    private static <T> T insist(Waiting<T> waiting) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return waiting.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
