package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Channel;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Pressure;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Takes what a program prints, has a listener hear it, and holds it to its limit. One thread gives
 * it everything, in the order in which it came.
 */
public final class Hearing {

    private final Streams streams;
    private final Policy policy;
    private final Consumer<Chunk> listener;
    private final Touched touched;
    private final Consumer<Outcome> stop;
    private boolean deaf;

    /**
     * A hearing of one program.
     *
     * @param stop ends the program
     */
    public Hearing(
            Policy policy, Consumer<Chunk> listener, Touched touched, Consumer<Outcome> stop) {
        this.streams = new Streams(policy.limits().output());
        this.policy = policy;
        this.listener = listener;
        this.touched = touched;
        this.stop = stop;
    }

    /** Takes what came, in an array that nobody else uses any more. */
    public void take(Channel channel, Duration at, byte[] bytes) {
        streams.add(channel, at, bytes).ifPresent(this::tell);
        if (streams.overflowed(channel)) {
            overflow(channel);
        }
    }

    /** A listener that fails ends the program, since nobody hears it any more. */
    private void tell(Chunk chunk) {
        if (deaf) {
            return;
        }
        try {
            listener.accept(chunk);
        } catch (RuntimeException e) {
            deaf = true;
            // It may have left its thread interrupted, and to stop means to wait.
            boolean _ = Thread.interrupted();
            stop.accept(new Outcome.Cancelled("its listener failed: " + e));
        }
    }

    private void overflow(Channel channel) {
        Bytes limit = policy.limits().output();
        switch (policy.outputOverflow()) {
            case KILL ->
                    stop.accept(
                            new Outcome.LimitHit(
                                    Limit.OUTPUT, limit.count(), streams.total(channel)));
            case TRUNCATE ->
                    touched.add(
                            new Pressure(Limit.OUTPUT, "more than " + limit + " on " + channel));
        }
    }

    /** How much has come on a stream. */
    public long total(Channel channel) {
        return streams.total(channel);
    }

    /** What was kept; call once. What comes later is not in it. */
    public Streams.Kept finish() {
        return streams.finish();
    }
}
