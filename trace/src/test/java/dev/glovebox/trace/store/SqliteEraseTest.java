package dev.glovebox.trace.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.conformance.Chain;
import dev.glovebox.trace.spi.TraceStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is erased is in none of the files any more, not even where nobody would look. */
class SqliteEraseTest {

    @TempDir Path folder;

    private final Random random = new Random(1);

    private TraceStore open() {
        return SqliteStore.open(folder.resolve("trace.db"));
    }

    /** Content that nothing else looks like. */
    private Blob secret(int bytes) {
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        return Blob.salted(content);
    }

    /** Whether any 16 bytes in a row, taken every 1,000 bytes, of content or salt are found. */
    private boolean found(Blob blob) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String bytes = latin(Files.readAllBytes(file));
                if (bytes.contains(latin(blob.salt()))) {
                    return true;
                }
                String content = latin(blob.content());
                for (int from = 0; from + 16 <= content.length(); from += 1_000) {
                    if (bytes.contains(content.substring(from, from + 16))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Test
    void smallContentIsNowhereAfterwards() throws IOException {
        try (TraceStore store = open()) {
            Chain chain = new Chain("a-run");
            List<Blob> blobs = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                blobs.add(secret(20 + random.nextInt(600)));
                store.append(chain.note(blobs.getLast())).join();
            }
            Collections.shuffle(blobs, random);
            assertThat(found(blobs.getFirst())).isTrue();
            for (Blob blob : blobs.subList(0, 20)) {
                assertThat(store.erase(blob.digest(), Set.of("a-run"))).isTrue();
                assertThat(found(blob)).isFalse();
            }
            assertThat(found(blobs.getLast())).isTrue();
        }
    }

    @Test
    void largeContentIsNowhereAfterwards() throws IOException {
        Blob blob = secret(50_000);
        Blob neighbour = secret(50_000);
        try (TraceStore store = open()) {
            store.append(new Chain("a-run").note(blob, neighbour)).join();
        }
        try (TraceStore store = open()) {
            assertThat(found(blob)).isTrue();
            assertThat(store.erase(blob.digest(), Set.of("a-run"))).isTrue();
            assertThat(found(blob)).isFalse();
            assertThat(found(neighbour)).isTrue();
        }
        assertThat(found(blob)).isFalse();
    }

    @Test
    void othersWhoReadAndWriteDoNotKeepItAlive() throws Exception {
        try (TraceStore store = open();
                TraceStore other = open();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var work =
                    threads.submit(() -> {
                        Chain chain = new Chain("other");
                        while (chain.size() < 500) {
                            other.append(chain.note("text")).join();
                            other.lines("other", 0, 1_000);
                        }
                    });
            for (int i = 0; i < 10; i++) {
                Blob blob = secret(10_000);
                store.append(new Chain("run-" + i).note(blob)).join();
                assertThat(store.erase(blob.digest(), Set.of("run-" + i))).isTrue();
                assertThat(found(blob)).isFalse();
            }
            work.get();
        }
    }
}
