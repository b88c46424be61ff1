package dev.glovebox.trace.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears of this process at once; nobody tells of others, so it asks, again and again. */
final class SqliteNews implements News {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteNews.class);

    private final Connection connection;
    private final PreparedStatement ask;
    private final Semaphore rung = new Semaphore(0);
    private long version;

    SqliteNews(Connection connection) throws SQLException {
        this.connection = connection;
        this.ask = connection.prepareStatement("PRAGMA data_version");
        this.version = version();
    }

    /** Differs from what it was if another connection has changed the file since. */
    private long version() throws SQLException {
        try (ResultSet row = ask.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void ring() {
        rung.release();
    }

    @Override
    public boolean await() throws SQLException, InterruptedException {
        if (rung.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            rung.drainPermits();
            return true;
        }
        long before = version;
        version = version();
        return version != before;
    }

    @Override
    public void close() {
        try (connection) {
            ask.close();
        } catch (SQLException e) {
            LOG.debug("A connection could not be closed", e);
        }
    }
}
