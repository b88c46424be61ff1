package dev.glovebox.trace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.conformance.Chain;
import dev.glovebox.trace.conformance.PostgresServer;
import dev.glovebox.trace.conformance.StoreKit;
import dev.glovebox.trace.spi.TraceStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
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
