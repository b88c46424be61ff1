package dev.glovebox.trace.store;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.LogAppend;
import dev.glovebox.trace.spi.Signed;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes to PostgreSQL. Others write at the same time; whoever appends to a run locks its row. All
 * lock rows of runs in the order of their names, and then content in the order of its digests: so
 * nobody waits in a circle.
 */
final class PostgresLedger implements Ledger {

    private final Connection connection;
    private final Statement statement;
    private final Blobs blobs;
    private final PreparedStatement start;
    private final PreparedStatement lock;
    private final PreparedStatement insert;
    private final PreparedStatement move;

    PostgresLedger(Connection connection) throws SQLException {
        this.connection = connection;
        connection.setAutoCommit(false);
        statement = connection.createStatement();
        blobs = new Blobs(connection);
        start =
                connection.prepareStatement(
                        "INSERT INTO run_rows (name, kind, title, folded, started_at, records,"
                                + " last_hash) VALUES (?, ?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING");
        lock =
                connection.prepareStatement(
                        "SELECT name, id, records, last_hash, finished_at IS NOT NULL"
                                + " FROM run_rows WHERE name = ANY (?)"
                                + " ORDER BY name FOR UPDATE");
        insert =
                connection.prepareStatement(
                        "INSERT INTO records (run, seq, line) VALUES (?, ?, ?)");
        move =
                connection.prepareStatement(
                        "UPDATE run_rows SET records = ?, last_hash = ?, end_seq = ?,"
                                + " finished_at = coalesce(?, finished_at),"
                                + " stop = coalesce(?, stop) WHERE id = ?");
    }

    @Override
    public BitSet keep(List<Append> group) throws SQLException {
        BitSet kept = new BitSet(group.size());
        startNew(group);
        Map<String, Head> heads = lock(group);
        List<Blob> content = new ArrayList<>();
        for (int i = 0; i < group.size(); i++) {
            Append append = group.get(i);
            Head head = heads.getOrDefault(append.run(), Head.NONE);
            if (head.id() != 0 && head.isContinuedBy(append)) {
                Head after = head.after(append);
                heads.put(append.run(), after);
                write(append, after);
                content.addAll(append.blobs());
                kept.set(i);
            }
        }
        insert.executeBatch();
        move.executeBatch();
        content.sort(Comparator.comparing(Blob::digest));
        for (Blob blob : content) {
            blobs.keep(blob);
        }
        statement.execute("NOTIFY " + PostgresNews.CHANNEL);
        connection.commit();
        return kept;
    }

    /** Makes the rows of runs that begin, so that they can be locked like all others. */
    private void startNew(List<Append> group) throws SQLException {
        List<Append> first =
                group.stream()
                        .filter(Head.NONE::isContinuedBy)
                        .sorted(Comparator.comparing(Append::run))
                        .toList();
        for (Append append : first) {
            Facts.Start facts = Facts.start(append);
            start.setString(1, append.run());
            start.setBytes(2, facts.kind());
            start.setBytes(3, facts.title());
            start.setBytes(4, facts.folded());
            start.setLong(5, facts.at());
            start.setString(6, Entry.NOTHING);
            start.addBatch();
        }
        start.executeBatch();
    }

    private Map<String, Head> lock(List<Append> group) throws SQLException {
        Array names =
                connection.createArrayOf(
                        "text", group.stream().map(Append::run).distinct().toArray());
        lock.setArray(1, names);
        Map<String, Head> heads = new HashMap<>();
        try (ResultSet rows = lock.executeQuery()) {
            while (rows.next()) {
                heads.put(
                        rows.getString(1),
                        new Head(
                                rows.getLong(2),
                                rows.getLong(3),
                                rows.getString(4),
                                rows.getBoolean(5)));
            }
        }
        return heads;
    }

    private void write(Append append, Head after) throws SQLException {
        for (Entry entry : append.entries()) {
            insert.setLong(1, after.id());
            insert.setLong(2, entry.seq());
            insert.setBytes(3, entry.bytes());
            insert.addBatch();
        }
        move.setLong(1, after.records());
        move.setString(2, after.hash());
        if (after.finished()) {
            move.setLong(3, after.records() - 1);
        } else {
            move.setNull(3, Types.BIGINT);
        }
        Optional<Facts.End> end = Facts.end(append);
        if (end.isPresent()) {
            move.setLong(4, end.get().at());
            move.setBytes(5, end.get().stop());
        } else {
            move.setNull(4, Types.BIGINT);
            move.setNull(5, Types.BINARY);
        }
        move.setLong(6, after.id());
        move.addBatch();
        for (String digest : append.references()) {
            blobs.refer(digest, after.id());
        }
    }

    @Override
    public boolean extend(LogAppend append) throws SQLException {
        statement.execute("LOCK TABLE leaves IN SHARE ROW EXCLUSIVE MODE");
        boolean extended = Log.extend(connection, append);
        connection.commit();
        return extended;
    }

    @Override
    public void rotate(Signed rotation) throws SQLException {
        Log.rotate(connection, rotation);
        connection.commit();
    }

    @Override
    public void erase(byte[] digest) throws SQLException {
        Blobs.delete(connection, digest);
        connection.commit();
        connection.setAutoCommit(true);
        statement.execute("VACUUM blobs");
        connection.setAutoCommit(false);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
