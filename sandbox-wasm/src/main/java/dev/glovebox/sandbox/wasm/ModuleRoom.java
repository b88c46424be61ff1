package dev.glovebox.sandbox.wasm;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Room on our heap for the modules that run at the same time: what the interpreter makes of their
 * code is many times as large as the code, and must not push out everybody else in this JVM.
 */
final class ModuleRoom {

    // What Endive makes of a byte, at most: an instruction is an object.
    private static final long HEAP_FOR_CODE = 128;
    private static final long HEAP_FOR_DATA = 3;
    private static final long SHARE_OF_HEAP = 4;
    private static final int HEADER = 8;
    private static final int CUSTOM = 0;
    private static final int DATA = 11;

    private static final AtomicLong TAKEN = new AtomicLong();

    private ModuleRoom() {}

    /** Does something with a module while there is room for it. */
    static void with(String name, byte[] module, Runnable action) {
        long needed = heapFor(module);
        long most = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
        try {
            if (TAKEN.addAndGet(needed) > most) {
                throw new Unwinding.NoProgram(
                        "'%s' would take about %d MiB of this JVM's heap, where modules that run at the same time may have %d MiB"
                                .formatted(name, needed >> 20, most >> 20));
            }
            action.run();
        } finally {
            TAKEN.addAndGet(-needed);
        }
    }

    /** Reads the sizes of a module's sections; where they make no sense, everything is code. */
    static long heapFor(byte[] module) {
        long data = 0;
        int at = HEADER;
        while (at < module.length) {
            int kind = module[at++];
            long size = 0;
            int shift = 0;
            for (boolean more = true; more && at < module.length && shift < 35; shift += 7) {
                more = module[at] < 0;
                size |= (long) (module[at++] & 0x7f) << shift;
            }
            if (size > module.length - at) {
                return module.length * HEAP_FOR_CODE;
            }
            if (kind == DATA || kind == CUSTOM) {
                data += size;
            }
            at += (int) size;
        }
        return (module.length - data) * HEAP_FOR_CODE + data * HEAP_FOR_DATA;
    }
}
