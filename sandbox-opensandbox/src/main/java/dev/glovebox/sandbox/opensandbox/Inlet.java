package dev.glovebox.sandbox.opensandbox;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * The standard input of a program, for which the server has no way in: its pieces are numbered
 * files that the agent takes away.
 */
final class Inlet extends OutputStream {

    // What may wait in the box for a program that does not read.
    private static final int ROOM = 1 << 20;
    private static final int PIECE = 1 << 18;

    private final Execd execd;
    private final String folder;
    private long sent;
    private long taken;
    private int number;
    private boolean closed;
    private boolean over;

    Inlet(Execd execd, String folder) {
        this.execd = execd;
        this.folder = folder;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        for (int done = 0; done < length; done += PIECE) {
            int from = offset + done;
            piece(Arrays.copyOfRange(bytes, from, from + Math.min(PIECE, length - done)));
        }
    }

    private void piece(byte[] bytes) throws IOException {
        synchronized (this) {
            while (!over && !closed && sent - taken >= ROOM) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted while the program did not read", e);
                }
            }
            if (over || closed) {
                throw new IOException("the program no longer reads");
            }
            sent += bytes.length;
        }
        send(bytes);
    }

    /** In two steps, so that the agent never sees half a piece; an empty one is the end. */
    private void send(byte[] bytes) throws IOException {
        String name;
        synchronized (this) {
            name = folder + "/in." + number++;
        }
        execd.upload(name + ".part", bytes);
        execd.move(name + ".part", name);
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            if (closed || over) {
                return;
            }
            closed = true;
            notifyAll();
        }
        send(new byte[0]);
    }

    synchronized void taken(long bytes) {
        taken = Math.clamp(bytes, taken, sent);
        notifyAll();
    }

    /** Frees whoever writes: nobody reads any more. */
    synchronized void end() {
        over = true;
        notifyAll();
    }
}
