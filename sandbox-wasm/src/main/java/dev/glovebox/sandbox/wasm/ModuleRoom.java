package dev.glovebox.sandbox.wasm;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Room on our heap for the modules that run at the same time: what the interpreter makes of their
 * code is many times as large as the code, and must not push out everybody else in this JVM.
 */
final class ModuleRoom {

    private static final long SHARE_OF_HEAP = 4;

    private static final AtomicLong TAKEN = new AtomicLong();

    private ModuleRoom() {}

    /** Does something with a module while there is room for it. */
    static void with(String name, byte[] module, Runnable action) {
        long needed = ModuleScan.weigh(name, module).heap();
        long most = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
        // No more than one byte too much is taken, so that the sum of all cannot overflow.
        long taken = Math.min(needed, most + 1);
        try {
            if (TAKEN.addAndGet(taken) > most) {
                throw new Unwinding.NoProgram(
                        "'%s' would take about %d MiB of this JVM's heap, where modules that run at the same time may have %d MiB"
                                .formatted(name, needed >> 20, most >> 20));
            }
            action.run();
        } finally {
            TAKEN.addAndGet(-taken);
        }
    }
}
