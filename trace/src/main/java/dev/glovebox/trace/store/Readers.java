package dev.glovebox.trace.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A few connections for whoever reads; who finds none free waits. */
final class Readers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Readers.class);
    private static final int MOST = 8;

    private final Database database;
    private final Semaphore permits = new Semaphore(MOST);
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    Readers(Database database) {
        this.database = database;
    }

    /** Reads something. */
    @FunctionalInterface
    interface Query<T> {
        T on(Connection connection) throws SQLException;
    }

    <T> T read(Query<T> query) {
        permits.acquireUninterruptibly();
        try {
            if (closed) {
                throw database.closed();
            }
            return attempt(query);
        } catch (SQLException e) {
            throw database.problem(e);
        } finally {
            permits.release();
        }
    }

    /** A connection that was idle may have died since, and says nothing about the next. */
    private <T> T attempt(Query<T> query) throws SQLException {
        for (Connection used = idle.poll(); used != null; used = idle.poll()) {
            try {
                return use(used, query);
            } catch (SQLException e) {
                LOG.debug("Reading once more, through another connection", e);
            }
        }
        return use(database.reading(), query);
    }

    private <T> T use(Connection connection, Query<T> query) throws SQLException {
        Connection broken = connection;
        try {
            T result = query.on(connection);
            broken = null;
            idle.push(connection);
            return result;
        } finally {
            closeQuietly(broken);
        }
    }

    private static void closeQuietly(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                LOG.debug("A connection could not be closed", e);
            }
        }
    }

    /** Waits for those who read, and closes. */
    @Override
    public void close() {
        closed = true;
        permits.acquireUninterruptibly(MOST);
        for (Connection next = idle.poll(); next != null; next = idle.poll()) {
            closeQuietly(next);
        }
        permits.release(MOST);
    }
}
