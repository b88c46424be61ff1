package dev.glovebox.trace.store;

import dev.glovebox.trace.spi.LogAppend;
import dev.glovebox.trace.spi.LogLeaf;
import dev.glovebox.trace.spi.Signed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes and reads the log of the installation. */
final class Log {

    static final String LEAVES_OF = "SELECT position, leaf FROM leaves WHERE run = ?";
    static final String BLOCKS =
            "SELECT block FROM leaves WHERE block IS NOT NULL ORDER BY position";

    private Log() {}

    /** Continues the log, in a transaction that keeps others from it. */
    static boolean extend(Connection connection, LogAppend append) throws SQLException {
        if (size(connection) != append.size()) {
            return false;
        }
        long size = append.size();
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO leaves (position, leaf, run, block) VALUES (?, ?, ?, ?)")) {
            for (LogLeaf leaf : append.leaves()) {
                insert.setLong(1, size++);
                insert.setBytes(2, leaf.bytes());
                insert.setString(3, leaf.run());
                if (leaf.block().isPresent()) {
                    insert.setBytes(4, leaf.block().get());
                } else {
                    insert.setNull(4, Types.BINARY);
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO heads (size, statement, signature) VALUES (?, ?, ?)"
                                + " ON CONFLICT (size) DO UPDATE SET"
                                + " statement = excluded.statement,"
                                + " signature = excluded.signature")) {
            insert.setLong(1, size);
            insert.setBytes(2, append.head().statement());
            insert.setString(3, append.head().signature());
            insert.executeUpdate();
        }
        note(connection, append.noted());
        return true;
    }

    private static void note(Connection connection, Map<String, Long> noted) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement(
                        "UPDATE run_rows SET noted = ? WHERE name = ?"
                                + " AND (noted IS NULL OR noted < ?)")) {
            // In the order of their names, as all lock them: so nobody waits in a circle.
            for (Map.Entry<String, Long> run : new TreeMap<>(noted).entrySet()) {
                update.setLong(1, run.getValue());
                update.setString(2, run.getKey());
                update.setLong(3, run.getValue());
                update.addBatch();
            }
            update.executeBatch();
        }
    }

    static long size(Connection connection) throws SQLException {
        try (PreparedStatement select =
                        connection.prepareStatement("SELECT max(position) FROM leaves");
                ResultSet row = select.executeQuery()) {
            row.next();
            long last = row.getLong(1);
            return row.wasNull() ? 0 : last + 1;
        }
    }

    static List<byte[]> leaves(Connection connection, long from, int most) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT leaf FROM leaves WHERE position >= ? ORDER BY position LIMIT ?")) {
            select.setLong(1, from);
            select.setInt(2, most);
            return Queries.blobs(select);
        }
    }

    static SortedMap<Long, byte[]> leavesOf(Connection connection, String run) throws SQLException {
        SortedMap<Long, byte[]> found = new TreeMap<>();
        try (PreparedStatement select = connection.prepareStatement(LEAVES_OF)) {
            select.setString(1, run);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    found.put(rows.getLong(1), rows.getBytes(2));
                }
            }
        }
        return found;
    }

    static List<byte[]> blocks(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(BLOCKS)) {
            return Queries.blobs(select);
        }
    }

    static Optional<Signed> head(Connection connection) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT statement, signature FROM heads ORDER BY size DESC LIMIT 1")) {
            return signed(select).stream().findFirst();
        }
    }

    static Optional<Signed> headCovering(Connection connection, long size) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT statement, signature FROM heads WHERE size >= ?"
                                + " ORDER BY size LIMIT 1")) {
            select.setLong(1, size);
            return signed(select).stream().findFirst();
        }
    }

    static void rotate(Connection connection, Signed rotation) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO rotations (statement, signature) VALUES (?, ?)")) {
            insert.setBytes(1, rotation.statement());
            insert.setString(2, rotation.signature());
            insert.executeUpdate();
        }
    }

    static List<Signed> rotations(Connection connection) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT statement, signature FROM rotations ORDER BY id")) {
            return signed(select);
        }
    }

    private static List<Signed> signed(PreparedStatement select) throws SQLException {
        List<Signed> found = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                found.add(new Signed(rows.getBytes(1), rows.getString(2)));
            }
        }
        return found;
    }
}
