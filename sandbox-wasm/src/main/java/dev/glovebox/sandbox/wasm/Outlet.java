package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Channel;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.spi.Streams;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
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

    private final Streams streams;
    private final Consumer<Chunk> listener;
    private final Consumer<RuntimeException> failed;
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
    Outlet(Bytes limit, Consumer<Chunk> listener, Consumer<RuntimeException> failed) {
        this.streams = new Streams(limit);
        this.listener = listener;
        this.failed = failed;
    }

    /** Takes what the program wrote, and waits if the listener is behind; true if too much came. */
    synchronized boolean add(Channel channel, Duration at, byte[] bytes)
            throws InterruptedException {
        Optional<Chunk> chunk = streams.add(channel, at, bytes);
        if (chunk.isPresent() && !listener.equals(NOBODY)) {
            hand(chunk.get());
        }
        return streams.overflowed(channel);
    }

    long total(Channel channel) {
        return streams.total(channel);
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
    Streams.Kept finish() {
        return streams.finish();
    }
}
