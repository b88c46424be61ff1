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

    // The class of the codes of the SQL standard for this.
    private static final String UNDONE = "40";
    private static final int MOST_ATTEMPTS = 10;

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

    /**
     * Does something; again, where the database has undone it for the sake of somebody else.
     *
     * @param work that keeps nothing of a time that was in vain
     */
    <T> T work(Work<T> work) {
        lock.lock();
        try {
            for (int attempt = 1; ; attempt++) {
                try {
                    return once(work);
                } catch (SQLException e) {
                    drop();
                    if (attempt == MOST_ATTEMPTS || !isUndone(e)) {
                        throw database.problem(e);
                    }
                }
            }
        } catch (RuntimeException e) {
            drop();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private <T> T once(Work<T> work) throws SQLException {
        Connection use = connected();
        use.setAutoCommit(false);
        T result = work.on(new Sql(use));
        // Commits. The driver of SQLite would begin the next one at once after commit().
        use.setAutoCommit(true);
        return result;
    }

    /** Whether it was in the way of another transaction, as two are that wait for each other. */
    private static boolean isUndone(SQLException problem) {
        return problem.getSQLState() != null && problem.getSQLState().startsWith(UNDONE);
    }

    void erase(int deleted) {
        lock.lock();
        try {
            database.erase(connected(), deleted);
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
