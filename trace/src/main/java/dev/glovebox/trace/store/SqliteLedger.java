package dev.glovebox.trace.store;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.LogAppend;
import dev.glovebox.trace.spi.Signed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Writes to a file of SQLite. */
final class SqliteLedger implements Ledger {

    // Until they are settled, whoever looks for a run looks through so many records.
    private static final int MOST_UNSETTLED = 1_024;

    private final Connection connection;
    private final Statement statement;
    private final SqliteHeads heads;
    private final Blobs blobs;
    private final PreparedStatement begin;
    private final PreparedStatement commit;
    private final PreparedStatement start;
    private final PreparedStatement insert;
    private final PreparedStatement finish;
    private final PreparedStatement end;

    SqliteLedger(Connection connection) throws SQLException {
        this.connection = connection;
        statement = connection.createStatement();
        heads = new SqliteHeads(connection);
        blobs = new Blobs(connection);
        begin = connection.prepareStatement("BEGIN IMMEDIATE");
        commit = connection.prepareStatement("COMMIT");
        start =
                connection.prepareStatement(
                        "INSERT INTO run_rows (name, kind, title, folded, started_at)"
                                + " VALUES (?, ?, ?, ?, ?) RETURNING id");
        insert =
                connection.prepareStatement(
                        "INSERT INTO appended (place, run, seq, line) VALUES (?, ?, ?, ?)");
        finish =
                connection.prepareStatement(
                        "UPDATE run_rows SET finished_at = ?, stop = ? WHERE id = ?");
        end = connection.prepareStatement("UPDATE run_rows SET end_seq = ? WHERE id = ?");
    }

    @Override
    public List<Fate> keep(List<Append> group) throws SQLException {
        List<Fate> fates = new ArrayList<>();
        begin.execute();
        heads.catchUp();
        long place = heads.place();
        Map<String, Head> changed = new HashMap<>();
        for (Append append : group) {
            Head head = changed.get(append.run());
            if (head == null) {
                head = heads.of(append.run());
            }
            Fate fate = fate(append, head);
            fates.add(fate);
            if (fate == Fate.KEPT) {
                Head after = head.id() == 0 ? head.with(started(append)) : head;
                after = after.after(append);
                place = write(append, after, place);
                changed.put(append.run(), after);
            }
        }
        insert.executeBatch();
        boolean settle = place - heads.settled() >= MOST_UNSETTLED;
        if (settle) {
            settle(place);
        }
        commit.execute();
        heads.moved(changed, place, settle);
        return fates;
    }

    private Fate fate(Append append, Head head) throws SQLException {
        if (!head.isContinuedBy(append)) {
            return Fate.CONFLICT;
        }
        return blobs.hold(append, Set.of()) ? Fate.KEPT : Fate.CONTENT_GONE;
    }

    private long started(Append append) throws SQLException {
        Facts.Start facts = Facts.start(append);
        start.setString(1, append.run());
        start.setBytes(2, facts.kind());
        start.setBytes(3, facts.title());
        start.setBytes(4, facts.folded());
        start.setLong(5, facts.at());
        try (ResultSet row = start.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private long write(Append append, Head after, long lastPlace) throws SQLException {
        long place = lastPlace;
        for (Entry entry : append.entries()) {
            insert.setLong(1, ++place);
            insert.setLong(2, after.id());
            insert.setLong(3, entry.seq());
            insert.setBytes(4, entry.bytes());
            insert.addBatch();
        }
        for (Blob blob : append.blobs()) {
            blobs.keep(blob);
        }
        for (String digest : append.references()) {
            blobs.refer(digest, after.id());
        }
        if (after.finished()) {
            finish(append, after);
        }
        return place;
    }

    private void finish(Append append, Head after) throws SQLException {
        Optional<Facts.End> facts = Facts.end(append);
        if (facts.isPresent()) {
            finish.setLong(1, facts.get().at());
            finish.setBytes(2, facts.get().stop());
            finish.setLong(3, after.id());
            finish.executeUpdate();
        }
        end.setLong(1, after.records() - 1);
        end.setLong(2, after.id());
        end.executeUpdate();
    }

    private void settle(long place) throws SQLException {
        statement.execute(
                "INSERT INTO places (run, seq, place)"
                        + " SELECT run, seq, place FROM unsettled ORDER BY run, seq");
        statement.execute(
                "UPDATE run_rows SET settled = ends.records, last_place = ends.place"
                        + " FROM unsettled_ends AS ends WHERE ends.run = id");
        statement.execute("UPDATE settled SET place = " + place);
    }

    @Override
    public boolean extend(LogAppend append) throws SQLException {
        begin.execute();
        boolean extended = Log.extend(connection, append);
        commit.execute();
        return extended;
    }

    @Override
    public void rotate(Signed rotation) throws SQLException {
        Log.rotate(connection, rotation);
    }

    /**
     * What is deleted is overwritten with zeros, but copies of it are in the write-ahead log: it is
     * emptied, which has to wait for those who read an older state.
     */
    @Override
    public boolean erase(String digest, Set<String> runs) throws SQLException {
        begin.execute();
        boolean gone = Blobs.delete(connection, digest, runs);
        commit.execute();
        if (!gone) {
            return false;
        }
        try (ResultSet row = statement.executeQuery("PRAGMA wal_checkpoint(TRUNCATE)")) {
            row.next();
            if (row.getInt(1) != 0) {
                throw new SQLException("it is deleted, but a copy is still in use: erase it again");
            }
        }
        return true;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
