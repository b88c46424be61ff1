package dev.glovebox.sandbox.docker;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Removes containers whose processes have ended, while nobody waits for it. Whoever makes boxes
 * faster than the engine removes them waits in the end.
 */
final class Removals {

    private static final int MOST = 16;

    private final Semaphore room = new Semaphore(MOST);
    private final Set<Thread> pending = ConcurrentHashMap.newKeySet();

    void remove(Vessel vessel) {
        room.acquireUninterruptibly();
        Thread thread =
                Thread.ofVirtual()
                        .name("removal")
                        .unstarted(() -> {
                            try {
                                vessel.remove();
                            } finally {
                                room.release();
                                pending.remove(Thread.currentThread());
                            }
                        });
        pending.add(thread);
        thread.start();
    }

    /** Waits for what is under way. */
    void await() {
        for (Thread thread : pending) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
