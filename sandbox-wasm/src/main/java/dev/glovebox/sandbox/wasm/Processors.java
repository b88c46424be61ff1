package dev.glovebox.sandbox.wasm;

import java.util.concurrent.Semaphore;

/**
 * As many commands of a box compute at once as the policy has processors; the others wait. A
 * command that waits for input, time or a slow listener needs none.
 */
final class Processors {

    /** Something that waits. */
    @FunctionalInterface
    interface Waiting<T> {
        T await() throws InterruptedException;
    }

    private final Semaphore free;
    private final int count;

    Processors(double cpus) {
        count = (int) Math.floor(cpus);
        free = new Semaphore(count, true);
    }

    int count() {
        return count;
    }

    void take() {
        try {
            free.acquire();
        } catch (InterruptedException e) {
            throw stopped();
        }
    }

    void giveBack() {
        free.release();
    }

    /** Waits for something without a processor. Whoever is interrupted has been stopped. */
    <T> T without(Waiting<T> waiting) {
        giveBack();
        try {
            return waiting.await();
        } catch (InterruptedException e) {
            throw stopped();
        } finally {
            // A program that was stopped runs for a moment only, and must give back what it took.
            free.acquireUninterruptibly();
        }
    }

    private static Unwinding.Stopped stopped() {
        Thread.currentThread().interrupt();
        return new Unwinding.Stopped();
    }
}
