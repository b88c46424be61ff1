package dev.glovebox.sandbox.wasm;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.LoggerFactory;

/** One thread that holds all running programs to their times, every 10 ms while there are any. */
final class Supervisor {

    private static final long TICK_NANOS = 10_000_000;

    private static final Set<Command> WATCHED = ConcurrentHashMap.newKeySet();
    private static final Thread THREAD =
            Thread.ofPlatform().daemon().name("glovebox-wasm-supervisor").start(Supervisor::loop);

    private Supervisor() {}

    static void watch(Command command) {
        WATCHED.add(command);
        LockSupport.unpark(THREAD);
    }

    static void forget(Command command) {
        WATCHED.remove(command);
    }

    private static void loop() {
        while (true) {
            if (WATCHED.isEmpty()) {
                LockSupport.park();
            }
            LockSupport.parkNanos(TICK_NANOS);
            WATCHED.forEach(Supervisor::tick);
        }
    }

    /** Fail closed: what cannot be watched may not run on, and the others must be watched still. */
    private static void tick(Command command) {
        try {
            command.tick();
        } catch (RuntimeException e) {
            LoggerFactory.getLogger(Supervisor.class)
                    .error("Supervision failed, the program is stopped", e);
            command.cancel("supervision failed: " + e.getMessage());
        }
    }
}
