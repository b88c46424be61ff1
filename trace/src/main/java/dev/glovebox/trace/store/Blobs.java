package dev.glovebox.trace.store;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.spi.Append;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes and reads content, in parts of bounded size. */
final class Blobs implements AutoCloseable {

    private static final int PART = 1 << 20;
    private static final HexFormat HEX = HexFormat.of();

    private final PreparedStatement insert;
    private final PreparedStatement refer;
    private final PreparedStatement find;

    Blobs(Connection connection) throws SQLException {
        insert =
                connection.prepareStatement(
                        "INSERT INTO blobs (digest, part, bytes, salt, content)"
                                + " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING");
        refer =
                connection.prepareStatement(
                        "INSERT INTO refs (digest, run) VALUES (?, ?) ON CONFLICT DO NOTHING");
        find = connection.prepareStatement("SELECT part FROM blobs WHERE digest = ? AND part = 0");
    }

    /** Keeps content, unless it is there already. */
    void keep(Blob blob) throws SQLException {
        byte[] content = blob.content();
        byte[] digest = HEX.parseHex(blob.digest());
        int from = 0;
        do {
            int to = Math.min(content.length, from + PART);
            insert.setBytes(1, digest);
            insert.setInt(2, from / PART);
            insert.setLong(3, content.length);
            insert.setBytes(4, blob.salt());
            insert.setBytes(5, Arrays.copyOfRange(content, from, to));
            if (insert.executeUpdate() == 0) {
                return;
            }
            from = to;
        } while (from < content.length);
    }

    /** Keeps that a run names a blob. */
    void refer(String digest, long run) throws SQLException {
        refer.setBytes(1, HEX.parseHex(digest));
        refer.setLong(2, run);
        refer.executeUpdate();
    }

    /** Whether all content that comes without the append that refers to it is there. */
    boolean hold(Append append, Set<String> coming) throws SQLException {
        if (append.references().isEmpty()) {
            return true;
        }
        Set<String> without = new HashSet<>(append.references());
        append.blobs().forEach(blob -> without.remove(blob.digest()));
        without.removeAll(coming);
        for (String digest : without) {
            find.setBytes(1, HEX.parseHex(digest));
            try (ResultSet rows = find.executeQuery()) {
                if (!rows.next()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Deletes content, unless another run than these refers to it. */
    static boolean delete(Connection connection, String digest, Set<String> runs)
            throws SQLException {
        if (!runs.containsAll(Queries.referring(connection, digest))) {
            return false;
        }
        try (PreparedStatement delete =
                connection.prepareStatement("DELETE FROM blobs WHERE digest = ?")) {
            delete.setBytes(1, HEX.parseHex(digest));
            delete.executeUpdate();
        }
        return true;
    }

    /** Finds content; none, if somebody erases it in the meantime. */
    static Optional<Blob> find(Connection connection, String digest) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT bytes, salt, content FROM blobs WHERE digest = ? AND part = ?")) {
            select.setBytes(1, HEX.parseHex(digest));
            Part first = part(select, 0);
            if (first == null) {
                return Optional.empty();
            }
            if (first.content().length == first.bytes()) {
                return Optional.of(new Blob(digest, first.content(), first.salt()));
            }
            byte[] content = Arrays.copyOf(first.content(), Math.toIntExact(first.bytes()));
            for (int from = PART; from < content.length; from += PART) {
                Part next = part(select, from / PART);
                if (next == null) {
                    return Optional.empty();
                }
                System.arraycopy(next.content(), 0, content, from, next.content().length);
            }
            return Optional.of(new Blob(digest, content, first.salt()));
        }
    }

    private record Part(long bytes, byte[] salt, byte[] content) {}

    private static @Nullable Part part(PreparedStatement select, int number) throws SQLException {
        select.setInt(2, number);
        try (ResultSet rows = select.executeQuery()) {
            return rows.next()
                    ? new Part(rows.getLong(1), rows.getBytes(2), rows.getBytes(3))
                    : null;
        }
    }

    @Override
    public void close() throws SQLException {
        insert.close();
        refer.close();
        find.close();
    }
}
