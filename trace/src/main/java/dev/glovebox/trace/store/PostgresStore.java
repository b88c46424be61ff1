package dev.glovebox.trace.store;

import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.spi.TraceStore;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Keeps traces in a PostgreSQL database, in the schema {@code glovebox_trace}, which is made if it
 * is not there.
 *
 * <p>Erasing is weaker here than in a file of our own: the rows are deleted and the table is
 * vacuumed, so no query finds them again, but PostgreSQL does not overwrite what it frees. Bytes of
 * it may stay in its files until the room is used again, and stay in its write-ahead log, in
 * replicas and in backups for as long as those are kept.
 */
public final class PostgresStore {

    private PostgresStore() {}

    /**
     * Opens a database; a store has one connection for writing, one for listening while somebody
     * watches, and up to eight for reading.
     *
     * @throws NotKept if it cannot be reached, or was made by a newer version
     */
    public static TraceStore open(DataSource source) {
        return new JdbcStore(PostgresDatabase.open(source));
    }

    /**
     * Opens a database by its address.
     *
     * @param url such as {@code jdbc:postgresql://localhost/traces}
     * @throws NotKept if it cannot be reached, or was made by a newer version
     */
    public static TraceStore open(String url, String user, String password) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        source.setUser(user);
        source.setPassword(password);
        return open(source);
    }
}
