package dev.glovebox.trace.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Knows where runs end without asking each time: only what another process has appended since must
 * be looked at. To be used inside a transaction that keeps others from writing.
 */
final class SqliteHeads {

    private static final int MOST = 10_000;

    private final PreparedStatement version;
    private final PreparedStatement places;
    private final PreparedStatement since;
    private final PreparedStatement find;
    private final Map<String, Head> heads =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Head> eldest) {
                    return size() > MOST;
                }
            };
    private long seen = -1;
    private long place;
    private long settled;

    SqliteHeads(Connection connection) throws SQLException {
        version = connection.prepareStatement("PRAGMA data_version");
        places =
                connection.prepareStatement(
                        "SELECT (SELECT max(place) FROM appended), (SELECT place FROM settled)");
        since =
                connection.prepareStatement(
                        "SELECT name FROM run_rows"
                                + " WHERE id IN (SELECT run FROM appended WHERE place > ?)");
        find =
                connection.prepareStatement(
                        "SELECT id, records, last_hash, finished_at IS NOT NULL FROM runs"
                                + " WHERE name = ?");
    }

    /** Forgets what others have changed. */
    void catchUp() throws SQLException {
        long now;
        try (ResultSet row = version.executeQuery()) {
            row.next();
            now = row.getLong(1);
        }
        if (now == seen) {
            return;
        }
        seen = now;
        if (!heads.isEmpty()) {
            since.setLong(1, place);
            try (ResultSet rows = since.executeQuery()) {
                while (rows.next()) {
                    heads.remove(rows.getString(1));
                }
            }
        }
        try (ResultSet row = places.executeQuery()) {
            row.next();
            place = row.getLong(1);
            settled = row.getLong(2);
        }
    }

    /** The end of a run; {@link Head#NONE} if there is no such run. */
    Head of(String run) throws SQLException {
        Head known = heads.get(run);
        return known == null ? find(run) : known;
    }

    private Head find(String run) throws SQLException {
        find.setString(1, run);
        try (ResultSet row = find.executeQuery()) {
            return row.next()
                    ? new Head(row.getLong(1), row.getLong(2), row.getString(3), row.getBoolean(4))
                    : Head.NONE;
        }
    }

    /** Where the last record of all is. */
    long place() {
        return place;
    }

    /** Up to where records are settled. */
    long settled() {
        return settled;
    }

    /** Takes notice of what this process has written and committed. */
    void moved(Map<String, Head> changed, long lastPlace, boolean allSettled) {
        heads.putAll(changed);
        place = lastPlace;
        settled = allSettled ? lastPlace : settled;
    }
}
