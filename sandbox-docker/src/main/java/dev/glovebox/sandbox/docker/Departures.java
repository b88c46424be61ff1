package dev.glovebox.sandbox.docker;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The end of this JVM is the end of its boxes. */
final class Departures {

    private static final Set<Runnable> ALL = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("glovebox-container-shutdown")
                                .unstarted(() -> ALL.forEach(Runnable::run)));
    }

    private Departures() {}

    static void add(Pool pool, Removals removals) {
        add(() -> {
            pool.close();
            removals.await();
        });
    }

    static void add(Runnable farewell) {
        ALL.add(farewell);
    }
}
