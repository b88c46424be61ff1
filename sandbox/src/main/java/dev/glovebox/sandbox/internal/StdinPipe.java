package dev.glovebox.sandbox.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * A program's standard input: bytes known beforehand are pushed by the pump, the rest by whoever
 * writes here. A write waits for the program to read, but never longer than the program lives.
 */
final class StdinPipe extends OutputStream {

    private static final int WAIT_MILLIS = 20;

    private final byte[] beforehand;
    private final BooleanSupplier ended;
    private int fd;
    private int flushed;
    private boolean closeWhenFlushed;

    StdinPipe(int fd, byte[] beforehand, BooleanSupplier ended) {
        this.fd = fd;
        this.beforehand = beforehand;
        this.ended = ended;
    }

    synchronized void closeWhenFlushed() {
        closeWhenFlushed = true;
        flush();
    }

    /** The descriptor while there are bytes left to push, else -1. */
    synchronized int pendingFd() {
        return flushed < beforehand.length ? fd : -1;
    }

    @Override
    public synchronized void flush() {
        while (fd >= 0 && flushed < beforehand.length) {
            int size =
                    Kernel.write(
                            fd,
                            beforehand,
                            flushed,
                            Math.min(beforehand.length - flushed, 64 * 1024));
            if (size == -Kernel.EAGAIN) {
                return;
            }
            if (size < 0) {
                close();
                return;
            }
            flushed += size;
        }
        if (closeWhenFlushed) {
            close();
        }
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        for (int done = 0; done < length; ) {
            int target;
            int size;
            synchronized (this) {
                target = fd;
                size =
                        target < 0 || ended.getAsBoolean()
                                ? -1
                                : Kernel.write(target, bytes, offset + done, length - done);
            }
            if (size == -Kernel.EAGAIN) {
                Kernel.ready(target, Kernel.POLLOUT, WAIT_MILLIS);
            } else if (size < 0) {
                throw new IOException("The program has ended or its standard input is closed");
            } else {
                done += size;
            }
        }
    }

    @Override
    public synchronized void close() {
        Kernel.close(fd);
        fd = -1;
        flushed = beforehand.length;
    }
}
