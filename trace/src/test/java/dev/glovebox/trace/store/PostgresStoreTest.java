package dev.glovebox.trace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.conformance.Chain;
import dev.glovebox.trace.conformance.PostgresServer;
import dev.glovebox.trace.conformance.StoreKit;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
