package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.Channel;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.spi.Capture;
import dev.glovebox.sandbox.spi.Timeline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A program's two output streams: keeps what the policy keeps, and hands the first part to a
 * listener, on a thread of its own so that a kill does not interrupt somebody else's code.
 */
final class Outlet {

    /** The listener of who does not listen; it costs no thread. */
    static final Consumer<Chunk> NOBODY = chunk -> {};

    private static final int ROOM = 64 * 1024;

    private final Capture stdout;
    private final Capture stderr;
    private final long limit;
    private final Consumer<Chunk> listener;
    private final Consumer<RuntimeException> failed;
    private final Timeline timeline = new Timeline();
    private final Deque<Chunk> queue = new ArrayDeque<>();
    private int queued;
    private boolean handing;
    private boolean deaf;

    /**
     * An outlet.
     *
     * @param limit bytes kept of each stream
     * @param failed told when the listener threw something; it is not called again
     */
    Outlet(long limit, Consumer<Chunk> listener, Consumer<RuntimeException> failed) {
        this.limit = limit;
        this.listener = listener;
        this.failed = failed;
        stdout = new Capture(limit);
        stderr = new Capture(limit);
    }

    /** Takes what the program wrote, and waits if the listener is behind; true if too much came. */
    synchronized boolean add(Channel channel, Duration at, byte[] bytes)
            throws InterruptedException {
        Capture capture = capture(channel);
        long offset = capture.total();
        capture.add(bytes);
        int shown = Math.clamp(limit - offset, 0, bytes.length);
        if (shown > 0) {
            timeline.add(new Chunk.Mark(channel, at, offset, shown));
            if (!listener.equals(NOBODY)) {
                hand(new Chunk(channel, at, Arrays.copyOf(bytes, shown)));
            }
        }
        return capture.overflowed();
    }

    private Capture capture(Channel channel) {
        return switch (channel) {
            case STDOUT -> stdout;
            case STDERR -> stderr;
        };
    }

    synchronized long total(Channel channel) {
        return capture(channel).total();
    }

    private void hand(Chunk chunk) throws InterruptedException {
        while (queued >= ROOM && !deaf) {
            wait();
        }
        if (deaf) {
            return;
        }
        queue.add(chunk);
        queued += chunk.bytes().length;
        if (!handing) {
            handing = true;
            Thread.ofVirtual().name("glovebox-wasm-listener").start(this::deliver);
        }
    }

    private void deliver() {
        for (Chunk next = next(); next != null; next = next()) {
            try {
                listener.accept(next);
            } catch (RuntimeException e) {
                synchronized (this) {
                    deaf = true;
                    queue.clear();
                }
                failed.accept(e);
            }
        }
    }

    private synchronized @Nullable Chunk next() {
        Chunk next = queue.poll();
        if (next == null) {
            handing = false;
            queued = 0;
        } else {
            queued -= next.bytes().length;
        }
        notifyAll();
        return next;
    }

    /** Waits until the listener has heard everything. */
    synchronized void drain() throws InterruptedException {
        while (handing) {
            wait();
        }
    }

    /** Waits for the listener, but not for long: the program was killed. */
    synchronized void drain(Duration most) throws InterruptedException {
        long deadline = System.nanoTime() + most.toNanos();
        for (long left = most.toMillis();
                handing && left > 0;
                left = (deadline - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
    }

    /** What was kept; call once, after the end of the program. */
    synchronized Output finish(Channel channel) {
        return capture(channel).finish();
    }

    List<Chunk.Mark> marks(Output out, Output err) {
        return timeline.kept(out, err);
    }
}
