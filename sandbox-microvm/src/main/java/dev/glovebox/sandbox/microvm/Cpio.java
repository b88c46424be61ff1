package dev.glovebox.sandbox.microvm;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Writes the kind of archive that a kernel unpacks as its first file system (newc). */
final class Cpio {

    private static final int DIRECTORY = 0040755;
    private static final int PROGRAM = 0100755;
    private static final int ALIGNMENT = 4;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int members;

    Cpio directory(String name) {
        return add(name, DIRECTORY, new byte[0]);
    }

    Cpio program(String name, byte[] content) {
        return add(name, PROGRAM, content);
    }

    byte[] finish() {
        add("TRAILER!!!", 0, new byte[0]);
        return out.toByteArray();
    }

    private Cpio add(String name, int mode, byte[] content) {
        members++;
        byte[] called = (name + "\0").getBytes(StandardCharsets.UTF_8);
        int[] fields = {members, mode, 0, 0, 1, 0, content.length, 0, 0, 0, 0, called.length, 0};
        StringBuilder head = new StringBuilder("070701");
        for (int field : fields) {
            head.append(String.format(Locale.ROOT, "%08X", field));
        }
        out.writeBytes(head.toString().getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(called);
        align();
        out.writeBytes(content);
        align();
        return this;
    }

    private void align() {
        while (out.size() % ALIGNMENT != 0) {
            out.write(0);
        }
    }
}
