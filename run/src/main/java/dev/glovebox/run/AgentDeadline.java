package dev.glovebox.run;

import java.time.Duration;

/** A moment, by the clock that nobody sets. */
record AgentDeadline(long nanos) {

    // nanoTime may wrap around, so the farthest moment is one that is still after now by
    // difference.
    private static final long FAR = Long.MAX_VALUE / 4;

    static AgentDeadline now() {
        return new AgentDeadline(System.nanoTime());
    }

    static AgentDeadline in(Duration time) {
        boolean far = time.compareTo(Duration.ofNanos(FAR)) >= 0;
        long nanos = time.isNegative() ? 0 : far ? FAR : time.toNanos();
        return new AgentDeadline(System.nanoTime() + nanos);
    }

    AgentDeadline orEarlier(AgentDeadline other) {
        return nanos - other.nanos <= 0 ? this : other;
    }

    /** Nanoseconds until it; 0 if it has passed. */
    long left() {
        return Math.max(0, nanos - System.nanoTime());
    }
}
