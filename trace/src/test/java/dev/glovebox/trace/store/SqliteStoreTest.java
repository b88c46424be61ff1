package dev.glovebox.trace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.Recorder;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.Verdict;
import dev.glovebox.trace.conformance.Chain;
import dev.glovebox.trace.conformance.StoreKit;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest extends StoreKit {

    @TempDir Path folder;

    private Path file() {
        return folder.resolve("trace.db");
    }

    @Override
    public TraceStore open() {
        return SqliteStore.open(file());
    }

    @Override
    public String address() {
        return file().toString();
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file());
    }

    @Test
    void aFolderThatIsAFileIsNamed() throws IOException {
        Path taken = Files.createFile(folder.resolve("taken"));
        assertThatThrownBy(() -> SqliteStore.open(taken.resolve("trace.db")))
                .isInstanceOf(NotKept.class)
                .hasMessageEndingWith(taken + " is a file, and no folder");
    }

    @Test
    void allFilesAreForTheirOwnerOnly() throws IOException {
        Path fresh = folder.resolve("new");
        try (TraceStore store = SqliteStore.open(fresh.resolve("trace.db"))) {
            store.append(new Chain("a-run").note("text")).join();
            assertThat(store.run("a-run")).isPresent();
            try (Stream<Path> files = Files.list(fresh)) {
                assertThat(files.toList())
                        .hasSize(3)
                        .allSatisfy(file -> assertThat(permissions(file)).isEqualTo("rw-------"));
            }
        }
        assertThat(permissions(fresh)).isEqualTo("rwx------");
    }

    @Test
    void whereALinkLeadsTheFileIsForItsOwnerOnlyToo() throws IOException {
        Path elsewhere = folder.resolve("elsewhere.db");
        Path link = Files.createSymbolicLink(folder.resolve("link.db"), elsewhere.getFileName());
        try (TraceStore store = SqliteStore.open(link)) {
            store.append(new Chain("a-run").note("text")).join();
            assertThat(permissions(elsewhere)).isEqualTo("rw-------");
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void aPathMayHaveAnyCharacters() {
        Path odd = folder.resolve("a?mode=ro&b %41;'\"#ü.db");
        try (TraceStore store = SqliteStore.open(odd)) {
            store.append(new Chain("a-run").note("text")).join();
        }
        assertThat(odd).isNotEmptyFile();
    }

    @Test
    void tablesOfANewerVersionAreRefused() throws SQLException {
        open().close();
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version = 99");
        }
        assertThatThrownBy(this::open)
                .isInstanceOf(NotKept.class)
                .hasMessageContaining(file().toString())
                .hasMessageContaining("newer version");
    }

    @Test
    void whatIsNoDatabaseIsRefused() throws IOException {
        Files.writeString(file(), "This is no database. ".repeat(1_000));
        assertThatThrownBy(this::open)
                .isInstanceOf(NotKept.class)
                .hasMessageContaining("no trace store");
        assertThat(file()).content().startsWith("This is no database.");
    }

    @Test
    void whereNoFileCanBeItIsSaid() throws IOException {
        Path notAFolder = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> SqliteStore.open(notAFolder.resolve("trace.db")))
                .isInstanceOf(NotKept.class)
                .hasMessageContaining(notAFolder.toString());
    }

    @Test
    void contentIsStoredOnce() throws SQLException {
        Blob blob = Blob.of(new byte[3_000_000]);
        try (TraceStore store = open()) {
            store.append(new Chain("one").note(blob)).join();
            store.append(new Chain("two").note(blob)).join();
        }
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT sum(length(content)) FROM blobs")) {
            assertThat(row.getLong(1)).isEqualTo(3_000_000);
        }
    }

    @Test
    void listsAreReadInTheOrderOfAnIndex() throws SQLException {
        open().close();
        RunRow row =
                new RunRow("r", "", "", 1, OptionalLong.empty(), "", 1, "", OptionalLong.empty());
        Optional<String> some = Optional.of("x");
        Optional<String> none = Optional.empty();
        for (Optional<RunRow> before :
                Stream.of(Optional.<RunRow>empty(), Optional.of(row)).toList()) {
            assertThat(plan(Queries.listing(new RunQuery(none, none, none, before, 9))))
                    .contains("USING INDEX runs_newest")
                    .doesNotContain("ORDER BY");
            assertThat(plan(Queries.listing(new RunQuery(none, none, some, before, 9))))
                    .contains("USING INDEX runs_newest")
                    .doesNotContain("ORDER BY");
            assertThat(plan(Queries.listing(new RunQuery(some, none, none, before, 9))))
                    .contains("USING INDEX runs_by_kind")
                    .doesNotContain("ORDER BY");
            assertThat(plan(Queries.listing(new RunQuery(none, some, none, before, 9))))
                    .contains("USING INDEX runs_by_stop")
                    .doesNotContain("ORDER BY");
            assertThat(plan(Queries.listing(new RunQuery(none, Optional.of(""), none, before, 9))))
                    .contains("USING INDEX runs_by_stop")
                    .doesNotContain("ORDER BY");
        }
        assertThat(plan(Queries.UNNOTED)).contains("USING INDEX runs_unnoted");
    }

    @Test
    void recordsAreReadByAnIndex() throws SQLException {
        open().close();
        assertThat(plan(Queries.LINES))
                .contains("SEARCH places USING PRIMARY KEY (run=? AND seq>? AND seq<?)")
                .contains("SEARCH appended USING INTEGER PRIMARY KEY (rowid=?)")
                .contains("SEARCH appended USING INTEGER PRIMARY KEY (rowid>?)")
                .doesNotContain("SCAN appended");
    }

    @Test
    void leavesAndBlocksAreFoundByAnIndex() throws SQLException {
        open().close();
        assertThat(plan(Log.LEAVES_OF)).contains("USING INDEX leaves_by_run");
        assertThat(plan(Log.BLOCKS)).contains("USING COVERING INDEX leaves_blocks");
    }

    @Test
    void whoHidesTheLeavesOfARunIsFound() throws SQLException {
        Path keys = folder.resolve("keys");
        String run;
        try (Trace trace = Trace.open(open(), keys)) {
            Recorder recorder = trace.start("test", "run", new byte[0], BlobRef.TEXT);
            run = recorder.run();
            recorder.finish("Completed");
        }
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE leaves SET run = 'another'");
        }
        try (Trace trace = Trace.open(open(), keys)) {
            assertThat(trace.verify(run)).isInstanceOf(Verdict.Intact.class);
            assertThat(trace.verifyAll().sentences())
                    .anyMatch(line -> line.contains("cannot be found by its name"));
        }
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM run_rows");
        }
        try (Trace trace = Trace.open(open(), keys)) {
            assertThat(trace.verify(run)).isInstanceOf(Verdict.Tampered.class);
        }
    }

    private String plan(String sql) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
            while (rows.next()) {
                plan.append(rows.getString("detail")).append('\n');
            }
        }
        return plan.toString();
    }
}
