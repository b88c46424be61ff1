package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.BoxGone;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Boxes that stand by, each for one use. When one is taken, another one of its kind is made while
 * nobody waits; kinds that nobody has asked for lately are given up.
 */
final class Pool implements AutoCloseable {

    private static final int MOST_KINDS = 4;
    // What is not there by then, the next sweep removes.
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final int size;
    private final Function<ContainerSpec, Standby> make;
    private final Map<ContainerSpec, Deque<Standby>> spare = new HashMap<>();
    private final Deque<ContainerSpec> kinds = new ArrayDeque<>();
    private final Map<ContainerSpec, Integer> coming = new HashMap<>();
    private final Set<Standby> out = new HashSet<>();
    private boolean active;
    private boolean closed;

    Pool(int size, Function<ContainerSpec, Standby> make) {
        this.size = size;
        this.make = make;
    }

    /** One that stands by, or a new one. */
    Standby take(ContainerSpec spec) {
        for (Standby found = spareOf(spec); found != null; found = spareOf(spec)) {
            if (!found.holder().gone()) {
                fill(spec);
                return keep(found);
            }
            found.close();
        }
        Standby made = make.apply(spec);
        fill(spec);
        return keep(made);
    }

    private synchronized @Nullable Standby spareOf(ContainerSpec spec) {
        if (closed) {
            throw new BoxGone("No box can be opened: the JVM is ending");
        }
        Deque<Standby> ready = spare.get(spec);
        return ready == null ? null : ready.poll();
    }

    private Standby keep(Standby standby) {
        synchronized (this) {
            out.removeIf(one -> one.holder().gone());
            if (!closed) {
                out.add(standby);
                return standby;
            }
        }
        standby.close();
        throw new BoxGone("No box can be opened: the JVM is ending");
    }

    /** Takes one back in which nothing of a user has run. */
    void giveBack(ContainerSpec spec, Standby standby) {
        Standby surplus;
        synchronized (this) {
            out.remove(standby);
            surplus = closed ? standby : add(spec, standby);
        }
        if (surplus != null) {
            surplus.close();
        }
    }

    /** Keeps one; returns one that is too much. */
    private @Nullable Standby add(ContainerSpec spec, Standby standby) {
        Deque<Standby> ready = spare.computeIfAbsent(spec, kind -> new ArrayDeque<>());
        ready.add(standby);
        return ready.size() > Math.max(1, size) ? ready.poll() : null;
    }

    /** From now on boxes stand by: nobody wants them who opens a single one and leaves. */
    synchronized void activate() {
        active = size > 0;
    }

    /** Makes sure that enough of a kind stand by soon. */
    void fill(ContainerSpec spec) {
        int missing;
        synchronized (this) {
            if (!active || closed) {
                return;
            }
            remember(spec);
            Deque<Standby> ready = spare.get(spec);
            missing = size - coming.getOrDefault(spec, 0) - (ready == null ? 0 : ready.size());
            if (missing > 0) {
                coming.merge(spec, missing, Integer::sum);
            }
        }
        for (int i = 0; i < missing; i++) {
            Thread.ofVirtual().start(() -> prepare(spec));
        }
    }

    private void remember(ContainerSpec spec) {
        kinds.remove(spec);
        kinds.addLast(spec);
        if (kinds.size() > MOST_KINDS) {
            Deque<Standby> old = spare.remove(kinds.removeFirst());
            if (old != null) {
                old.forEach(standby -> Thread.ofVirtual().start(standby::close));
            }
        }
    }

    private void prepare(ContainerSpec spec) {
        Standby surplus = null;
        try {
            Standby made = make.apply(spec);
            synchronized (this) {
                surplus = closed || !kinds.contains(spec) ? made : add(spec, made);
            }
        } catch (RuntimeException e) {
            // Whoever wants a box makes one, and is told what is wrong.
        } finally {
            synchronized (this) {
                coming.merge(spec, -1, Integer::sum);
                notifyAll();
            }
        }
        if (surplus != null) {
            surplus.close();
        }
    }

    /** Ends all boxes that stand by or are in use. */
    @Override
    public void close() {
        Set<Standby> last = new HashSet<>();
        synchronized (this) {
            closed = true;
            spare.values().forEach(last::addAll);
            spare.clear();
            last.addAll(out);
            try {
                long end = System.nanoTime() + PATIENCE.toNanos();
                while (coming.values().stream().anyMatch(count -> count > 0)
                        && System.nanoTime() < end) {
                    wait(100);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        last.stream()
                .map(standby -> Thread.ofVirtual().start(standby::close))
                .toList()
                .forEach(Pool::join);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
