package dev.glovebox.trace.store;

import dev.glovebox.trace.NotKept;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** A database of PostgreSQL. */
final class PostgresDatabase implements Database {

    static final String SCHEMA = "glovebox_trace";

    private final DataSource source;

    private PostgresDatabase(DataSource source) {
        this.source = source;
    }

    static PostgresDatabase open(DataSource source) {
        PostgresDatabase database = new PostgresDatabase(source);
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            prepare(connection);
            connection.commit();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw database.problem(e);
        }
        return database;
    }

    private static void prepare(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // Of those who come at the same time, one makes the tables, and the others wait.
            statement.execute("SELECT pg_advisory_xact_lock(hashtext('" + SCHEMA + "'))");
            statement.execute("CREATE SCHEMA IF NOT EXISTS " + SCHEMA);
            connection.setSchema(SCHEMA);
            statement.execute("CREATE TABLE IF NOT EXISTS version (version integer NOT NULL)");
            try (ResultSet row = statement.executeQuery("SELECT version FROM version")) {
                if (row.next()) {
                    refuseNewer(row.getInt(1));
                    return;
                }
            }
            Schema.create(connection, "postgres.sql");
            statement.execute("INSERT INTO version VALUES (" + Schema.VERSION + ")");
        }
    }

    private static void refuseNewer(int version) {
        if (version > Schema.VERSION) {
            throw new NotKept(
                    "The schema "
                            + SCHEMA
                            + " was made by a newer version of this software (tables of version "
                            + version
                            + ", known is "
                            + Schema.VERSION
                            + "): use that, or another database");
        }
    }

    private Connection connect() throws SQLException {
        Connection connection = source.getConnection();
        connection.setSchema(SCHEMA);
        return connection;
    }

    @Override
    public Ledger ledger() throws SQLException {
        return new PostgresLedger(connect());
    }

    @Override
    public Connection reading() throws SQLException {
        Connection connection = connect();
        connection.setReadOnly(true);
        return connection;
    }

    @Override
    public News news() throws SQLException {
        return new PostgresNews(connect());
    }

    @Override
    public NotKept closed() {
        return new NotKept("The trace store in PostgreSQL is closed");
    }

    @Override
    public NotKept problem(Throwable cause) {
        return new NotKept("The trace store in PostgreSQL: " + reason(cause), cause);
    }

    private static String reason(Throwable cause) {
        if (!(cause instanceof SQLException problem) || problem.getSQLState() == null) {
            return cause.toString();
        }
        String state = problem.getSQLState();
        String what =
                switch (state.length() > 2 ? state.substring(0, 2) : state) {
                    case "08" ->
                            "it cannot be reached; whether what was just written is kept, is not"
                                    + " known";
                    case "28" -> "it does not let us in";
                    case "53" -> "it has no room";
                    case "57" -> "it was shut down or has ended our work";
                    case "25" -> "it cannot be written; it is read-only";
                    default -> "it refused";
                };
        return what + " (" + problem.getMessage() + ")";
    }
}
