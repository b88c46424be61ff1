package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Sandbox;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** All open boxes of this JVM, so that its end is theirs. */
final class Boxes {

    private static final Set<Sandbox> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform().name("glovebox-shutdown").unstarted(Boxes::closeAll));
    }

    private Boxes() {}

    static void opened(Sandbox box) {
        OPEN.add(box);
    }

    static void closed(Sandbox box) {
        OPEN.remove(box);
    }

    private static void closeAll() {
        OPEN.forEach(Sandbox::close);
    }
}
