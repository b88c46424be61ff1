package dev.glovebox.sandbox.internal;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;

/** Streams that count what goes through them. */
final class Counted {

    private Counted() {}

    static final class Input extends FilterInputStream {

        private final AtomicLong count;

        Input(InputStream in, AtomicLong count) {
            super(in);
            this.count = count;
        }

        @Override
        public int read() throws IOException {
            int one = super.read();
            count.addAndGet(one < 0 ? 0 : 1);
            return one;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int size = super.read(bytes, offset, length);
            count.addAndGet(Math.max(0, size));
            return size;
        }
    }

    static final class Output extends FilterOutputStream {

        private final AtomicLong count;

        Output(OutputStream out, AtomicLong count) {
            super(out);
            this.count = count;
        }

        @Override
        public void write(int one) throws IOException {
            out.write(one);
            count.incrementAndGet();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
            count.addAndGet(length);
        }
    }
}
