package dev.glovebox.trace.store;

import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.file.Path;

/**
 * Keeps traces in one file, which several processes of one machine may use at once.
 *
 * <p>What is acknowledged survives a power failure. What is erased is overwritten in the file, and
 * cut off from the write-ahead log beside it.
 */
public final class SqliteStore {

    private SqliteStore() {}

    /**
     * Opens a file, and makes it, readable for its owner only, if there is none.
     *
     * @throws NotKept if it cannot be opened, or was made by a newer version
     */
    public static TraceStore open(Path file) {
        return new JdbcStore(SqliteDatabase.open(file));
    }
}
