package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Result;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits that an interrupt does not cut short; it is kept for who asked. */
final class Uninterrupted {

    private Uninterrupted() {}

    /** Waits for a program; whoever interrupts ends it. */
    static Result result(Execution execution) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return execution.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                    execution.cancel("the waiting thread was interrupted");
                }
            }
        } finally {
            restore(interrupted);
        }
    }

    static void await(CountDownLatch latch) {
        await(latch, Duration.ofDays(1));
    }

    static void await(CountDownLatch latch, Duration most) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + most.toNanos();
        while (true) {
            try {
                latch.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        restore(interrupted);
    }

    private static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
