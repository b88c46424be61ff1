package dev.glovebox.agent;

import dev.glovebox.trace.NotKept;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables of memories.
 *
 * <p>Texts of others are kept as UTF-8 bytes: no collation, no forbidden character. Ids are random,
 * so that those of the forgotten tell nothing.
 */
final class ShelfTables {

    private static final int VERSION = 1;

    private static final List<String> TABLES =
            List.of(
                    "CREATE TABLE IF NOT EXISTS settings"
                            + " (version bigint NOT NULL, embedder text NOT NULL)",
                    "CREATE TABLE IF NOT EXISTS tenants"
                            + " (name BYTES PRIMARY KEY, change bigint NOT NULL,"
                            + " pruned bigint NOT NULL)",
                    "CREATE TABLE IF NOT EXISTS mementos"
                            + " (id text PRIMARY KEY, tenant BYTES NOT NULL, kind text NOT NULL,"
                            + " digest BYTES NOT NULL, parts BYTES NOT NULL, source BYTES NOT NULL,"
                            + " vector BYTES NOT NULL, at bigint NOT NULL, touched bigint NOT NULL,"
                            + " times bigint NOT NULL, change bigint NOT NULL,"
                            + " UNIQUE (tenant, digest))",
                    "CREATE INDEX IF NOT EXISTS mementos_by_change ON mementos (tenant, change)",
                    "CREATE TABLE IF NOT EXISTS forgotten"
                            + " (tenant BYTES NOT NULL, change bigint NOT NULL, id text NOT NULL)",
                    "CREATE INDEX IF NOT EXISTS forgotten_by_change"
                            + " ON forgotten (tenant, change)");

    private ShelfTables() {}

    static void prepare(Connection connection, String bytes, Embedder embedder)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String table : TABLES) {
                statement.execute(table.replace("BYTES", bytes));
            }
            try (ResultSet row = statement.executeQuery("SELECT version, embedder FROM settings")) {
                if (row.next()) {
                    check(row.getInt(1), row.getString(2), embedder);
                    return;
                }
            }
        }
        try (var insert = connection.prepareStatement("INSERT INTO settings VALUES (?, ?)")) {
            insert.setInt(1, VERSION);
            insert.setString(2, embedder.name());
            insert.executeUpdate();
        }
    }

    private static void check(int version, String made, Embedder embedder) {
        if (version > VERSION) {
            throw new NotKept(
                    "The memory was made by a newer version of this software (tables of version "
                            + version
                            + ", known is "
                            + VERSION
                            + "): use that, or another place");
        }
        if (!made.equals(embedder.name())) {
            throw new NotKept(
                    "The memory was made with the embedder "
                            + made
                            + ", whose vectors "
                            + embedder.name()
                            + " cannot be compared with: use that, or another place");
        }
    }
}
