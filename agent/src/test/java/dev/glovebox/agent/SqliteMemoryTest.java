package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.agent.support.WordEmbedder;
import dev.glovebox.trace.NotKept;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memories in a file. */
class SqliteMemoryTest extends MemoryKit {

    @TempDir Path folder;

    @Override
    MemoryDatabase database() {
        return new SqliteMemory(folder.resolve("memory.db"), SqliteMemory.PATIENCE);
    }

    private boolean found(String secret) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                        .contains(secret)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    void whatIsForgottenIsInNoneOfTheFiles() throws IOException {
        try (Memories memories = Memories.inFile(folder.resolve("memory.db"), new WordEmbedder())) {
            Memory memory = memories.tenant("anna");
            for (int i = 0; i < 100; i++) {
                memory.remember(new Fact("harmless " + i, "x"));
            }
            String id = memory.remember(new Fact("xyzzy-4711-plugh", "source-0815"));
            memory.remember(new Fact("after it", "x"));
            assertThat(found("xyzzy-4711-plugh")).isTrue();
            assertThat(memory.forget(id)).isTrue();
            assertThat(found("xyzzy-4711-plugh")).isFalse();
            assertThat(found("source-0815")).isFalse();
            assertThat(found("harmless 7")).isTrue();
        }
    }

    /** Whoever reads at that time may still need the copy in the log. */
    @Test
    void whatCouldNotBeErasedIsErasedWhenItIsForgottenAgain() throws Exception {
        Path file = folder.resolve("memory.db");
        try (Memories memories = Memories.inFile(file, new WordEmbedder(), Duration.ofMillis(100));
                Memories others = Memories.inFile(file, new WordEmbedder())) {
            assertThat(others.tenant("anna").recall("something", 1)).isEmpty();
            Memory memory = memories.tenant("anna");
            String id = memory.remember(new Fact("xyzzy-4711-plugh", "x"));
            try (Connection reader = DriverManager.getConnection("jdbc:sqlite:" + file);
                    Statement statement = reader.createStatement()) {
                statement.execute("BEGIN");
                statement.executeQuery("SELECT count(*) FROM mementos").next();
                assertThatThrownBy(() -> memory.forget(id))
                        .isInstanceOf(NotKept.class)
                        .hasMessageContaining("forget it again");
                assertThat(found("xyzzy-4711-plugh")).isTrue();
            }
            assertThat(memory.forget(id)).isFalse();
            assertThat(found("xyzzy-4711-plugh")).isFalse();
        }
    }

    @Test
    void whoReadsKeepsNobodyFromRememberingWhereSomethingElseGivesWay() throws Exception {
        Path file = folder.resolve("memory.db");
        SqliteMemory database = new SqliteMemory(file, Duration.ofMillis(100));
        try (Memories memories = new Memories(database, new WordEmbedder(), 3, Clock.systemUTC());
                Connection reader = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = reader.createStatement()) {
            Memory memory = memories.tenant("anna");
            memory.remember(new Fact("fact", "x"));
            statement.execute("BEGIN");
            statement.executeQuery("SELECT count(*) FROM mementos").next();
            for (int i = 0; i < 4; i++) {
                memory.remember(new Fact("fact " + i, "x"));
            }
            assertThat(memory.recall("fact", 10)).hasSize(3);
        }
    }

    @Test
    void theFileIsForItsOwnerOnly() throws IOException {
        Path file = folder.resolve("new/memory.db");
        Memories.inFile(file, new WordEmbedder()).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void whoHasNoPatienceDoesNotWaitForWhoHasLockedIt() throws SQLException {
        Path file = folder.resolve("memory.db");
        Memories.inFile(file, new WordEmbedder()).close();
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement()) {
            statement.execute("PRAGMA locking_mode = EXCLUSIVE");
            statement.execute("BEGIN EXCLUSIVE");
            assertThatThrownBy(
                            () -> Memories.inFile(file, new WordEmbedder(), Duration.ofMillis(100)))
                    .isInstanceOf(NotKept.class)
                    .hasMessageContaining("another process has locked it");
        }
    }

    @Test
    void aFileThatIsNoMemoryIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "no database ".repeat(1_000));
        assertThatThrownBy(() -> Memories.inFile(file, new WordEmbedder()))
                .isInstanceOf(NotKept.class)
                .hasMessageContaining("a.txt")
                .hasMessageContaining("damaged");
    }
}
