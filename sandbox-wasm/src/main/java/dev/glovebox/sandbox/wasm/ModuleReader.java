package dev.glovebox.sandbox.wasm;

/** Reads a module's bytes, and never believes a length that is longer than what is left. */
final class ModuleReader {

    private static final int LONGEST_INT = 5;
    private static final int LONGEST_LONG = 10;

    private final String name;
    private final byte[] module;
    private int at;

    ModuleReader(String name, byte[] module) {
        this.name = name;
        this.module = module;
    }

    int at() {
        return at;
    }

    boolean more() {
        return at < module.length;
    }

    int next() {
        if (at >= module.length) {
            throw odd("it ends in the middle");
        }
        return module[at++] & 0xff;
    }

    /** Goes back to where it was. */
    void back(int before) {
        at = before;
    }

    void skip(int count) {
        if (count > module.length - at) {
            throw odd("it ends in the middle");
        }
        at += count;
    }

    /** A number of 32 bits without a sign. */
    long number() {
        long value = 0;
        for (int i = 0; i < LONGEST_INT; i++) {
            int part = next();
            value |= (long) (part & 0x7f) << (7 * i);
            if (part < 0x80) {
                if (value >>> 32 != 0) {
                    throw odd("a number in it is too large");
                }
                return value;
            }
        }
        throw odd("a number in it is too long");
    }

    /** Passes over a number with a sign. */
    void signed(boolean wide) {
        for (int i = 0; i < (wide ? LONGEST_LONG : LONGEST_INT); i++) {
            if (next() < 0x80) {
                return;
            }
        }
        throw odd("a number in it is too long");
    }

    /** The number of something, each of which takes a byte at least. */
    int count() {
        long count = number();
        if (count > module.length - at) {
            throw odd("it says to hold more than it has bytes");
        }
        return (int) count;
    }

    /** The number of one of several things. */
    int index(int several) {
        long index = number();
        if (index >= several) {
            throw odd("it speaks of something that it does not have");
        }
        return (int) index;
    }

    /** Where the part ends whose length comes here. */
    int end() {
        int size = count();
        return at + size;
    }

    void text() {
        skip(count());
    }

    Unwinding.NoProgram odd(String how) {
        return refused("is no valid WebAssembly module: " + how);
    }

    Unwinding.NoProgram refused(String why) {
        return new Unwinding.NoProgram("'" + name + "' " + why);
    }
}
