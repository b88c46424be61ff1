package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Connection;
import dev.glovebox.sandbox.Connection.Fate;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Pressure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** The connections that were asked for while a command ran. */
final class ConnectionLog {

    /** A program can ask for thousands in a second; the others are counted. */
    static final int MOST = 1000;

    private static final int MOST_NAMED = 5;
    private static final int SETTLE_MILLIS = 100;

    private final List<Entry> entries = new ArrayList<>();
    private long unlisted;

    /** One connection while it is open; may be in the logs of several commands. */
    static final class Entry {

        private final long begun = System.nanoTime();
        private final AtomicLong sent = new AtomicLong();
        private final AtomicLong received = new AtomicLong();
        private volatile Request request = Request.NONE;
        private volatile long ended;

        private record Request(String host, int port, Fate fate, String detail) {

            static final Request NONE = new Request("", 0, Fate.DENIED, "it asked for nothing");
        }

        void decided(String host, int port, Fate fate, String detail) {
            request = new Request(host, port, fate, detail);
        }

        AtomicLong sent() {
            return sent;
        }

        AtomicLong received() {
            return received;
        }

        void end() {
            ended = System.nanoTime();
        }

        private boolean open() {
            return ended == 0;
        }

        private boolean denied() {
            return request.fate == Fate.DENIED;
        }

        private Connection since(long start) {
            Request now = request;
            return new Connection(
                    now.host,
                    now.port,
                    now.fate,
                    now.detail,
                    // That of another command of the box may have begun before.
                    Duration.ofNanos(Math.max(0, begun - start)),
                    Duration.ofNanos((open() ? System.nanoTime() : ended) - begun),
                    new Bytes(sent.get()),
                    new Bytes(received.get()));
        }
    }

    synchronized void add(Entry entry) {
        if (entries.size() < MOST) {
            entries.add(entry);
        } else {
            unlisted++;
        }
    }

    /**
     * What is known; those that just end are waited for, since a program that exits ends its own.
     *
     * @param start of the command, as {@link System#nanoTime} told it
     */
    List<Connection> connections(long start) {
        Patience.within(SETTLE_MILLIS, this::quiet);
        synchronized (this) {
            return entries.stream().map(entry -> entry.since(start)).toList();
        }
    }

    private synchronized boolean quiet() {
        return entries.stream().noneMatch(Entry::open);
    }

    /** What was refused, in few words. */
    synchronized Optional<Pressure> refused() {
        List<Connection> refused =
                entries.stream()
                        .filter(Entry::denied)
                        .map(entry -> entry.since(entry.begun))
                        .toList();
        if (refused.isEmpty() && unlisted == 0) {
            return Optional.empty();
        }
        String places =
                refused.stream()
                        .map(Connection::place)
                        .distinct()
                        .limit(MOST_NAMED)
                        .collect(Collectors.joining(", "));
        String more = unlisted == 0 ? "" : ", and " + unlisted + " more are not listed";
        String count =
                refused.size() == 1
                        ? "1 connection was refused"
                        : refused.size() + " connections were refused";
        return Optional.of(new Pressure(Limit.NETWORK, count + " (" + places + ")" + more));
    }
}
