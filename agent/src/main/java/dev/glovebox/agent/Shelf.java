package dev.glovebox.agent;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Where memories are kept: the truth, of which indexes are made.
 *
 * <p>Each tenant has a number that grows with every change. A change takes the row with that number
 * for itself, so what has a lower number is there for all to see when a higher one is.
 */
final class Shelf implements AutoCloseable {

    /** How many of the forgotten are named to other processes; who has missed more begins anew. */
    private static final int MOST_FORGOTTEN = 10_000;

    private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);

    private final Transactions transactions;

    private Shelf(Transactions transactions) {
        this.transactions = transactions;
    }

    static Shelf open(MemoryDatabase database, Embedder embedder) {
        Transactions transactions = new Transactions(database);
        try {
            transactions.work(sql -> {
                database.queue(sql.connection());
                ShelfTables.prepare(sql.connection(), database.bytes(), embedder);
                return true;
            });
        } catch (RuntimeException e) {
            transactions.close();
            throw e;
        }
        return new Shelf(transactions);
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

    /**
     * Keeps something, and forgets what is too much. Nobody has asked for that, so nobody waits
     * until nothing is left of it.
     */
    String keep(String tenant, Memento memento, float[] vector, Instant now, int most) {
        return transactions.work(sql -> {
            long change = next(sql, tenant);
            for (String known :
                    sql.texts(
                            "SELECT id FROM mementos WHERE tenant = ? AND digest = ?",
                            bytes(tenant),
                            memento.digest())) {
                sql.update(
                        "UPDATE mementos SET at = ?, touched = ?, times = times + 1, source = ?"
                                + " WHERE id = ?",
                        now.toEpochMilli(),
                        now.toEpochMilli(),
                        bytes(memento.source()),
                        known);
                return known;
            }
            String fresh = UUID.randomUUID().toString();
            sql.update(
                    "INSERT INTO mementos (id, tenant, kind, digest, parts, source, vector, at,"
                            + " touched, times, change) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)",
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
            String count = "SELECT count(*) FROM mementos WHERE tenant = ?";
            if (sql.number(count, bytes(tenant)) > most) {
                // A tenth more than need be, so that it is not done each time.
                var _ = delete(sql, tenant, beyond(tenant, most - most / 10), change);
            }
            return fresh;
        });
    }

    /** What was found, as far as it is still there; it counts as used now. */
    List<Found> take(String tenant, Map<String, Double> scores, Instant now) {
        if (scores.isEmpty()) {
            return List.of();
        }
        return transactions.work(sql -> {
            Map<String, Found> found = new HashMap<>();
            // In one order for all, so that two at once do not wait for each other.
            for (Map.Entry<String, Double> score : new TreeMap<>(scores).entrySet()) {
                sql.query(
                        "UPDATE mementos SET touched = ? WHERE tenant = ? AND id = ?"
                                + " RETURNING id, kind, parts, source, at, times",
                        row ->
                                found.put(
                                        score.getKey(),
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
            return scores.keySet().stream().map(found::get).filter(Objects::nonNull).toList();
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
        return transactions.work(sql -> {
            List<State> states = new ArrayList<>();
            sql.query(
                    "SELECT change, pruned FROM tenants WHERE name = ?",
                    row -> states.add(new State(row.getLong(1), row.getLong(2))),
                    bytes(tenant));
            return states.isEmpty() ? new State(0, 0) : states.getFirst();
        });
    }

    /** What was kept after a change, a page of it. */
    List<Indexed> keptAfter(String tenant, long change, int most) {
        return transactions.work(sql -> {
            List<Indexed> page = new ArrayList<>();
            sql.query(
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
        return transactions.work(sql ->
                sql.texts(
                        "SELECT id FROM forgotten WHERE tenant = ? AND change > ?",
                        bytes(tenant),
                        change));
    }

    boolean forget(String tenant, String id) {
        return forget(tenant, new Some("id = ?", List.of(id))) > 0;
    }

    int forgetSource(String tenant, String source) {
        return forget(tenant, new Some("source = ?", List.of(bytes(source))));
    }

    int forgetBefore(String tenant, Instant time) {
        // Further back than can be counted is nothing, and further on is everything.
        long counted =
                time.isBefore(Instant.EPOCH)
                        ? 0
                        : time.isAfter(LATEST) ? Long.MAX_VALUE : time.toEpochMilli();
        return forget(tenant, new Some("at < ?", List.of(counted)));
    }

    int forgetBeyond(String tenant, int most) {
        return forget(tenant, beyond(tenant, most));
    }

    private static Some beyond(String tenant, int most) {
        return new Some(
                "id IN (SELECT id FROM mementos WHERE tenant = ?"
                        + " ORDER BY touched DESC, change DESC LIMIT "
                        + Long.MAX_VALUE
                        + " OFFSET ?)",
                List.of(bytes(tenant), (long) Math.max(most, 0)));
    }

    /** Some of what a tenant has: a condition, and its values. */
    private record Some(String where, List<Object> values) {}

    private int forget(String tenant, Some some) {
        int gone = transactions.work(sql -> delete(sql, tenant, some, next(sql, tenant)));
        transactions.erase(gone);
        return gone;
    }

    private static int delete(Sql sql, String tenant, Some some, long change) throws SQLException {
        List<Object> values = new ArrayList<>(List.of(bytes(tenant)));
        values.addAll(some.values());
        List<String> ids =
                sql.texts(
                        "DELETE FROM mementos WHERE tenant = ? AND "
                                + some.where()
                                + " RETURNING id",
                        values.toArray());
        for (String id : ids) {
            sql.update(
                    "INSERT INTO forgotten (tenant, change, id) VALUES (?, ?, ?)",
                    bytes(tenant),
                    change,
                    id);
        }
        prune(sql, tenant, change);
        return ids.size();
    }

    private static void prune(Sql sql, String tenant, long change) throws SQLException {
        String count = "SELECT count(*) FROM forgotten WHERE tenant = ?";
        if (sql.number(count, bytes(tenant)) > MOST_FORGOTTEN) {
            sql.update("DELETE FROM forgotten WHERE tenant = ?", bytes(tenant));
            sql.update("UPDATE tenants SET pruned = ? WHERE name = ?", change, bytes(tenant));
        }
    }

    private static long next(Sql sql, String tenant) throws SQLException {
        sql.update(
                "INSERT INTO tenants (name, change, pruned) VALUES (?, 0, 0)"
                        + " ON CONFLICT DO NOTHING",
                bytes(tenant));
        return sql.number(
                "UPDATE tenants SET change = change + 1 WHERE name = ? RETURNING change",
                bytes(tenant));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        transactions.close();
    }
}
