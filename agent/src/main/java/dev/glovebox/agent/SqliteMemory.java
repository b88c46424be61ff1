package dev.glovebox.agent;

import dev.glovebox.trace.NotKept;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * A file of SQLite.
 *
 * @param patience how long to wait for others who have locked it
 */
record SqliteMemory(Path file, Duration patience) implements MemoryDatabase {

    /** Whoever only reads and writes holds it for milliseconds. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

    /** Of those who make a file at the same time, SQLite lets only one wait for another. */
    @Override
    public Connection connect() throws SQLException {
        createFile();
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                return config().createConnection("jdbc:sqlite:" + file.toUri());
            } catch (SQLiteException e) {
                if (kind(e) != SQLiteErrorCode.SQLITE_BUSY || System.nanoTime() - end > 0) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE);
            }
        }
    }

    private SQLiteConfig config() {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(Math.toIntExact(patience.toMillis()));
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        config.setPragma(SQLiteConfig.Pragma.SECURE_DELETE, "true");
        return config;
    }

    private void createFile() throws SQLException {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        try {
            Path folder = file.getParent();
            if (folder != null && !Files.isDirectory(folder)) {
                Files.createDirectories(folder, ownerOnly(posix, "rwx------"));
            }
            if (!Files.exists(file)) {
                Files.createFile(file, ownerOnly(posix, "rw-------"));
            }
        } catch (FileAlreadyExistsException e) {
            return;
        } catch (IOException e) {
            throw new SQLException("the file cannot be made (" + e + ")", e);
        }
    }

    private static FileAttribute<?>[] ownerOnly(boolean posix, String permissions) {
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /** Every transaction begins with the lock. */
    @Override
    public void queue(Connection connection) {}

    @Override
    public String bytes() {
        return "BLOB";
    }

    /** What is deleted is overwritten, but copies of it are in the write-ahead log. */
    @Override
    public void erase(Connection connection, int deleted) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA wal_checkpoint(TRUNCATE)")) {
            row.next();
            if (row.getInt(1) != 0) {
                throw new SQLException(
                        "it is deleted, but a copy is still in use: forget it again");
            }
        }
    }

    @Override
    public NotKept problem(Throwable cause) {
        return new NotKept("The memory " + file + ": " + reason(cause), cause);
    }

    private static String reason(Throwable cause) {
        if (!(cause instanceof SQLiteException problem)) {
            return String.valueOf(cause.getMessage());
        }
        return switch (kind(problem)) {
            case SQLITE_FULL -> "the disk is full; make room, then it works again";
            case SQLITE_READONLY, SQLITE_CANTOPEN ->
                    "it cannot be written; see whether file and folder may be";
            case SQLITE_BUSY, SQLITE_LOCKED ->
                    "another process has locked it for too long; see who uses it, and try again";
            case SQLITE_CORRUPT, SQLITE_NOTADB ->
                    "it is damaged, or no memory (" + problem.getMessage() + ")";
            default -> problem.toString();
        };
    }

    /** The low byte is the kind of error, the rest says where it happened. */
    private static SQLiteErrorCode kind(SQLiteException problem) {
        return SQLiteErrorCode.getErrorCode(problem.getResultCode().code & 0xff);
    }
}
