package dev.glovebox.sandbox.docker;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Hands out users for boxes: without a name, and never the same for two live boxes of this JVM.
 *
 * <p>They are below 65536, since an engine that runs without root, or that maps its users, has no
 * others.
 */
final class Uids {

    private static final int FIRST = 20_000;
    private static final int BEHIND_LAST = 60_000;
    private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

    private Uids() {}

    static int take() {
        int uid;
        do {
            uid = ThreadLocalRandom.current().nextInt(FIRST, BEHIND_LAST);
        } while (!TAKEN.add(uid));
        return uid;
    }

    static void release(int uid) {
        TAKEN.remove(uid);
    }
}
