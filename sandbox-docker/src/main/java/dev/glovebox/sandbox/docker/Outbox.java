package dev.glovebox.sandbox.docker;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Bytes on their way to a holder. Whoever writes never waits, even where the engine hangs; how much
 * is under way is bounded by what the holder has room for.
 */
final class Outbox extends OutputStream {

    private static final byte[] END = new byte[0];

    private final BlockingQueue<byte[]> queue = new LinkedBlockingQueue<>();
    private boolean closed;

    @Override
    public void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        if (length > 0 && !closed) {
            queue.add(Arrays.copyOfRange(bytes, offset, offset + length));
        }
    }

    /** Ends it; what was not taken yet is not delivered. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            queue.clear();
            queue.add(END);
        }
    }

    /** The other end, for one reader. */
    InputStream reader() {
        return new Reader();
    }

    private final class Reader extends InputStream {

        private byte[] piece = new byte[1];
        private int at = 1;

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            if (at == piece.length && piece.length > 0) {
                try {
                    piece = queue.take();
                    at = 0;
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    piece = END;
                }
            }
            if (piece.length == 0) {
                return -1;
            }
            int size = Math.min(length, piece.length - at);
            System.arraycopy(piece, at, bytes, offset, size);
            at += size;
            return size;
        }
    }
}
