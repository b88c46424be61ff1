package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.agent.support.WordEmbedder;
import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.conformance.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Memories in PostgreSQL. */
class PostgresMemoryTest extends MemoryKit {

    private PostgresServer server;
    private DataSource source;

    @BeforeEach
    void anEmptyDatabase() {
        server = PostgresServer.shared();
        source = source(server.freshDatabase());
    }

    private PGSimpleDataSource source(String url) {
        PGSimpleDataSource made = new PGSimpleDataSource();
        made.setUrl(url);
        made.setUser(server.user());
        made.setPassword(server.password());
        return made;
    }

    @Override
    MemoryDatabase database() {
        return new PostgresMemory(source);
    }

    @Test
    void aConnectionThatWasCutIsMadeAgain() throws SQLException {
        try (Memories memories = Memories.inPostgres(source, new WordEmbedder())) {
            Memory memory = memories.tenant("anna");
            memory.remember(new Fact("before", "x"));
            server.administer(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE datname LIKE 'test_%'");
            assertThatThrownBy(() -> memory.remember(new Fact("lost", "x")))
                    .isInstanceOf(NotKept.class);
            memory.remember(new Fact("after", "x"));
            assertThat(memory.recall("after", 5)).hasSize(2);
        }
    }

    /** As CREATE INDEX CONCURRENTLY does, for hours. */
    @Test
    void whoWorksOnTheTableKeepsNobodyFromRememberingAndForgetting() throws SQLException {
        PGSimpleDataSource impatient = source(server.freshDatabase());
        impatient.setOptions("-c lock_timeout=1s");
        try (Memories memories =
                        new Memories(
                                new PostgresMemory(impatient),
                                new WordEmbedder(),
                                3,
                                Clock.systemUTC());
                Connection other = impatient.getConnection();
                Statement statement = other.createStatement()) {
            Memory memory = memories.tenant("anna");
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE glovebox_memory.mementos IN SHARE UPDATE EXCLUSIVE MODE");
            for (int i = 0; i < 4; i++) {
                memory.remember(new Fact("fact " + i, "x"));
            }
            String last = memory.remember(new Fact("the last", "x"));
            assertThat(memory.forget("nothing")).isFalse();
            assertThat(memory.forget(last)).isTrue();
            assertThat(memory.recall("fact", 10)).hasSize(2);
        }
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        assertThatThrownBy(() ->
                        Memories.inPostgres(
                                source("jdbc:postgresql://127.0.0.1:1/none"), new WordEmbedder()))
                .isInstanceOf(NotKept.class)
                .hasMessageContaining("PostgreSQL");
    }
}
