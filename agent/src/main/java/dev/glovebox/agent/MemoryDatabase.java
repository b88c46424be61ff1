package dev.glovebox.agent;

import dev.glovebox.trace.NotKept;
import java.sql.Connection;
import java.sql.SQLException;

/** What is different from one kind of database to another. */
interface MemoryDatabase {

    Connection connect() throws SQLException;

    /** Lets those who come at the same time make the tables one after the other. */
    void queue(Connection connection) throws SQLException;

    /** What a column of bytes is called. */
    String bytes();

    /**
     * Sees to it that nothing is left of what was deleted; outside of transactions.
     *
     * @param deleted how much that was just now; also if it is nothing, of something else a copy
     *     may be left that could not be erased before
     */
    void erase(Connection connection, int deleted) throws SQLException;

    /** Tells people what happened, and what to do about it. */
    NotKept problem(Throwable cause);
}
