package dev.glovebox.sandbox.wasm;

/**
 * Looks over a module before it is parsed: how much of our heap the parser would take for it.
 *
 * <p>A module of a megabyte can declare billions of locals, and the parser makes an object of each;
 * types of the garbage collector can be nested so that comparing them takes for ever. Neither may
 * reach the parser. Whatever looks odd here is no module.
 */
final class ModuleScan {

    // What Endive makes of a byte, at most: an instruction is an object.
    private static final long HEAP_FOR_CODE = 128;
    private static final long HEAP_FOR_DATA = 3;
    private static final long HEAP_FOR_LOCAL = 16;
    private static final int HEADER = 8;
    private static final int CUSTOM = 0;
    private static final int TYPES = 1;
    private static final int CODE = 10;
    private static final int DATA = 11;
    private static final int FUNCTION = 0x60;
    private static final int REFERENCE_NULL = 0x63;
    private static final int REFERENCE = 0x64;
    private static final int LONGEST_NUMBER = 5;

    private final String name;
    private final byte[] module;
    private int at = HEADER;

    private ModuleScan(String name, byte[] module) {
        this.name = name;
        this.module = module;
    }

    /** About how many bytes of heap a module takes once it is parsed. */
    static long heap(String name, byte[] module) {
        return new ModuleScan(name, module).scan();
    }

    private long scan() {
        if (module.length < HEADER) {
            throw odd("it is too short");
        }
        long heap = 0;
        while (at < module.length) {
            int kind = next();
            int size = number();
            if (size > module.length - at) {
                throw odd("a section is longer than the module");
            }
            int end = at + size;
            switch (kind) {
                case CUSTOM, DATA -> heap += size * HEAP_FOR_DATA;
                case TYPES -> {
                    heap += size * HEAP_FOR_CODE;
                    types();
                }
                case CODE -> heap += size * HEAP_FOR_CODE + locals() * HEAP_FOR_LOCAL;
                default -> heap += size * HEAP_FOR_CODE;
            }
            if (at > end) {
                throw odd("a section is shorter than what is in it");
            }
            at = end;
        }
        return heap;
    }

    private void types() {
        for (int left = number(); left > 0; left--) {
            if (next() != FUNCTION) {
                throw new Unwinding.NoProgram(
                        "'"
                                + name
                                + "' uses types of the garbage collector, whose memory cannot be bounded");
            }
            for (int list = 0; list < 2; list++) {
                for (int values = number(); values > 0; values--) {
                    valueType();
                }
            }
        }
    }

    private long locals() {
        long sum = 0;
        for (int functions = number(); functions > 0; functions--) {
            int size = number();
            int end = at + size;
            for (int groups = number(); groups > 0; groups--) {
                sum += Integer.toUnsignedLong(number());
                valueType();
            }
            if (size < 0 || end < at || end > module.length) {
                throw odd("a function is longer than the module, or shorter than its locals");
            }
            at = end;
        }
        return sum;
    }

    private void valueType() {
        int type = next();
        if (type == REFERENCE || type == REFERENCE_NULL) {
            number();
        }
    }

    private int next() {
        if (at >= module.length) {
            throw odd("it ends in the middle");
        }
        return module[at++] & 0xff;
    }

    private int number() {
        long value = 0;
        for (int i = 0; i < LONGEST_NUMBER; i++) {
            int part = next();
            value |= (long) (part & 0x7f) << (7 * i);
            if (part < 0x80) {
                if (value > Integer.MAX_VALUE) {
                    throw odd("a number in it is too large");
                }
                return (int) value;
            }
        }
        throw odd("a number in it is too long");
    }

    private Unwinding.NoProgram odd(String how) {
        return new Unwinding.NoProgram("'" + name + "' is no valid WebAssembly module: " + how);
    }
}
