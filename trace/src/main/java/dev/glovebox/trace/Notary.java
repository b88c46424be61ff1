package dev.glovebox.trace;

import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes records in the log, on a thread of its own: all that were asked for while it wrote the last
 * ones go together, under one signature.
 *
 * <p>It begins with what was not noted when an earlier process died. What cannot be noted stays
 * asked for, and is tried again with whatever comes next.
 */
final class Notary implements Seals, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Notary.class);
    private static final int PAGE = 500;
    private static final Duration MOST_DELAY = Duration.ofMillis(10);

    private final TraceStore store;
    private final LogWriter writer;
    private final Clock clock;
    private final long opened;
    private final Thread thread;
    private final List<Leaf.OfRecord> pending = new ArrayList<>();
    private long asked;
    private long done;
    private long failures;
    private @Nullable TraceException failure;
    private boolean wanted;
    private boolean urgent;
    private boolean closed;
    private boolean ended;

    Notary(TraceStore store, LogWriter writer, Clock clock) {
        this.store = store;
        this.writer = writer;
        this.clock = clock;
        this.opened = now();
        this.thread = Thread.ofVirtual().name("glovebox-notary").start(this::work);
    }

    @Override
    public void note(Mark mark, Entry entry) {
        note(leaf(mark, entry));
    }

    private synchronized void note(Leaf.OfRecord leaf) {
        pending.add(leaf);
        asked++;
        if (!wanted) {
            wanted = true;
            notifyAll();
        }
    }

    @Override
    public synchronized void await() {
        long goal = asked;
        long before = failures;
        wanted = true;
        urgent = true;
        notifyAll();
        while (done < goal) {
            if (failures > before && failure != null) {
                throw failure;
            }
            if (ended) {
                throw new NotKept("The trace was closed before its log was written");
            }
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new NotKept("Interrupted before the log was written", e);
            }
        }
    }

    /** Notes what is left, and ends. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            wanted = true;
            urgent = true;
            notifyAll();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        writer.remember();
    }

    private void work() {
        try {
            workUntilClosed();
        } finally {
            // Whoever began to wait too late must not wait for ever.
            synchronized (this) {
                ended = true;
                notifyAll();
            }
        }
    }

    private void workUntilClosed() {
        try {
            recover();
        } catch (RuntimeException e) {
            // Whoever only reads, perhaps from a disk that cannot be written, need not care.
            LOG.warn("Runs that were interrupted could not be sealed: {}", e.getMessage());
        }
        while (true) {
            List<Leaf.OfRecord> batch;
            synchronized (this) {
                try {
                    while (!wanted) {
                        wait();
                    }
                    if (!urgent) {
                        // Nobody waits for it yet: more may come, and share one signature.
                        wait(MOST_DELAY.toMillis());
                    }
                } catch (InterruptedException e) {
                    closed = true;
                }
                wanted = closed;
                urgent = closed;
                batch = List.copyOf(pending);
                if (batch.isEmpty() && closed) {
                    return;
                }
            }
            if (!batch.isEmpty() && !written(batch) && isClosed()) {
                return;
            }
        }
    }

    private boolean written(List<Leaf.OfRecord> batch) {
        try {
            writer.append(batch);
        } catch (RuntimeException e) {
            LOG.warn("The log could not be continued: {}", e.getMessage());
            failed(e);
            return false;
        }
        synchronized (this) {
            pending.subList(0, batch.size()).clear();
            done += batch.size();
            // Closing means: until nothing is left.
            wanted |= closed;
            notifyAll();
        }
        return true;
    }

    private synchronized void failed(RuntimeException problem) {
        failure =
                problem instanceof TraceException known
                        ? known
                        : new NotKept("The log could not be continued: " + problem, problem);
        failures++;
        notifyAll();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Notes the beginnings and ends that are not noted. */
    private void recover() {
        Set<String> seen = new HashSet<>();
        List<RunRow> rows = store.unnoted(PAGE);
        while (rows.stream().anyMatch(row -> seen.add(row.run()))) {
            List<Leaf.OfRecord> leaves = new ArrayList<>();
            for (RunRow row : rows) {
                if (row.startedAt() >= opened) {
                    // It goes on right now, and whoever records it will ask for what it needs.
                    continue;
                }
                try {
                    missing(row, leaves);
                } catch (Malformed e) {
                    LOG.warn(
                            "The run {} is damaged, and not sealed: {}", row.run(), e.getMessage());
                }
            }
            if (!leaves.isEmpty()) {
                writer.append(leaves);
            }
            rows = store.unnoted(PAGE);
        }
    }

    private void missing(RunRow row, List<Leaf.OfRecord> leaves) {
        boolean unknown = row.noted().isEmpty();
        long from = unknown ? 0 : row.noted().getAsLong() + 1;
        if (row.finishedAt().isEmpty() && !unknown) {
            return;
        }
        Entry last = null;
        boolean end = false;
        for (Entry entry : (Iterable<Entry>) Tape.of(store, row.run(), from)::iterator) {
            last = entry;
            end = entry.type().equals(EventCodec.RUN_FINISHED);
            if (unknown && entry.seq() == 0) {
                leaves.add(leaf(Mark.START, entry));
            }
            if (end) {
                leaves.add(leaf(Mark.END, entry));
            }
            if (row.finishedAt().isEmpty()) {
                return;
            }
        }
        if (last != null && !end) {
            leaves.add(leaf(Mark.MARK, last));
        }
    }

    private long now() {
        return Entry.micros(clock.instant());
    }

    private Leaf.OfRecord leaf(Mark mark, Entry entry) {
        return new Leaf.OfRecord(now(), entry.hash(), entry.run(), entry.seq(), mark);
    }
}
