package dev.glovebox.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.trace.store.SqliteStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of {@code docs/trace.md}. */
class TraceExamplesTest {

    @Test
    void asALibrary(@TempDir Path home) {
        byte[] input = "a question".getBytes(UTF_8);
        try (Trace trace =
                Trace.open(SqliteStore.open(home.resolve("trace.db")), home.resolve("keys"))) {
            Recorder run = trace.start("demo", "what it is about", input, BlobRef.TEXT);
            run.record(new Event.Noted("node", 1, "durable when this returns"));
            run.finish("completed"); // and sealed
            System.out.println(trace.verify(run.run()).sentence()); // Intact: …
        }
        assertThat(home.resolve("trace.db")).isNotEmptyFile();
    }
}
