package dev.glovebox.trace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.Digests;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Content is kept once, of any size, and is gone when it is erased. */
interface BlobKit extends Medium {

    private static Blob text(String text) {
        return Blob.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertKept(TraceStore store, Blob blob) {
        Blob kept = store.blob(blob.digest()).orElseThrow();
        assertThat(kept.digest()).isEqualTo(blob.digest());
        assertThat(kept.content()).isEqualTo(blob.content());
        assertThat(kept.salt()).isEqualTo(blob.salt());
    }

    @Test
    default void contentIsKeptWithTheRecordsThatNameIt() {
        Blob open = text("for everybody");
        Blob secret = Blob.salted("for few".getBytes(StandardCharsets.UTF_8));
        try (TraceStore store = open()) {
            store.append(new Chain("a-run").note(open, secret)).join();
        }
        try (TraceStore store = open()) {
            assertKept(store, open);
            assertKept(store, secret);
            assertThat(store.blob(Digests.hex(new byte[] {1}))).isEmpty();
            assertThat(store.blob("no digest")).isEmpty();
        }
    }

    @Test
    default void contentIsKeptOnceForAllRunsThatNameIt() {
        Blob blob = text("shared");
        try (TraceStore store = open()) {
            for (int i = 0; i < 3; i++) {
                store.append(new Chain("run-" + i).note(blob)).join();
            }
            store.append(new Chain("without").note(text("something else"))).join();
            assertKept(store, blob);
            assertThat(store.referring(blob.digest())).containsExactly("run-0", "run-1", "run-2");
            assertThat(store.referring(Digests.hex(new byte[] {1}))).isEmpty();
            assertThat(store.referring("no digest")).isEmpty();
        }
    }

    @Test
    default void contentOfARefusedRecordIsNotKept() {
        Blob blob = text("of the loser");
        try (TraceStore store = open()) {
            Chain chain = new Chain("a-run");
            Chain rival = chain.fork();
            store.append(chain.note("first")).join();
            assertThat(store.append(rival.note(blob)).handle((done, problem) -> problem).join())
                    .isNotNull();
            assertThat(store.blob(blob.digest())).isEmpty();
            assertThat(store.referring(blob.digest())).isEmpty();
        }
    }

    @Test
    default void erasedContentIsGoneAndWhatNamesItStays() {
        Blob erased = Blob.salted("secret".getBytes(StandardCharsets.UTF_8));
        Blob other = text("stays");
        try (TraceStore store = open()) {
            Chain chain = new Chain("a-run");
            store.append(chain.note(erased, other)).join();
            store.erase(erased.digest());
            store.erase(Digests.hex(new byte[] {1}));
            store.erase("no digest");

            assertThat(store.blob(erased.digest())).isEmpty();
            assertThat(store.referring(erased.digest())).containsExactly("a-run");
            assertKept(store, other);
            assertThat(Chain.unbroken(store, "a-run")).hasSize(1);
            store.append(chain.note(erased)).join();
            assertKept(store, erased);
        }
    }

    @Test
    default void contentOfAnySizeIsKept() {
        Random random = new Random(1);
        try (TraceStore store = open()) {
            Chain chain = new Chain("a-run");
            int mebibyte = 1 << 20;
            for (int size : new int[] {0, 1, mebibyte - 1, mebibyte, mebibyte + 1, 3 * mebibyte}) {
                byte[] content = new byte[size];
                random.nextBytes(content);
                Blob blob = Blob.salted(content);
                store.append(chain.note(blob)).join();
                assertKept(store, blob);
            }
        }
    }

    @Test
    default void aHundredMegabytesAreKeptAndErased() {
        byte[] content = new byte[100_000_000];
        new Random(1).nextBytes(content);
        Blob blob = Blob.of(content);
        try (TraceStore store = open()) {
            Chain chain = new Chain("a-run");
            store.append(chain.note(blob)).join();
            store.append(chain.note(blob)).join();
            assertKept(store, blob);
            store.erase(blob.digest());
            assertThat(store.blob(blob.digest())).isEmpty();
        }
    }
}
