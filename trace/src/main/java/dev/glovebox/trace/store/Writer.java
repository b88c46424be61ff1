package dev.glovebox.trace.store;

import dev.glovebox.trace.Conflict;
import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.TraceException;
import dev.glovebox.trace.spi.Append;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of a store that writes. Whatever waits when it has time goes into one transaction,
 * so that many share the price of making it durable.
 */
final class Writer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);

    // Whoever appends faster than the disk writes has to wait at some point.
    private static final int MOST_WAITING = 16_384;
    private static final int LARGEST_GROUP = 4_096;
    private static final long LARGEST_GROUP_BYTES = 64L << 20;

    private final Database database;
    private final Runnable afterwards;
    private final LinkedBlockingQueue<Work> queue = new LinkedBlockingQueue<>();
    private final Semaphore room = new Semaphore(MOST_WAITING);
    private final Thread thread;
    private @Nullable Ledger ledger;
    private volatile boolean closing;
    private volatile boolean ended;

    /** Writes through a ledger, or a new one when it broke. */
    Writer(Database database, Ledger ledger, Runnable afterwards) {
        this.database = database;
        this.ledger = ledger;
        this.afterwards = afterwards;
        this.thread = Thread.ofPlatform().daemon().name("glovebox-trace-writer").start(this::work);
    }

    private sealed interface Work {}

    private record Pending(Append append, CompletableFuture<@Nullable Void> done) implements Work {}

    private record Errand<T>(Task<T> task, CompletableFuture<T> done) implements Work {}

    private record End() implements Work {}

    /** Something else to write than records. */
    @FunctionalInterface
    interface Task<T> {
        T on(Ledger ledger) throws SQLException;
    }

    CompletableFuture<@Nullable Void> append(Append append) {
        Pending pending = new Pending(append, new CompletableFuture<>());
        room.acquireUninterruptibly();
        submit(pending);
        return pending.done();
    }

    <T> T call(Task<T> task) {
        Errand<T> errand = new Errand<>(task, new CompletableFuture<>());
        room.acquireUninterruptibly();
        submit(errand);
        try {
            return errand.done().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof TraceException problem) {
                throw problem;
            }
            throw e;
        }
    }

    private void submit(Work work) {
        if (closing) {
            refuse(work);
            return;
        }
        queue.add(work);
        if (ended) {
            // It may have come too late for the writer to see it.
            refuseTheRest();
        }
    }

    private void work() {
        while (!ended) {
            switch (next()) {
                case Pending first -> keep(group(first));
                case Errand<?> errand -> run(errand);
                case End end -> ended = true;
            }
        }
        dropLedger();
        refuseTheRest();
    }

    private Work next() {
        while (true) {
            try {
                Work work = queue.take();
                room.release();
                return work;
            } catch (InterruptedException e) {
                LOG.debug("Nobody has a reason to interrupt the writer of traces", e);
            }
        }
    }

    private List<Pending> group(Pending first) {
        List<Pending> group = new ArrayList<>();
        group.add(first);
        long bytes = contentBytes(first.append());
        while (group.size() < LARGEST_GROUP
                && bytes < LARGEST_GROUP_BYTES
                && queue.peek() instanceof Pending pending) {
            queue.remove();
            group.add(pending);
            bytes += contentBytes(pending.append());
        }
        room.release(group.size() - 1);
        return group;
    }

    private static long contentBytes(Append append) {
        long bytes = 0;
        for (var blob : append.blobs()) {
            bytes += blob.content().length;
        }
        return bytes;
    }

    // Everything is caught: a writer that died would leave all others waiting for ever.
    private void keep(List<Pending> group) {
        try {
            List<Fate> fates = ledger().keep(group.stream().map(Pending::append).toList());
            // Not here: whoever waits may go on to do anything, and the next group is waiting.
            Thread.startVirtualThread(() -> acknowledge(group, fates));
            afterwards.run();
        } catch (Throwable e) {
            NotKept problem = broken(e);
            Thread.startVirtualThread(
                    () -> group.forEach(pending -> pending.done().completeExceptionally(problem)));
        }
    }

    private static void acknowledge(List<Pending> group, List<Fate> fates) {
        for (int i = 0; i < group.size(); i++) {
            Append append = group.get(i).append();
            CompletableFuture<@Nullable Void> done = group.get(i).done();
            switch (fates.get(i)) {
                case KEPT -> done.complete(null);
                case CONFLICT ->
                        done.completeExceptionally(new Conflict(append.run(), append.seq()));
                case CONTENT_GONE -> done.completeExceptionally(gone(append));
            }
        }
    }

    private static NotKept gone(Append append) {
        return new NotKept(
                "Record "
                        + append.seq()
                        + " of the run "
                        + append.run()
                        + " refers to content of another run that was redacted just now: keep it"
                        + " in this run");
    }

    private <T> void run(Errand<T> errand) {
        try {
            T result = errand.task().on(ledger());
            errand.done().completeAsync(() -> result, Thread::startVirtualThread);
            afterwards.run();
        } catch (Throwable e) {
            errand.done().completeExceptionally(broken(e));
        }
    }

    private Ledger ledger() throws SQLException {
        Ledger open = ledger;
        if (open == null) {
            open = database.ledger();
            ledger = open;
        }
        return open;
    }

    private NotKept broken(Throwable cause) {
        dropLedger();
        return cause instanceof NotKept problem ? problem : database.problem(cause);
    }

    private void dropLedger() {
        Ledger broken = ledger;
        ledger = null;
        if (broken != null) {
            try {
                broken.close();
            } catch (SQLException e) {
                LOG.debug("A connection could not be closed", e);
            }
        }
    }

    private void refuseTheRest() {
        for (Work work = queue.poll(); work != null; work = queue.poll()) {
            refuse(work);
        }
    }

    private void refuse(Work work) {
        room.release();
        switch (work) {
            case Pending pending -> pending.done().completeExceptionally(database.closed());
            case Errand<?> errand -> errand.done().completeExceptionally(database.closed());
            case End end -> {}
        }
    }

    /** Writes what was submitted, and ends. */
    @Override
    public void close() {
        closing = true;
        room.acquireUninterruptibly();
        queue.add(new End());
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
    }
}
