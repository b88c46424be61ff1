package dev.glovebox.bench;

import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Recorder;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.store.SqliteStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** Records that must survive a power failure: ours, and the same bytes inserted without us. */
public class AppendBenchmark {

    private static final int WRITERS = 64;
    // As long as a time of today.
    private static final long AT = 1_800_000_000_000_000L;

    private static Event event(long ordinal) {
        return new Event.Noted("agent/loop:" + ordinal, ordinal, "x".repeat(100));
    }

    /** An installation of its own. */
    @State(Scope.Benchmark)
    public static class Installation {

        private final Scratch scratch = new Scratch();
        private final Trace trace =
                Trace.open(SqliteStore.open(scratch.file("trace.db")), scratch.file("keys"));

        @TearDown
        public void close() {
            trace.close();
            scratch.close();
        }
    }

    /** One of those who record at the same time, each a run. */
    @State(Scope.Thread)
    public static class Writer {

        private Recorder recorder;
        private long ordinal;

        @Setup(Level.Trial)
        public void start(Installation installation) {
            recorder = installation.trace.start("bench", "append", new byte[0], BlobRef.TEXT);
        }
    }

    /** One record, durable when it returns, by each of many threads. */
    @Benchmark
    @Fork(jvmArgsAppend = "-Djmh.executor=VIRTUAL")
    @Threads(WRITERS)
    public Entry recorder(Writer writer) {
        return writer.recorder.record(event(writer.ordinal++));
    }

    /** A table of the same lines, with the same promises. */
    @State(Scope.Benchmark)
    public static class Table {

        private final Scratch scratch = new Scratch();
        private final List<byte[]> lines = new ArrayList<>();
        private Connection connection;
        private PreparedStatement begin;
        private PreparedStatement insert;
        private PreparedStatement commit;

        @Setup
        public void open() throws SQLException {
            for (int i = 0; i < WRITERS; i++) {
                lines.add(Entry.of("r".repeat(26), 1, AT, Entry.NOTHING, event(i)).bytes());
            }
            connection = DriverManager.getConnection("jdbc:sqlite:" + scratch.file("raw.db"));
            try (Statement statement = connection.createStatement()) {
                statement.execute("PRAGMA journal_mode = WAL");
                statement.execute("PRAGMA synchronous = FULL");
                statement.execute("PRAGMA secure_delete = ON");
                statement.execute("CREATE TABLE lines (id INTEGER PRIMARY KEY, line BLOB)");
            }
            begin = connection.prepareStatement("BEGIN IMMEDIATE");
            insert = connection.prepareStatement("INSERT INTO lines (line) VALUES (?)");
            commit = connection.prepareStatement("COMMIT");
        }

        byte[] line() {
            return lines.getFirst();
        }

        @TearDown
        public void close() throws SQLException {
            connection.close();
            scratch.close();
        }
    }

    /** As many at once as can wait for each other, in one transaction. */
    @Benchmark
    @OperationsPerInvocation(WRITERS)
    public void raw(Table table) throws SQLException {
        table.begin.execute();
        for (byte[] line : table.lines) {
            table.insert.setBytes(1, line);
            table.insert.addBatch();
        }
        table.insert.executeBatch();
        table.commit.execute();
    }
}
