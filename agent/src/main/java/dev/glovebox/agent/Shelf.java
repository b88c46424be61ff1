package dev.glovebox.agent;

import dev.glovebox.trace.NotKept;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where memories are kept: the truth, of which indexes are made.
 *
 * <p>Each tenant has a number that grows with every change. A change takes the row with that number
 * for itself, so what has a lower number is there for all to see when a higher one is.
 */
final class Shelf implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Shelf.class);

    /** How many of the forgotten are named to other processes; who has missed more begins anew. */
    private static final int MOST_FORGOTTEN = 10_000;

    private final MemoryDatabase database;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Connection connection;
    private boolean closed;

    private Shelf(MemoryDatabase database) {
        this.database = database;
    }

    static Shelf open(MemoryDatabase database, Embedder embedder) {
        Shelf shelf = new Shelf(database);
        try {
            shelf.work(use -> {
                database.queue(use);
                ShelfTables.prepare(use, database.bytes(), embedder);
                return true;
            });
        } catch (RuntimeException e) {
            shelf.close();
            throw e;
        }
        return shelf;
    }

    /** Something found, with all that is known of it. */
    record Found(String id, Memento memento, Instant at, long times, double score) {

        <T> Recalled<T> as(T what) {
            return new Recalled<>(id, what, at, times, score);
        }
    }

    /** Something for an index. */
    record Indexed(String id, Memento memento, float[] vector, long change) {}

    /** How far a tenant's changes have come; who knows less than what is pruned begins anew. */
    record State(long change, long pruned) {}

    /** Keeps something, and forgets what is too much. */
    String keep(String tenant, Memento memento, float[] vector, Instant now, int most) {
        String id =
                work(use -> {
                    long change = next(use, tenant);
                    for (String known :
                            texts(
                                    use,
                                    "SELECT id FROM mementos WHERE tenant = ? AND digest = ?",
                                    bytes(tenant),
                                    memento.digest())) {
                        update(
                                use,
                                "UPDATE mementos SET at = ?, touched = ?, times = times + 1,"
                                        + " source = ? WHERE id = ?",
                                now.toEpochMilli(),
                                now.toEpochMilli(),
                                bytes(memento.source()),
                                known);
                        return known;
                    }
                    String fresh = UUID.randomUUID().toString();
                    update(
                            use,
                            "INSERT INTO mementos (id, tenant, kind, digest, parts, source, vector,"
                                    + " at, touched, times, change)"
                                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)",
                            fresh,
                            bytes(tenant),
                            memento.kind().name(),
                            memento.digest(),
                            MementoParts.bytes(memento.parts()),
                            bytes(memento.source()),
                            Vectors.bytes(vector),
                            now.toEpochMilli(),
                            now.toEpochMilli(),
                            change);
                    return fresh;
                });
        if (count(tenant) > most) {
            // A tenth more than need be, so that it is not done each time.
            forgetBeyond(tenant, most - most / 10);
        }
        return id;
    }

    private long count(String tenant) {
        return work(use ->
                number(use, "SELECT count(*) FROM mementos WHERE tenant = ?", bytes(tenant)));
    }

    /** What was found, as far as it is still there; it counts as used now. */
    List<Found> take(String tenant, Map<String, Double> scores, Instant now) {
        if (scores.isEmpty()) {
            return List.of();
        }
        return work(use -> {
            List<Found> found = new ArrayList<>();
            for (Map.Entry<String, Double> score : scores.entrySet()) {
                query(
                        use,
                        "UPDATE mementos SET touched = ? WHERE tenant = ? AND id = ?"
                                + " RETURNING id, kind, parts, source, at, times",
                        row ->
                                found.add(
                                        new Found(
                                                row.getString(1),
                                                memento(row),
                                                Instant.ofEpochMilli(row.getLong(5)),
                                                row.getLong(6),
                                                score.getValue())),
                        now.toEpochMilli(),
                        bytes(tenant),
                        score.getKey());
            }
            return found;
        });
    }

    private static Memento memento(ResultSet row) throws SQLException {
        Memento.Kind kind = Memento.Kind.valueOf(row.getString(2));
        List<String> parts = MementoParts.read(row.getBytes(3));
        String source = new String(row.getBytes(4), StandardCharsets.UTF_8);
        return switch (kind) {
            case FACT -> new Memento(kind, parts.getFirst(), parts, source);
            case EPISODE ->
                    new Memento(kind, Memento.compared(parts.get(0), parts.get(1)), parts, source);
        };
    }

    State state(String tenant) {
        return work(use -> {
            List<State> states = new ArrayList<>();
            query(
                    use,
                    "SELECT change, pruned FROM tenants WHERE name = ?",
                    row -> states.add(new State(row.getLong(1), row.getLong(2))),
                    bytes(tenant));
            return states.isEmpty() ? new State(0, 0) : states.getFirst();
        });
    }

    /** What was kept after a change, a page of it. */
    List<Indexed> keptAfter(String tenant, long change, int most) {
        return work(use -> {
            List<Indexed> page = new ArrayList<>();
            query(
                    use,
                    "SELECT id, kind, parts, source, vector, change FROM mementos"
                            + " WHERE tenant = ? AND change > ? ORDER BY change LIMIT ?",
                    row ->
                            page.add(
                                    new Indexed(
                                            row.getString(1),
                                            memento(row),
                                            Vectors.read(row.getBytes(5)),
                                            row.getLong(6))),
                    bytes(tenant),
                    change,
                    (long) most);
            return page;
        });
    }

    List<String> forgottenAfter(String tenant, long change) {
        return work(use ->
                texts(
                        use,
                        "SELECT id FROM forgotten WHERE tenant = ? AND change > ?",
                        bytes(tenant),
                        change));
    }

    boolean forget(String tenant, String id) {
        return forget(tenant, "id = ?", id) > 0;
    }

    int forgetSource(String tenant, String source) {
        return forget(tenant, "source = ?", (Object) bytes(source));
    }

    int forgetBefore(String tenant, Instant time) {
        // Further back than can be counted is nothing.
        Instant counted = time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time;
        return forget(tenant, "at < ?", counted.toEpochMilli());
    }

    int forgetBeyond(String tenant, int most) {
        return forget(
                tenant,
                "id IN (SELECT id FROM mementos WHERE tenant = ?"
                        + " ORDER BY touched DESC, change DESC LIMIT "
                        + Long.MAX_VALUE
                        + " OFFSET ?)",
                bytes(tenant),
                (long) Math.max(most, 0));
    }

    private int forget(String tenant, String which, Object... values) {
        int gone =
                work(use -> {
                    long change = next(use, tenant);
                    List<Object> all = new ArrayList<>(List.of(bytes(tenant)));
                    all.addAll(List.of(values));
                    List<String> ids =
                            texts(
                                    use,
                                    "DELETE FROM mementos WHERE tenant = ? AND "
                                            + which
                                            + " RETURNING id",
                                    all.toArray());
                    for (String id : ids) {
                        update(
                                use,
                                "INSERT INTO forgotten (tenant, change, id) VALUES (?, ?, ?)",
                                bytes(tenant),
                                change,
                                id);
                    }
                    prune(use, tenant, change);
                    return ids.size();
                });
        if (gone > 0) {
            erase();
        }
        return gone;
    }

    private static void prune(Connection use, String tenant, long change) throws SQLException {
        String count = "SELECT count(*) FROM forgotten WHERE tenant = ?";
        if (number(use, count, bytes(tenant)) > MOST_FORGOTTEN) {
            update(use, "DELETE FROM forgotten WHERE tenant = ?", bytes(tenant));
            update(use, "UPDATE tenants SET pruned = ? WHERE name = ?", change, bytes(tenant));
        }
    }

    private static long next(Connection use, String tenant) throws SQLException {
        update(
                use,
                "INSERT INTO tenants (name, change, pruned) VALUES (?, 0, 0)"
                        + " ON CONFLICT DO NOTHING",
                bytes(tenant));
        return number(
                use,
                "UPDATE tenants SET change = change + 1 WHERE name = ? RETURNING change",
                bytes(tenant));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Something done in one transaction. */
    @FunctionalInterface
    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    @FunctionalInterface
    private interface Rows {
        void read(ResultSet row) throws SQLException;
    }

    private <T> T work(Work<T> work) {
        lock.lock();
        try {
            Connection use = connected();
            use.setAutoCommit(false);
            T result = work.on(use);
            // Commits. The driver of SQLite would begin the next one at once after commit().
            use.setAutoCommit(true);
            return result;
        } catch (SQLException e) {
            drop();
            throw database.problem(e);
        } catch (RuntimeException e) {
            drop();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private void erase() {
        lock.lock();
        try {
            database.erase(connected());
        } catch (SQLException e) {
            drop();
            throw database.problem(e);
        } finally {
            lock.unlock();
        }
    }

    private Connection connected() throws SQLException {
        if (closed) {
            throw new NotKept("The memory is closed");
        }
        Connection use = connection;
        if (use == null) {
            use = database.connect();
            connection = use;
        }
        return use;
    }

    /** After a problem nobody knows what state it is in; the next one gets another. */
    private void drop() {
        Connection broken = connection;
        connection = null;
        if (broken != null) {
            try {
                broken.close();
            } catch (SQLException e) {
                LOG.debug("A connection could not be closed", e);
            }
        }
    }

    private static void query(Connection use, String sql, Rows rows, Object... values)
            throws SQLException {
        try (PreparedStatement statement = use.prepareStatement(sql)) {
            fill(statement, values);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    rows.read(row);
                }
            }
        }
    }

    private static List<String> texts(Connection use, String sql, Object... values)
            throws SQLException {
        List<String> texts = new ArrayList<>();
        query(use, sql, row -> texts.add(row.getString(1)), values);
        return texts;
    }

    private static long number(Connection use, String sql, Object... values) throws SQLException {
        List<Long> numbers = new ArrayList<>();
        query(use, sql, row -> numbers.add(row.getLong(1)), values);
        return numbers.getFirst();
    }

    private static void update(Connection use, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = use.prepareStatement(sql)) {
            fill(statement, values);
            statement.executeUpdate();
        }
    }

    private static void fill(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            switch (values[i]) {
                case byte[] bytes -> statement.setBytes(i + 1, bytes);
                case Long number -> statement.setLong(i + 1, number);
                case Object text -> statement.setString(i + 1, text.toString());
            }
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            drop();
        } finally {
            lock.unlock();
        }
    }
}
