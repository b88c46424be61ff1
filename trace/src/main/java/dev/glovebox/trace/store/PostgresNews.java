package dev.glovebox.trace.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears from the server of what was appended, by this process or another. */
final class PostgresNews implements News {

    static final String CHANNEL = "glovebox_trace";

    private static final Logger LOG = LoggerFactory.getLogger(PostgresNews.class);

    private final Connection connection;
    private final PGConnection server;

    PostgresNews(Connection connection) throws SQLException {
        this.connection = connection;
        this.server = connection.unwrap(PGConnection.class);
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN " + CHANNEL);
        }
    }

    /** The server tells us of our own as well. */
    @Override
    public void ring() {}

    @Override
    public boolean await() throws SQLException {
        PGNotification[] heard = server.getNotifications((int) PATIENCE.toMillis());
        return heard != null && heard.length > 0;
    }

    @Override
    public void close() {
        try (connection;
                Statement statement = connection.createStatement()) {
            statement.execute("UNLISTEN " + CHANNEL);
        } catch (SQLException e) {
            LOG.debug("A connection could not be closed", e);
        }
    }
}
