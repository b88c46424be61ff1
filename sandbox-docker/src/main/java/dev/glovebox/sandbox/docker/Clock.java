package dev.glovebox.sandbox.docker;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** Holds all commands of this JVM to their wall time, from one thread. */
final class Clock {

    private static final Duration TICK = Duration.ofMillis(20);
    private static final Set<Command> WATCHED = ConcurrentHashMap.newKeySet();
    private static final Semaphore WORK = new Semaphore(0);

    static {
        Thread.ofPlatform().daemon().name("glovebox-clock").start(Clock::watch);
    }

    private Clock() {}

    static void watch(Command command) {
        WATCHED.add(command);
        WORK.release();
    }

    static void forget(Command command) {
        WATCHED.remove(command);
    }

    private static void watch() {
        try {
            while (true) {
                WORK.acquire();
                WORK.drainPermits();
                while (!WATCHED.isEmpty()) {
                    WATCHED.forEach(Command::tick);
                    Thread.sleep(TICK);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
