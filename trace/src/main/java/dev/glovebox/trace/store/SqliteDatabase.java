package dev.glovebox.trace.store;

import dev.glovebox.trace.NotKept;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A file of SQLite. */
final class SqliteDatabase implements Database {

    /** Another process may take as long for a large group, or to erase. */
    static final int BUSY_MILLIS = 30_000;

    // 16 MiB of 4 KiB pages: with the usual 1,000 the writer checkpoints a fifth of its time.
    private static final String CHECKPOINT_PAGES = "4000";

    private static final String FULL = "the disk is full; make room, then it works again";
    private static final String READ_ONLY =
            "it cannot be written; the disk or the file is read-only";

    private final Path file;

    private SqliteDatabase(Path file) {
        this.file = file;
    }

    static SqliteDatabase open(Path file) {
        SqliteDatabase database = new SqliteDatabase(file.toAbsolutePath());
        try {
            database.createFile();
            database.prepare();
        } catch (SQLException | IOException e) {
            throw database.problem(e);
        }
        return database;
    }

    /** SQLite gives the files that it makes beside this one the same permissions. */
    private void createFile() throws IOException {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        Path folder = file.getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            Files.createDirectories(folder, ownerOnly(posix, "rwx------"));
        }
        try {
            Files.createFile(file, ownerOnly(posix, "rw-------"));
        } catch (FileAlreadyExistsException e) {
            if (!Files.exists(file) && Files.isSymbolicLink(file)) {
                // A link to what is not there yet: SQLite would make it for everybody to read.
                Path target = file.resolveSibling(Files.readSymbolicLink(file));
                Files.createFile(target, ownerOnly(posix, "rw-------"));
            }
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

    /** Of those who make a store at the same time, SQLite lets only one wait for another. */
    private void prepare() throws SQLException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BUSY_MILLIS);
        while (true) {
            try (Connection connection = connect()) {
                prepare(connection);
                return;
            } catch (SQLiteException e) {
                if (kind(e) != SQLiteErrorCode.SQLITE_BUSY || System.nanoTime() > end) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
    }

    private void prepare(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("BEGIN IMMEDIATE");
            int version = version(statement);
            if (version > Schema.VERSION) {
                throw new NotKept(
                        file
                                + " was made by a newer version of this software (tables of version "
                                + version
                                + ", known is "
                                + Schema.VERSION
                                + "): use that, or another file");
            }
            if (version == 0) {
                Schema.create(connection, "sqlite.sql");
                statement.execute("PRAGMA user_version = " + Schema.VERSION);
            }
            statement.execute("COMMIT");
        }
    }

    private static int version(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("PRAGMA user_version")) {
            row.next();
            return row.getInt(1);
        }
    }

    private Connection connect() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(BUSY_MILLIS);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        config.setPragma(SQLiteConfig.Pragma.SECURE_DELETE, "true");
        config.setPragma(SQLiteConfig.Pragma.WAL_AUTOCHECKPOINT, CHECKPOINT_PAGES);
        // As an address, so that no character of the path means something to the driver.
        return config.createConnection("jdbc:sqlite:" + file.toUri());
    }

    @Override
    public Ledger ledger() throws SQLException {
        return new SqliteLedger(connect());
    }

    @Override
    public Connection reading() throws SQLException {
        Connection connection = connect();
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA query_only = ON");
        }
        return connection;
    }

    @Override
    public News news() throws SQLException {
        return new SqliteNews(reading());
    }

    @Override
    public NotKept closed() {
        return new NotKept("The trace store " + file + " is closed");
    }

    @Override
    public NotKept problem(Throwable cause) {
        return new NotKept("The trace store " + file + ": " + reason(cause), cause);
    }

    private String reason(Throwable cause) {
        return switch (cause) {
            case SQLiteException problem -> reason(problem);
            case FileAlreadyExistsException taken -> taken.getFile() + " is a file, and no folder";
            case AccessDeniedException refused -> "there is no permission for " + refused.getFile();
            case IOException problem -> "the file cannot be made (" + problem + ")";
            default -> cause.toString();
        };
    }

    private String reason(SQLiteException problem) {
        return switch (kind(problem)) {
            case SQLITE_FULL -> FULL;
            case SQLITE_READONLY -> READ_ONLY;
            case SQLITE_CANTOPEN ->
                    Files.isWritable(file)
                            ? "it cannot be opened; see whether its folder may be written"
                            : READ_ONLY;
            case SQLITE_BUSY, SQLITE_LOCKED ->
                    "another process has locked it for too long; see who uses it, and try again";
            case SQLITE_CORRUPT, SQLITE_NOTADB ->
                    "it is damaged, or no trace store (" + problem.getMessage() + ")";
            case SQLITE_IOERR ->
                    // The memory that processes share is a file too, and fails so for want of room.
                    problem.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE
                            ? FULL
                            : "the disk failed (" + problem.getMessage() + ")";
            default -> problem.toString();
        };
    }

    /** The low byte is the kind of error, the rest says where it happened. */
    private static SQLiteErrorCode kind(SQLiteException problem) {
        return SQLiteErrorCode.getErrorCode(problem.getResultCode().code & 0xff);
    }
}
