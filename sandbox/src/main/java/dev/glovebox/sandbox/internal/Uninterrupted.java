package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** Waits for the end of a command, whatever else happens. */
final class Uninterrupted {

    private Uninterrupted() {}

    /** Runs a program to its end; an interrupt of the waiting thread cancels it and stays set. */
    static Result run(Sandbox box, Program program) {
        Program complete = program.stdin().isPresent() ? program : program.stdin(new byte[0]);
        Execution execution = box.start(complete, chunk -> {});
        try {
            return execution.await();
        } catch (InterruptedException e) {
            execution.cancel("the waiting thread was interrupted");
            Thread.currentThread().interrupt();
            return await(execution);
        }
    }

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
