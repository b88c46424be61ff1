package dev.glovebox.sandbox.docker;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells holders now and then that somebody is still there: one that hears nothing for half a minute
 * ends its box, whatever became of us or of the engine.
 */
final class Leases {

    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final byte[] NOTHING = new byte[0];
    private static final Set<Holder> KEPT = ConcurrentHashMap.newKeySet();

    static {
        Thread.ofPlatform().daemon().name("glovebox-leases").start(Leases::renew);
    }

    private Leases() {}

    static void keep(Holder holder) {
        KEPT.add(holder);
    }

    static void drop(Holder holder) {
        KEPT.remove(holder);
    }

    private static void renew() {
        try {
            while (true) {
                Thread.sleep(EVERY);
                // One each: a way that is stuck must not cost the others their boxes.
                KEPT.forEach(holder -> Thread.ofVirtual().start(() -> holder.say('p', 0, NOTHING)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
