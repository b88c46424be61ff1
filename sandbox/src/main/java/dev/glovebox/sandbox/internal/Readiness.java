package dev.glovebox.sandbox.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets virtual threads wait for descriptors that Java has not opened: one thread polls for all of
 * them.
 */
final class Readiness implements AutoCloseable {

    private static final int FOREVER = -1;
    private static final int WAKE_UPS = 64;

    private record Wait(int fd, short events, CountDownLatch over) {}

    private final Set<Wait> waits = ConcurrentHashMap.newKeySet();
    private final int[] bell = Kernel.pipe();
    private final Thread thread;
    private volatile boolean closed;

    Readiness() {
        Kernel.noWaiting(bell[0]);
        Kernel.noWaiting(bell[1]);
        thread = Thread.ofPlatform().daemon().name("glovebox-gate").start(this::watch);
    }

    /**
     * Waits until a descriptor is ready, or the time is over, or everything is.
     *
     * @return false if it is not ready
     */
    boolean await(int fd, short events, Duration patience) throws InterruptedException {
        Wait wait = new Wait(fd, events, new CountDownLatch(1));
        waits.add(wait);
        try {
            ring();
            return wait.over.await(patience.toNanos(), TimeUnit.NANOSECONDS) && !closed;
        } finally {
            waits.remove(wait);
        }
    }

    private void ring() {
        synchronized (bell) {
            if (closed) {
                waits.forEach(wait -> wait.over.countDown());
            } else {
                Kernel.write(bell[1], new byte[1], 0, 1);
            }
        }
    }

    private void watch() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment rung = arena.allocate(WAKE_UPS);
            while (!closed) {
                List<Wait> all = List.copyOf(waits);
                int[] fds = new int[all.size() + 1];
                short[] events = new short[fds.length];
                for (int i = 0; i < all.size(); i++) {
                    fds[i] = all.get(i).fd;
                    events[i] = all.get(i).events;
                }
                fds[all.size()] = bell[0];
                events[all.size()] = Kernel.POLLIN;
                short[] ready = Kernel.poll(fds, events, FOREVER);
                for (int i = 0; i < all.size(); i++) {
                    if (ready[i] != 0) {
                        waits.remove(all.get(i));
                        all.get(i).over.countDown();
                    }
                }
                if (ready[all.size()] != 0) {
                    Kernel.read(bell[0], rung);
                }
            }
        }
        waits.forEach(wait -> wait.over.countDown());
    }

    /** Lets everybody go who waits. */
    @Override
    public void close() {
        synchronized (bell) {
            closed = true;
            Kernel.write(bell[1], new byte[1], 0, 1);
        }
        Uninterrupted.join(thread);
        Kernel.close(bell[0]);
        Kernel.close(bell[1]);
    }
}
