package dev.glovebox.cli;

import java.io.ByteArrayOutputStream;

/** What a program could read from our standard input: how much, and the first part of it. */
final class PassedInput {

    /** In bytes; as much as is kept of an output, unless a policy says otherwise. */
    static final int KEPT = 1 << 20;

    private final ByteArrayOutputStream first = new ByteArrayOutputStream();
    private long total;

    synchronized void add(byte[] buffer, int size) {
        first.write(buffer, 0, Math.min(size, KEPT - first.size()));
        total += size;
    }

    /** How many bytes there were. */
    synchronized long total() {
        return total;
    }

    /** The first of them. */
    synchronized byte[] first() {
        return first.toByteArray();
    }
}
