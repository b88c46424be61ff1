package dev.glovebox.sandbox.docker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits that an interrupt does not cut short; it is kept for who asked. */
final class Uninterrupted {

    private Uninterrupted() {}

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
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
