package dev.glovebox.sandbox.docker;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * A program's standard input. A write waits until the holder has room, but never longer than the
 * program lives.
 */
final class Stdin extends OutputStream {

    /** As much as the holder keeps for a program that does not read. */
    private static final int WINDOW = 1 << 18;

    private static final int PIECE = 1 << 16;

    private final Holder holder;
    private final int number;
    private int room = WINDOW;
    private boolean closed;

    Stdin(Holder holder, int number) {
        this.holder = holder;
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
            try {
                while (room == 0 && !closed) {
                    wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("Interrupted while the program did not read", e);
            }
            if (closed) {
                throw new IOException("The program has ended or its standard input is closed");
            }
            int size = Math.min(PIECE, Math.min(room, length - done));
            room -= size;
            holder.say('i', number, Arrays.copyOfRange(bytes, offset + done, offset + done + size));
            done += size;
        }
    }

    synchronized void taken(int size) {
        room = Math.min(WINDOW, room + Math.max(0, size));
        notifyAll();
    }

    /** Nobody reads any more. */
    synchronized void end() {
        closed = true;
        notifyAll();
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            end();
            holder.say('c', number, new byte[0]);
        }
    }
}
