package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Channel;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Usage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a program prints on its two streams, as far as it is kept, and when each piece came. */
public final class Streams {

    private final Bytes limit;
    private final Capture stdout;
    private final Capture stderr;
    private final Timeline timeline = new Timeline();

    /**
     * Two streams of which nothing has come yet.
     *
     * @param limit what is kept of each
     */
    public Streams(Bytes limit) {
        this.limit = limit;
        stdout = new Capture(limit.count());
        stderr = new Capture(limit.count());
    }

    /**
     * What was kept of both.
     *
     * @param timeline when each piece of it came
     */
    public record Kept(Output stdout, Output stderr, List<Chunk.Mark> timeline) {

        public Kept {
            timeline = List.copyOf(timeline);
        }

        /** What a command used that printed this. */
        public Usage usage(Duration wall, Duration cpu, long peakMemory) {
            return new Usage(
                    wall,
                    cpu,
                    new Bytes(peakMemory),
                    new Bytes(stdout.total()),
                    new Bytes(stderr.total()));
        }
    }

    /**
     * Takes what came on one of them, in an array that nobody else uses any more.
     *
     * @return the part within the limit, for whoever listens
     */
    public Optional<Chunk> add(Channel channel, Duration at, byte[] bytes) {
        Capture capture = capture(channel);
        long offset;
        synchronized (capture) {
            offset = capture.total();
            capture.add(bytes);
        }
        int shown = Math.clamp(limit.count() - offset, 0, bytes.length);
        if (shown == 0) {
            return Optional.empty();
        }
        timeline.add(new Chunk.Mark(channel, at, offset, shown));
        byte[] part = shown == bytes.length ? bytes : Arrays.copyOf(bytes, shown);
        return Optional.of(new Chunk(channel, at, part));
    }

    private Capture capture(Channel channel) {
        return switch (channel) {
            case STDOUT -> stdout;
            case STDERR -> stderr;
        };
    }

    /** How much has come on one of them. */
    public long total(Channel channel) {
        Capture capture = capture(channel);
        synchronized (capture) {
            return capture.total();
        }
    }

    /** Whether more has come on one of them than is kept. */
    public boolean overflowed(Channel channel) {
        return total(channel) > limit.count();
    }

    /** What was kept; call once. What comes later is not in it. */
    public Kept finish() {
        Output out = finish(stdout);
        Output err = finish(stderr);
        return new Kept(out, err, timeline.kept(out, err));
    }

    private static Output finish(Capture capture) {
        synchronized (capture) {
            return capture.finish();
        }
    }
}
