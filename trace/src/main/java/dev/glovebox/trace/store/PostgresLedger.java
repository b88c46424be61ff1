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
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes to PostgreSQL. Others write at the same time; whoever appends to a run locks its row. All
 * lock rows of runs in the order of their names, and then content in the order of its digests: so
 * nobody waits in a circle. Whoever erases keeps all others from referring to anything, so that
 * what he sees of who refers to the content stays true until it is gone.
 */
final class PostgresLedger implements Ledger {

    private final Connection connection;
    private final Statement statement;
    private final Blobs blobs;
    private final PreparedStatement start;
    private final PreparedStatement unstart;
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
        unstart =
                connection.prepareStatement(
                        "DELETE FROM run_rows WHERE name = ANY (?) AND records = 0");
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
    public List<Fate> keep(List<Append> group) throws SQLException {
        List<Fate> fates = new ArrayList<>();
        if (group.stream().anyMatch(append -> !append.references().isEmpty())) {
            statement.execute("LOCK TABLE refs IN ROW EXCLUSIVE MODE");
        }
        startNew(group);
        Map<String, Head> heads = lock(group);
        List<Blob> content = new ArrayList<>();
        Set<String> coming = new HashSet<>();
        for (Append append : group) {
            Head head = heads.getOrDefault(append.run(), Head.NONE);
            Fate fate = fate(append, head, coming);
            fates.add(fate);
            if (fate == Fate.KEPT) {
                Head after = head.after(append);
                heads.put(append.run(), after);
                write(append, after);
                content.addAll(append.blobs());
                append.blobs().forEach(blob -> coming.add(blob.digest()));
            }
        }
        insert.executeBatch();
        move.executeBatch();
        if (fates.contains(Fate.CONTENT_GONE)) {
            // Runs that would have begun with it: all others have records.
            unstart.setArray(1, names(group));
            unstart.executeUpdate();
        }
        content.sort(Comparator.comparing(Blob::digest));
        for (Blob blob : content) {
            blobs.keep(blob);
        }
        statement.execute("NOTIFY " + PostgresNews.CHANNEL);
        connection.commit();
        return fates;
    }

    private Fate fate(Append append, Head head, Set<String> coming) throws SQLException {
        if (head.id() == 0 || !head.isContinuedBy(append)) {
            return Fate.CONFLICT;
        }
        return blobs.hold(append, coming) ? Fate.KEPT : Fate.CONTENT_GONE;
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
        lock.setArray(1, names(group));
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

    private Array names(List<Append> group) throws SQLException {
        return connection.createArrayOf(
                "text", group.stream().map(Append::run).distinct().toArray());
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
    public boolean erase(String digest, Set<String> runs) throws SQLException {
        // Waits for those who are about to refer to it.
        statement.execute("LOCK TABLE refs IN SHARE MODE");
        boolean gone = Blobs.delete(connection, digest, runs);
        connection.commit();
        if (!gone) {
            return false;
        }
        connection.setAutoCommit(true);
        statement.execute("VACUUM blobs");
        connection.setAutoCommit(false);
        return true;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
