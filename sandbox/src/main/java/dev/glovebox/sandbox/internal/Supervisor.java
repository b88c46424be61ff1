package dev.glovebox.sandbox.internal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread that holds all running commands to their limits, every 20 ms while there are any. */
final class Supervisor {

    private static final long TICK_NANOS = 20_000_000;

    private static final Set<Running> WATCHED = ConcurrentHashMap.newKeySet();
    private static final Thread THREAD =
            Thread.ofPlatform().daemon().name("glovebox-supervisor").start(Supervisor::loop);

    private Supervisor() {}

    static void watch(Running running) {
        WATCHED.add(running);
        if (running.done()) {
            WATCHED.remove(running);
        }
        LockSupport.unpark(THREAD);
    }

    static void forget(Running running) {
        WATCHED.remove(running);
    }

    private static void loop() {
        for (long count = 1; ; count++) {
            if (WATCHED.isEmpty()) {
                LockSupport.park();
            }
            LockSupport.parkNanos(TICK_NANOS);
            for (Running running : WATCHED) {
                try {
                    running.tick(count);
                } catch (RuntimeException e) {
                    if (running.done()) {
                        continue; // it ended, and its box was closed, under our hands
                    }
                    // Fail closed: what cannot be watched may not run on.
                    log().error("Supervision failed, the command is killed", e);
                    running.cancel("supervision failed: " + e.getMessage());
                }
            }
        }
    }

    private static Logger log() {
        return LoggerFactory.getLogger(Supervisor.class);
    }
}
