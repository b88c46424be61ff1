package dev.glovebox.sandbox.wasm;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/**
 * A program's standard input. A write waits for the program to read, but never longer than the
 * program lives.
 */
final class Inlet extends OutputStream {

    private static final int ROOM = 64 * 1024;

    private final Deque<byte[]> pieces = new ArrayDeque<>();
    private int used; // of the first piece
    private int waiting; // bytes that were not read yet
    private boolean closed;
    private boolean ended;

    /** Puts in bytes that are there from the start, however many. */
    synchronized void beforehand(byte[] bytes) {
        if (bytes.length > 0) {
            pieces.add(bytes);
            waiting += bytes.length;
        }
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        for (int done = 0; done < length; ) {
            while (waiting >= ROOM && !closed && !ended) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("Interrupted while the program did not read", e);
                }
            }
            if (closed || ended) {
                throw new IOException("The program has ended or its standard input is closed");
            }
            int step = Math.min(length - done, ROOM - waiting);
            byte[] piece = new byte[step];
            System.arraycopy(bytes, offset + done, piece, 0, step);
            pieces.add(piece);
            waiting += step;
            done += step;
            notifyAll();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Says that nobody reads any more. */
    synchronized void end() {
        ended = true;
        pieces.clear();
        notifyAll();
    }

    /** Waits for input; 0 at its end. */
    synchronized int read(byte[] into, int offset, int length) throws InterruptedException {
        while (!readable()) {
            wait();
        }
        byte[] first = pieces.peek();
        if (first == null || length == 0) {
            return 0;
        }
        int step = Math.min(length, first.length - used);
        System.arraycopy(first, used, into, offset, step);
        used += step;
        waiting -= step;
        if (used == first.length) {
            pieces.remove();
            used = 0;
        }
        notifyAll();
        return step;
    }

    /** Whether a read would not wait. */
    synchronized boolean readable() {
        return !pieces.isEmpty() || closed || ended;
    }

    /** Waits until there is input or the time is over. */
    synchronized boolean awaitReadable(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        while (!readable()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            // In parts: the sum above may overflow for a program that wants to wait for ever.
            wait(Math.clamp(left / 1_000_000, 1, 60_000));
        }
        return true;
    }
}
