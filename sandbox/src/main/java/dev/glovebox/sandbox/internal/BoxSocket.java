package dev.glovebox.sandbox.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Objects;

/** A connection that a program made to the gate: a descriptor as a pair of streams. */
final class BoxSocket implements AutoCloseable {

    private static final int BUFFER = 16 * 1024;
    private static final Duration FOREVER = Duration.ofDays(365);

    private final int fd;
    private final Readiness readiness;
    private final InputStream input = new Reading();
    private final OutputStream output = new Writing();
    private volatile long deadline = Long.MAX_VALUE;
    private boolean closed;

    BoxSocket(int fd, Readiness readiness) {
        this.fd = fd;
        this.readiness = readiness;
    }

    InputStream input() {
        return input;
    }

    OutputStream output() {
        return output;
    }

    /** From now on all reading and writing must be over within this time. */
    void hurry(Duration within) {
        deadline = System.nanoTime() + within.toNanos();
    }

    /** Takes back the hurry. */
    void relax() {
        deadline = Long.MAX_VALUE;
    }

    /** Tells the program that nothing more comes. */
    void endOutput() {
        shutdown(Sockets.SHUT_WRITING);
    }

    /** Ends it for whoever reads or writes here; the descriptor stays until it is closed. */
    void hangUp() {
        shutdown(Sockets.SHUT_ALL);
    }

    private synchronized void shutdown(int how) {
        if (!closed) {
            Sockets.shutdown(fd, how);
        }
    }

    /** To be called when nobody reads or writes any more. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Kernel.close(fd);
        }
    }

    private void await(short events) throws IOException {
        Duration left =
                deadline == Long.MAX_VALUE
                        ? FOREVER
                        : Duration.ofNanos(deadline - System.nanoTime());
        try {
            if (left.isNegative() || !readiness.await(fd, events, left)) {
                throw new SocketTimeoutException("out of time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    // Room for what is moved is taken for each move and given back: a program makes thousands of
    // connections in a second, and what each of them kept would wait for a collection.

    private final class Reading extends InputStream {

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment buffer = arena.allocate(Math.min(length, BUFFER));
                while (true) {
                    int size = Kernel.read(fd, buffer);
                    if (size == -Kernel.EAGAIN) {
                        await(Kernel.POLLIN);
                    } else if (size < 0) {
                        throw new IOException(
                                "reading from the box: " + KernelException.name(-size));
                    } else {
                        MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, bytes, offset, size);
                        return size == 0 && length > 0 ? -1 : size;
                    }
                }
            }
        }
    }

    private final class Writing extends OutputStream {

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment buffer = arena.allocate(Math.min(length, BUFFER));
                for (int done = 0; done < length; ) {
                    int part = Math.min(length - done, BUFFER);
                    MemorySegment.copy(
                            bytes, offset + done, buffer, ValueLayout.JAVA_BYTE, 0, part);
                    int size = Sockets.send(fd, buffer.asSlice(0, part));
                    if (size == -Kernel.EAGAIN) {
                        await(Kernel.POLLOUT);
                    } else if (size < 0) {
                        throw new IOException("writing to the box: " + KernelException.name(-size));
                    } else {
                        done += size;
                    }
                }
            }
        }
    }
}
