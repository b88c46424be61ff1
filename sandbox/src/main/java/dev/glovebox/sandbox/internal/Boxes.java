package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Sandbox;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/** All boxes of this JVM, so that its end is theirs. */
final class Boxes {

    private static final Set<Sandbox> OPEN = ConcurrentHashMap.newKeySet();
    // Shared by those that make boxes: the JVM does not end while one is half made.
    private static final ReadWriteLock MAKING = new ReentrantReadWriteLock();
    private static volatile boolean ending;

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform().name("glovebox-shutdown").unstarted(Boxes::closeAll));
    }

    private Boxes() {}

    /**
     * Makes a box that is closed at the end of this JVM, unless it was {@link #closed} before.
     *
     * @throws BoxGone if the JVM is ending already
     */
    static Sandbox open(Supplier<Sandbox> make) {
        MAKING.readLock().lock();
        try {
            if (ending) {
                throw new BoxGone("No box can be opened: the JVM is ending");
            }
            Sandbox box = make.get();
            OPEN.add(box);
            return box;
        } finally {
            MAKING.readLock().unlock();
        }
    }

    /** Forgets a box that nothing is left of. */
    static void closed(Sandbox box) {
        OPEN.remove(box);
    }

    private static void closeAll() {
        MAKING.writeLock().lock();
        try {
            ending = true;
        } finally {
            MAKING.writeLock().unlock();
        }
        List<Thread> closing =
                OPEN.stream().map(box -> Thread.ofPlatform().start(box::close)).toList();
        for (Thread thread : closing) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
