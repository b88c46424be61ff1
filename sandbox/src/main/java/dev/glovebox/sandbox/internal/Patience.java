package dev.glovebox.sandbox.internal;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what the kernel tells nobody: looks again and again, with short pauses. */
final class Patience {

    private static final long PAUSE_NANOS = 50_000;

    private Patience() {}

    /** Whether the condition comes true within the time; it is looked at twice at least. */
    static boolean within(int millis, BooleanSupplier condition) {
        long deadline = System.nanoTime() + millis * 1_000_000L;
        boolean last = false;
        while (!condition.getAsBoolean()) {
            if (last) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            last = System.nanoTime() > deadline;
        }
        return true;
    }
}
