package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.NotEnforceable;
import java.util.BitSet;

/**
 * Hands out host users for boxes of a JVM that runs as root: unprivileged, without a name, and
 * never the same for two live boxes.
 *
 * <p>They come from 0x70000000 upwards, which no distribution, container engine or systemd assigns,
 * 256 for each JVM by its process id.
 */
final class HostUids {

    private static final int FIRST = 0x7000_0000;
    private static final int PER_JVM = 256;
    private static final int JVMS = 1_000_000;

    private static final BitSet TAKEN = new BitSet(PER_JVM);

    private HostUids() {}

    static int take() {
        synchronized (TAKEN) {
            int slot = TAKEN.nextClearBit(0);
            if (slot >= PER_JVM) {
                throw new NotEnforceable(
                        "host-uid",
                        "There are "
                                + PER_JVM
                                + " boxes open in this JVM; close some of them first");
            }
            TAKEN.set(slot);
            return base() + slot;
        }
    }

    static void release(int uid) {
        synchronized (TAKEN) {
            TAKEN.clear(uid - base());
        }
    }

    private static int base() {
        return FIRST + (int) (ProcessHandle.current().pid() % JVMS) * PER_JVM;
    }
}
