package dev.glovebox.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.trace.store.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of {@code docs/trace.md}. */
class TraceExamplesTest {

    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

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

    @Test
    void everyExampleOfTheDocsIsThisOne() throws IOException {
        String source = bare(text("src/test/java/dev/glovebox/trace/TraceExamplesTest.java"));
        List<String> examples =
                JAVA.matcher(text("../docs/trace.md"))
                        .results()
                        .map(example -> bare(example.group(1)))
                        .toList();
        assertThat(examples).hasSize(1).allSatisfy(one -> assertThat(source).contains(one));
    }

    private static String text(String file) throws IOException {
        return Files.readString(Path.of(file));
    }

    private static String bare(String code) {
        return code.replaceAll("\\s+", "");
    }
}
