package dev.glovebox.agent;

import dev.glovebox.trace.NotKept;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Transactions in a database of memories, one at a time, on a connection that is kept. */
final class Transactions implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);

    private final MemoryDatabase database;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Connection connection;
    private boolean closed;

    Transactions(MemoryDatabase database) {
        this.database = database;
    }

    /** Something done in one transaction. */
    @FunctionalInterface
    interface Work<T> {
        T on(Sql sql) throws SQLException;
    }

    <T> T work(Work<T> work) {
        lock.lock();
        try {
            Connection use = connected();
            use.setAutoCommit(false);
            T result = work.on(new Sql(use));
            // Commits. The driver of SQLite would begin the next one at once after commit().
            use.setAutoCommit(true);
            return result;
        } catch (SQLException e) {
            drop();
            throw database.problem(e);
        } catch (RuntimeException e) {
            drop();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    void erase() {
        lock.lock();
        try {
            database.erase(connected());
        } catch (SQLException e) {
            drop();
            throw database.problem(e);
        } finally {
            lock.unlock();
        }
    }

    private Connection connected() throws SQLException {
        if (closed) {
            throw new NotKept("The memory is closed");
        }
        Connection use = connection;
        if (use == null) {
            use = database.connect();
            connection = use;
        }
        return use;
    }

    /** After a problem nobody knows what state it is in; the next one gets another. */
    private void drop() {
        Connection broken = connection;
        connection = null;
        if (broken != null) {
            try {
                broken.close();
            } catch (SQLException e) {
                LOG.debug("A connection could not be closed", e);
            }
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            drop();
        } finally {
            lock.unlock();
        }
    }
}
