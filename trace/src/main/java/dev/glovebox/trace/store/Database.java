package dev.glovebox.trace.store;

import dev.glovebox.trace.NotKept;
import java.sql.Connection;
import java.sql.SQLException;

/** What is different from one kind of database to another. */
interface Database {

    /** For the one thread that writes. */
    Ledger ledger() throws SQLException;

    /** For those that read. */
    Connection reading() throws SQLException;

    /** Hears of what was appended. */
    News news() throws SQLException;

    /** Tells people what happened, and what to do about it. */
    NotKept problem(Throwable cause);

    NotKept closed();
}
