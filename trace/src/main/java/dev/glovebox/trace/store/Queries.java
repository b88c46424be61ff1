package dev.glovebox.trace.store;

import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** What is asked about runs, in words that both databases understand. */
final class Queries {

    // Not by a limit: SQLite would sort all that follows, for each page again.
    static final String LINES =
            "SELECT line FROM records WHERE run = (SELECT id FROM run_rows WHERE name = ?)"
                    + " AND seq >= ? AND seq < ? ORDER BY seq";

    private static final String ROWS =
            "SELECT name, kind, title, started_at, finished_at, stop, records, last_hash, noted"
                    + " FROM runs";

    static final String UNNOTED =
            ROWS + " WHERE noted IS NULL OR noted < end_seq ORDER BY id LIMIT ?";

    static final String REFERRING =
            "SELECT name FROM run_rows WHERE id IN (SELECT run FROM refs WHERE digest = ?)";

    private Queries() {}

    static List<byte[]> lines(Connection connection, String run, long from, int most)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(LINES)) {
            select.setString(1, run);
            select.setLong(2, from);
            select.setLong(3, from + most);
            return blobs(select);
        }
    }

    /** The first column of all rows. */
    static List<byte[]> blobs(PreparedStatement select) throws SQLException {
        List<byte[]> found = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                found.add(rows.getBytes(1));
            }
        }
        return found;
    }

    static Optional<RunRow> run(Connection connection, String run) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(ROWS + " WHERE name = ?")) {
            select.setString(1, run);
            return rows(select).stream().findFirst();
        }
    }

    static List<RunRow> unnoted(Connection connection, int most) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(UNNOTED)) {
            select.setInt(1, most);
            return rows(select);
        }
    }

    static List<RunRow> runs(Connection connection, RunQuery query) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(listing(query))) {
            bind(query, select);
            return rows(select);
        }
    }

    /** Gives the statement of {@link #listing} its values. */
    static void bind(RunQuery query, PreparedStatement select) throws SQLException {
        int next = 1;
        if (query.kind().isPresent()) {
            select.setBytes(next++, Facts.word(query.kind().get()));
        }
        if (query.stop().isPresent() && !query.stop().get().isEmpty()) {
            select.setBytes(next++, Facts.word(query.stop().get()));
        }
        if (query.text().isPresent()) {
            select.setBytes(next++, Facts.folded(query.text().get()));
        }
        for (String kind : query.without()) {
            select.setBytes(next++, Facts.word(kind));
        }
        if (query.before().isPresent()) {
            RunRow before = query.before().get();
            select.setLong(next++, before.startedAt());
            select.setLong(next++, before.startedAt());
            select.setString(next++, before.run());
        }
        select.setInt(next, query.most());
    }

    /** The statement for such a query, with a place for each value in the order of its fields. */
    static String listing(RunQuery query) {
        List<String> conditions = new ArrayList<>();
        query.kind().ifPresent(kind -> conditions.add("kind = ?"));
        query.stop()
                .ifPresent(stop -> conditions.add(stop.isEmpty() ? "stop IS NULL" : "stop = ?"));
        query.text().ifPresent(text -> conditions.add("instr(folded, ?) > 0"));
        query.without().forEach(kind -> conditions.add("kind <> ?"));
        // The first comparison is what the index can use.
        query.before()
                .ifPresent(
                        row -> conditions.add("started_at <= ? AND (started_at < ? OR name > ?)"));
        String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
        return ROWS + where + " ORDER BY started_at DESC, name LIMIT ?";
    }

    private static List<RunRow> rows(PreparedStatement select) throws SQLException {
        List<RunRow> found = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                byte[] stop = rows.getBytes(6);
                found.add(
                        new RunRow(
                                rows.getString(1),
                                Facts.text(rows.getBytes(2)),
                                Facts.text(rows.getBytes(3)),
                                rows.getLong(4),
                                optional(rows, 5),
                                stop == null ? "" : Facts.text(stop),
                                rows.getLong(7),
                                rows.getString(8),
                                optional(rows, 9)));
            }
        }
        return found;
    }

    private static OptionalLong optional(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
    }

    static Set<String> referring(Connection connection, String digest) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(REFERRING)) {
            select.setBytes(1, HexFormat.of().parseHex(digest));
            Set<String> found = new TreeSet<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
            return found;
        }
    }
}
