package dev.glovebox.agent;

import java.time.Duration;

/** Refuses limits that nothing could keep, where they are set. */
final class Limits {

    private Limits() {}

    /**
     * Lets a number pass.
     *
     * @param what it limits, for the message
     * @throws IllegalArgumentException if it is less
     */
    static int atLeast(int least, int number, String what) {
        return Math.toIntExact(atLeast((long) least, number, what));
    }

    static long atLeast(long least, long number, String what) {
        if (number < least) {
            throw new IllegalArgumentException(
                    "%s: at least %d, not %d".formatted(what, least, number));
        }
        return number;
    }

    /**
     * Lets a time pass.
     *
     * @throws IllegalArgumentException if it is not longer than nothing
     */
    static Duration some(Duration time, String what) {
        if (!time.isPositive()) {
            throw new IllegalArgumentException(
                    "%s: more than no time, not %s".formatted(what, time));
        }
        return time;
    }
}
