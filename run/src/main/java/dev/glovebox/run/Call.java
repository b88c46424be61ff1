package dev.glovebox.run;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** One performance of an effect. */
public final class Call {

    private final Supplier<String> key;
    private final Duration left;
    private final long began;

    /**
     * A call that begins now.
     *
     * @param left how long somebody waits for it
     */
    public Call(String key, Duration left) {
        this(() -> key, left, System.nanoTime());
    }

    /** The same; few effects ask for their key, or for the time. */
    Call(Supplier<String> key, Duration left, long began) {
        this.key = key;
        this.left = left;
        this.began = began;
    }

    /**
     * Unique to it in all runs, and the same when it is repeated: for the other side to recognise
     * what it has done already.
     */
    public String key() {
        return key.get();
    }

    /** How long there was until its deadline when it began. */
    public Duration left() {
        return left;
    }

    /** The count of nanoseconds when it has taken so long. */
    long nanosAfter(Duration time) {
        return began + time.toNanos();
    }

    /**
     * When nobody waits for it any more; its thread is interrupted then, and also when the run is
     * cancelled.
     */
    public Instant deadline() {
        return Instant.now().plus(left).minusNanos(System.nanoTime() - began);
    }
}
