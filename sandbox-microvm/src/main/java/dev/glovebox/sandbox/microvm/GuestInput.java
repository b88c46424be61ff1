package dev.glovebox.sandbox.microvm;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/** A program's standard input. A write waits for the program, but never longer than it lives. */
final class GuestInput extends OutputStream {

    private static final int PIECE = 32 * 1024;

    private final Link link;
    private final int number;
    private int underWay;
    private boolean closed;
    private boolean ended;

    GuestInput(Link link, int number) {
        this.link = link;
        this.number = number;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        for (int done = 0; done < length; ) {
            while (underWay >= Link.WINDOW && !closed && !ended) {
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
            int step = Math.min(length - done, PIECE);
            underWay += step;
            link.input(number, bytes, offset + done, step);
            done += step;
        }
    }

    /** Takes note that the program read; false if that is more than was written. */
    synchronized boolean taken(int bytes) {
        if (bytes <= 0 || bytes > underWay) {
            return false;
        }
        underWay -= bytes;
        notifyAll();
        return true;
    }

    synchronized void end() {
        ended = true;
        notifyAll();
    }

    @Override
    public synchronized void close() {
        if (!closed && !ended) {
            closed = true;
            notifyAll();
            try {
                link.input(number, new byte[0], 0, 0);
            } catch (IOException e) {
                // The machine is gone, and nobody reads.
            }
        }
    }
}
