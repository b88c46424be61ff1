package dev.glovebox.trace.store;

import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.LogAppend;
import dev.glovebox.trace.spi.Signed;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.List;

/**
 * Writes to a database through one connection, for one thread. What a method did is durable when it
 * returns; when it throws, nothing was done, and the ledger is of no more use.
 */
interface Ledger extends AutoCloseable {

    /**
     * Appends all that continue their runs, in this order.
     *
     * @return which ones did
     */
    BitSet keep(List<Append> group) throws SQLException;

    boolean extend(LogAppend append) throws SQLException;

    void rotate(Signed rotation) throws SQLException;

    void erase(byte[] digest) throws SQLException;

    @Override
    void close() throws SQLException;
}
