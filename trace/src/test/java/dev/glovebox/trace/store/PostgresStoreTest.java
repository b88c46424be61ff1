package dev.glovebox.trace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.conformance.Chain;
import dev.glovebox.trace.conformance.PostgresServer;
import dev.glovebox.trace.conformance.StoreKit;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresStoreTest extends StoreKit {

    private PostgresServer server;
    private String url;

    @BeforeEach
    void anEmptyDatabase() {
        server = PostgresServer.shared();
        url = server.freshDatabase();
    }

    @Override
    public TraceStore open() {
        return PostgresStore.open(url, server.user(), server.password());
    }

    @Override
    public String address() {
        return url + " " + server.user() + " " + server.password();
    }

    @Test
    void tablesOfANewerVersionAreRefused() throws SQLException {
        open().close();
        try (Connection connection =
                        DriverManager.getConnection(url, server.user(), server.password());
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE glovebox_trace.version SET version = 99");
        }
        assertThatThrownBy(this::open)
                .isInstanceOf(NotKept.class)
                .hasMessageContaining("newer version");
    }

    @Test
    void aServerThatDoesNotLetUsInIsSaid() {
        assertThatThrownBy(() -> PostgresStore.open(url, server.user(), "wrong"))
                .isInstanceOf(NotKept.class)
                .hasMessageContaining("does not let us in");
        assertThatThrownBy(() -> PostgresStore.open("jdbc:postgresql://127.0.0.1:1/none", "a", "b"))
                .isInstanceOf(NotKept.class)
                .hasMessageContaining("cannot be reached");
    }

    /** Nobody else sees yet that the other run refers to it. */
    @Test
    void whoErasesWaitsForThoseWhoAreAboutToReferToIt() throws Exception {
        Blob blob = Blob.of("shared".getBytes(StandardCharsets.UTF_8));
        try (TraceStore store = open();
                Connection other =
                        DriverManager.getConnection(url, server.user(), server.password());
                Statement statement = other.createStatement();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            store.append(new Chain("old").note(blob)).join();
            store.append(new Chain("new").note("nothing yet")).join();
            other.setAutoCommit(false);
            statement.execute(
                    "INSERT INTO glovebox_trace.refs SELECT decode('"
                            + blob.digest()
                            + "', 'hex'), id FROM glovebox_trace.run_rows WHERE name = 'new'");
            var erased = threads.submit(() -> store.erase(blob.digest(), Set.of("old")));
            while (!isWaiting(statement)) {
                assertThat(erased.isDone()).isFalse();
                Thread.sleep(10);
            }
            other.commit();
            assertThat(erased.get()).isFalse();
            assertThat(store.blob(blob.digest())).isPresent();
        }
    }

    private static boolean isWaiting(Statement statement) throws SQLException {
        try (ResultSet rows =
                statement.executeQuery(
                        "SELECT 1 FROM pg_locks WHERE NOT granted"
                                + " AND relation = 'glovebox_trace.refs'::regclass")) {
            return rows.next();
        }
    }

    /** With so many rows that reading them all, or all the newest, would not be cheaper. */
    @Test
    void listsAreReadInTheOrderOfAnIndex() throws SQLException {
        open().close();
        try (Connection connection =
                        DriverManager.getConnection(url, server.user(), server.password());
                Statement statement = connection.createStatement()) {
            statement.execute("SET search_path TO " + PostgresDatabase.SCHEMA);
            statement.execute(
                    "INSERT INTO run_rows (name, kind, title, folded, started_at, finished_at,"
                            + " end_seq, stop, noted, records, last_hash) SELECT 'run-' || i,"
                            + " convert_to('kind ' || i % 1000, 'UTF8'), 'title', 'title', i, i, 9,"
                            + " CASE WHEN i % 1000 > 0 THEN convert_to('stop ' || i % 1000, 'UTF8') END,"
                            + " 9, 10, '' FROM generate_series(1, 50000) AS i");
            statement.execute(
                    "INSERT INTO leaves (position, leaf, run, block)"
                            + " SELECT i, 'leaf', 'run-' || i / 2,"
                            + " CASE WHEN i % 256 = 255 THEN 'hash'::bytea END"
                            + " FROM generate_series(0, 49999) AS i");
            statement.execute(
                    "INSERT INTO refs SELECT decode(md5(i::text), 'hex'), i"
                            + " FROM generate_series(1, 50000) AS i");
            statement.execute("ANALYZE");
            RunRow row =
                    new RunRow(
                            "run-40000",
                            "",
                            "",
                            40_000,
                            OptionalLong.empty(),
                            "",
                            1,
                            "",
                            OptionalLong.empty());
            Optional<String> none = Optional.empty();
            for (Optional<RunRow> before : List.of(Optional.<RunRow>empty(), Optional.of(row))) {
                assertIndexed(connection, "runs_newest", new RunQuery(none, none, none, before, 9));
                assertIndexed(
                        connection,
                        "runs_newest",
                        new RunQuery(none, none, Optional.of("title"), before, 9));
                assertIndexed(
                        connection,
                        "runs_by_kind",
                        new RunQuery(Optional.of("kind 3"), none, none, before, 9));
                assertIndexed(
                        connection,
                        "runs_by_stop",
                        new RunQuery(none, Optional.of("stop 3"), none, before, 9));
                assertIndexed(
                        connection,
                        "runs_open",
                        new RunQuery(none, Optional.of(""), none, before, 9));
            }
            assertThat(plan(connection, Queries.UNNOTED, 9)).contains("runs_unnoted");
            assertThat(plan(connection, Log.LEAVES_OF, "run-7")).contains("leaves_by_run");
            assertThat(plan(connection, Log.BLOCKS)).contains("leaves_blocks");
            assertThat(plan(connection, Queries.REFERRING, new byte[16]))
                    .contains("refs_pkey")
                    .doesNotContain("Seq Scan");
        }
    }

    private static void assertIndexed(Connection connection, String index, RunQuery query)
            throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("EXPLAIN " + Queries.listing(query))) {
            Queries.bind(query, select);
            assertThat(plan(select)).contains("using " + index).doesNotContain("Sort");
        }
    }

    private static String plan(Connection connection, String sql, Object... values)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("EXPLAIN " + sql)) {
            for (int i = 0; i < values.length; i++) {
                select.setObject(i + 1, values[i]);
            }
            return plan(select);
        }
    }

    private static String plan(PreparedStatement select) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                plan.append(rows.getString(1)).append('\n');
            }
        }
        return plan.toString();
    }

    @Test
    void aStoreSurvivesThatTheServerEndsItsConnections() throws SQLException {
        try (TraceStore store = open()) {
            Chain chain = new Chain("a-run");
            store.append(chain.note("before")).join();
            assertThat(store.run("a-run")).isPresent();
            server.administer(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"
                            + url.substring(url.lastIndexOf('/') + 1)
                            + "'");
            assertThat(store.run("a-run")).isPresent();
            Chain lost = chain.fork();
            assertThatThrownBy(() -> store.append(lost.note("lost")).join())
                    .hasCauseInstanceOf(NotKept.class);
            store.append(chain.note("after")).join();
            assertThat(Chain.unbroken(store, "a-run")).hasSize(2);
        }
    }
}
