package dev.glovebox.trace.store;

import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.LogAppend;
import dev.glovebox.trace.spi.Signed;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * Writes to a database through one connection, for one thread. What a method did is durable when it
 * returns; when it throws, nothing was done, and the ledger is of no more use.
 */
interface Ledger extends AutoCloseable {

    /**
     * Appends all that continue their runs, in this order.
     *
     * @return what became of each
     */
    List<Fate> keep(List<Append> group) throws SQLException;

    boolean extend(LogAppend append) throws SQLException;

    void rotate(Signed rotation) throws SQLException;

    /**
     * Deletes content, unless a run that is not among these refers to it.
     *
     * @return whether it is gone
     */
    boolean erase(String digest, Set<String> runs) throws SQLException;

    @Override
    void close() throws SQLException;
}
