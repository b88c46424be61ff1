package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.agent.support.WordEmbedder;
import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.conformance.PostgresServer;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Memories in PostgreSQL. */
class PostgresMemoryTest extends MemoryKit {

    private DataSource source;

    @BeforeEach
    void anEmptyDatabase() {
        PostgresServer server = PostgresServer.shared();
        source = source(server.freshDatabase(), server.user(), server.password());
    }

    private static DataSource source(String url, String user, String password) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        source.setUser(user);
        source.setPassword(password);
        return source;
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
            PostgresServer.shared()
                    .administer(
                            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                    + " WHERE datname LIKE 'test_%'");
            assertThatThrownBy(() -> memory.remember(new Fact("lost", "x")))
                    .isInstanceOf(NotKept.class);
            memory.remember(new Fact("after", "x"));
            assertThat(memory.recall("after", 5)).hasSize(2);
        }
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        assertThatThrownBy(() ->
                        Memories.inPostgres(
                                source("jdbc:postgresql://127.0.0.1:1/none", "a", "b"),
                                new WordEmbedder()))
                .isInstanceOf(NotKept.class)
                .hasMessageContaining("PostgreSQL");
    }
}
