package dev.glovebox.trace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.Digests;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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
            assertThat(store.erase(erased.digest(), Set.of("a-run"))).isTrue();
            assertThat(store.erase(Digests.hex(new byte[] {1}), Set.of())).isTrue();
            assertThat(store.erase("no digest", Set.of())).isTrue();

            assertThat(store.blob(erased.digest())).isEmpty();
            assertThat(store.referring(erased.digest())).containsExactly("a-run");
            assertKept(store, other);
            assertThat(Chain.unbroken(store, "a-run")).hasSize(1);
            store.append(chain.note(erased)).join();
            assertKept(store, erased);
        }
    }

    @Test
    default void whatAnotherRunHasNamedInTheMeantimeIsNotErased() {
        Blob blob = text("shared");
        try (TraceStore one = open();
                TraceStore other = open()) {
            one.append(new Chain("old").note(blob)).join();
            Set<String> checked = one.referring(blob.digest());
            other.append(new Chain("new").note(blob)).join();

            assertThat(one.erase(blob.digest(), checked)).isFalse();
            assertKept(one, blob);
            assertThat(one.erase(blob.digest(), Set.of("new", "old", "another"))).isTrue();
            assertThat(other.blob(blob.digest())).isEmpty();
        }
    }

    @Test
    default void aRunThatComesWhileContentIsErasedHasItAfterwards() {
        Blob blob = text("shared");
        try (TraceStore one = open();
                TraceStore other = open()) {
            Set<String> checked = Set.of();
            for (int i = 0; i < 100; i++) {
                String run = "run-" + i;
                Set<String> before = checked;
                CompletableFuture<Void> append = other.append(new Chain(run).note(blob));
                one.erase(blob.digest(), before);
                append.join();
                assertKept(one, blob);
                checked = one.referring(blob.digest());
                assertThat(checked).hasSize(i + 1);
            }
        }
    }

    @Test
    default void whatRefersToErasedContentWithoutBringingItIsRefused() {
        Blob blob = text("of another run");
        try (TraceStore store = open()) {
            store.append(new Chain("old").note(blob)).join();
            Chain chain = new Chain("new");
            store.append(referring(chain, blob)).join();
            assertThat(store.erase(blob.digest(), Set.of("old", "new"))).isTrue();

            assertThatThrownBy(() -> store.append(referring(chain.fork(), blob)).join())
                    .hasCauseInstanceOf(NotKept.class);
            assertThatThrownBy(() -> store.append(referring(new Chain("newer"), blob)).join())
                    .hasCauseInstanceOf(NotKept.class);
            assertThat(Chain.unbroken(store, "new")).hasSize(1);
            assertThat(store.run("newer")).isEmpty();
            store.append(chain.note(blob)).join();
            assertKept(store, blob);
        }
    }

    private static Append referring(Chain chain, Blob blob) {
        return chain.next(
                List.of(), Set.of(blob.digest()), new Event.Noted("a", chain.size(), "refers"));
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
            assertThat(store.erase(blob.digest(), Set.of("a-run"))).isTrue();
            assertThat(store.blob(blob.digest())).isEmpty();
        }
    }
}
