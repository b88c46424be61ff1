package dev.glovebox.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Takes the bytes of one message, and stops an encoder that would fill the memory. */
final class MessageBytes extends OutputStream {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int limit;
    private boolean exceeded;

    MessageBytes(int limit) {
        this.limit = limit;
    }

    boolean exceeded() {
        return exceeded;
    }

    byte[] written() {
        return bytes.toByteArray();
    }

    @Override
    public void write(int b) throws IOException {
        makeRoom(1);
        bytes.write(b);
    }

    @Override
    public void write(byte[] more, int offset, int length) throws IOException {
        makeRoom(length);
        bytes.write(more, offset, length);
    }

    private void makeRoom(int more) throws IOException {
        if (exceeded || more > limit - bytes.size()) {
            exceeded = true;
            throw new IOException("longer than " + limit + " bytes");
        }
    }
}
