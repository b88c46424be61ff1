package dev.glovebox.agent;

import dev.glovebox.trace.NotKept;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** A database of PostgreSQL. */
record PostgresMemory(DataSource source) implements MemoryDatabase {

    private static final String SCHEMA = "glovebox_memory";

    @Override
    public Connection connect() throws SQLException {
        Connection connection = source.getConnection();
        connection.setSchema(SCHEMA);
        return connection;
    }

    @Override
    public void queue(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(hashtext('" + SCHEMA + "'))");
            statement.execute("CREATE SCHEMA IF NOT EXISTS " + SCHEMA);
        }
    }

    @Override
    public String bytes() {
        return "bytea";
    }

    /**
     * Takes it out of the table; what else is left of it nobody but the server can erase. Whoever
     * has locked the table for work on it may do so for hours, and nobody waits for that.
     */
    @Override
    public void erase(Connection connection, int deleted) throws SQLException {
        if (deleted > 0) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("VACUUM (SKIP_LOCKED) mementos");
            }
        }
    }

    @Override
    public NotKept problem(Throwable cause) {
        return new NotKept("The memory in PostgreSQL: " + cause.getMessage(), cause);
    }
}
