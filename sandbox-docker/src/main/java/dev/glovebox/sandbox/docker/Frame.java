package dev.glovebox.sandbox.docker;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One message to or from a holder.
 *
 * @param number of the command or request that it is about
 */
record Frame(char kind, int number, byte[] content) {

    // What comes is hostile: a program may have taken the holder's place.
    private static final int LARGEST = 1 << 20;
    private static final int HEAD = 9;

    static Frame read(DataInputStream in) throws IOException {
        char kind = (char) in.readUnsignedByte();
        int number = in.readInt();
        int length = in.readInt();
        if (length < 0 || length > LARGEST) {
            throw new IOException("The box sent a message of " + length + " bytes");
        }
        byte[] content = new byte[length];
        in.readFully(content);
        return new Frame(kind, number, content);
    }

    byte[] bytes() {
        return ByteBuffer.allocate(HEAD + content.length)
                .put((byte) kind)
                .putInt(number)
                .putInt(content.length)
                .put(content)
                .array();
    }
}
