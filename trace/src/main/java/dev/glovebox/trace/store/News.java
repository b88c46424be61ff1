package dev.glovebox.trace.store;

import java.sql.SQLException;
import java.time.Duration;

/** Hears that something may have been appended. */
interface News extends AutoCloseable {

    /** How long to listen before looking whether anybody still wants to know. */
    Duration PATIENCE = Duration.ofMillis(100);

    /** Says that this process has appended something. */
    void ring();

    /** Listens for no longer than {@link #PATIENCE}; whether there may be something. */
    boolean await() throws SQLException, InterruptedException;

    @Override
    void close();
}
