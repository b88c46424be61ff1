package dev.glovebox.agent;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;

/**
 * What agents have learned, per tenant, in a database.
 *
 * <p>The database is the truth. What searches it is an index in memory, one for each tenant that
 * was asked for lately, which is made of the database and follows what other processes change in
 * it. What somebody forgets is deleted: in SQLite overwritten; PostgreSQL does not overwrite what
 * it frees, and keeps it in its log, replicas and backups as long as those are kept. What gives way
 * since it is too much is deleted as well, but a copy of it may stay in the log of SQLite until the
 * next one is forgotten.
 */
public final class Memories implements AutoCloseable {

    /** How much a tenant has before what was not used for the longest is forgotten. */
    public static final int MOST = 10_000;

    /** How many tenants have an index at a time. */
    private static final int MOST_INDEXES = 16;

    private final Shelf shelf;
    private final Embedder embedder;
    private final int most;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, TenantIndex> indexes = new LinkedHashMap<>(16, 0.75f, true);

    Memories(MemoryDatabase database, Embedder embedder, int most, Clock clock) {
        this.shelf = Shelf.open(database, embedder);
        this.embedder = embedder;
        this.most = most;
        this.clock = clock;
    }

    /**
     * Opens a file of SQLite, and makes it, readable for its owner only, if there is none.
     *
     * @throws dev.glovebox.trace.NotKept if it cannot be opened, or was made by a newer version or
     *     with another embedder
     */
    public static Memories inFile(Path file, Embedder embedder) {
        return inFile(file, embedder, SqliteMemory.PATIENCE);
    }

    /**
     * The same for somebody who does not wait long.
     *
     * @param patience with others who have locked it
     */
    public static Memories inFile(Path file, Embedder embedder, Duration patience) {
        return new Memories(
                new SqliteMemory(file.toAbsolutePath(), patience),
                embedder,
                MOST,
                Clock.systemUTC());
    }

    /**
     * Opens a database of PostgreSQL, in the schema {@code glovebox_memory}, which is made if it is
     * not there.
     *
     * @throws dev.glovebox.trace.NotKept if it cannot be reached, or was made by a newer version or
     *     with another embedder
     */
    public static Memories inPostgres(DataSource source, Embedder embedder) {
        return new Memories(new PostgresMemory(source), embedder, MOST, Clock.systemUTC());
    }

    /**
     * The memory of one tenant.
     *
     * @throws IllegalArgumentException if the name is blank, or holds half a character
     */
    public Memory tenant(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A tenant has a name");
        }
        // Half a character is kept as a question mark: whoever may choose such a name would have
        // the memory of the tenant who has the question mark.
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException("The name of a tenant is made of whole characters");
        }
        return new TenantMemory(name, this);
    }

    Shelf shelf() {
        return shelf;
    }

    Embedder embedder() {
        return embedder;
    }

    Clock clock() {
        return clock;
    }

    int most() {
        return most;
    }

    /** Of those that were not used for the longest, one gives way for a new one. */
    TenantIndex index(String tenant) {
        lock.lock();
        try {
            TenantIndex index = indexes.get(tenant);
            if (index == null) {
                if (indexes.size() >= MOST_INDEXES) {
                    indexes.remove(indexes.keySet().iterator().next());
                }
                index = new TenantIndex(tenant, shelf, embedder.dimensions());
                indexes.put(tenant, index);
            }
            return index;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            indexes.clear();
        } finally {
            lock.unlock();
        }
        shelf.close();
    }
}
