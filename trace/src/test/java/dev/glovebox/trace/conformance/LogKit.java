package dev.glovebox.trace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.LogAppend;
import dev.glovebox.trace.spi.LogLeaf;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.Signed;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The log grows at its end only, and tells what it does not know yet. */
interface LogKit extends Medium {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Signed head(String text) {
        return new Signed(bytes("head " + text), "signature " + text);
    }

    private static Optional<String> statement(Optional<Signed> head) {
        return head.map(signed ->
                new String(signed.statement(), StandardCharsets.UTF_8) + ", " + signed.signature());
    }

    private static LogAppend leaves(long size, Map<String, Long> noted, String... leaves) {
        return new LogAppend(
                size,
                Stream.of(leaves)
                        .map(leaf -> new LogLeaf(bytes(leaf), "", Optional.empty()))
                        .toList(),
                head(String.join("+", leaves)),
                noted);
    }

    @Test
    default void theLogGrowsAtItsEnd() {
        try (TraceStore store = open()) {
            assertThat(store.leafCount()).isZero();
            assertThat(store.head()).isEmpty();
            assertThat(store.headCovering(0)).isEmpty();
            assertThat(store.leaves(0, 10)).isEmpty();

            assertThat(store.extend(leaves(1, Map.of(), "early"))).isFalse();
            assertThat(store.extend(leaves(0, Map.of(), "a", "b"))).isTrue();
            assertThat(store.extend(leaves(0, Map.of(), "rival"))).isFalse();
            assertThat(store.extend(leaves(1, Map.of(), "rival"))).isFalse();
            assertThat(store.extend(leaves(2, Map.of(), "c"))).isTrue();
        }
        try (TraceStore store = open()) {
            assertThat(store.leafCount()).isEqualTo(3);
            assertThat(store.leaves(0, 10)).containsExactly(bytes("a"), bytes("b"), bytes("c"));
            assertThat(store.leaves(1, 1)).containsExactly(bytes("b"));
            assertThat(statement(store.head())).contains("head c, signature c");
            assertThat(statement(store.headCovering(0))).contains("head a+b, signature a+b");
            assertThat(statement(store.headCovering(2))).contains("head a+b, signature a+b");
            assertThat(statement(store.headCovering(3))).contains("head c, signature c");
            assertThat(store.headCovering(4)).isEmpty();
        }
    }

    @Test
    default void leavesAreFoundByTheRunThatTheyName() {
        List<LogLeaf> leaves =
                List.of(
                        new LogLeaf(bytes("a0"), "a", Optional.empty()),
                        new LogLeaf(bytes("b0"), "b", Optional.of(bytes("first block"))),
                        new LogLeaf(bytes("key"), "", Optional.empty()),
                        new LogLeaf(bytes("a1"), "a", Optional.of(bytes("second block"))));
        try (TraceStore store = open()) {
            assertThat(store.blocks()).isEmpty();
            store.extend(new LogAppend(0, leaves.subList(0, 1), head("one"), Map.of()));
            store.extend(new LogAppend(1, leaves.subList(1, 4), head("two"), Map.of()));
            assertThat(store.extend(new LogAppend(1, leaves, head("late"), Map.of()))).isFalse();
        }
        try (TraceStore store = open()) {
            assertThat(store.leavesOf("a")).containsOnlyKeys(0L, 3L);
            assertThat(store.leavesOf("a").get(3L)).isEqualTo(bytes("a1"));
            assertThat(store.leavesOf("b")).containsOnlyKeys(1L);
            assertThat(store.leavesOf("")).containsOnlyKeys(2L);
            assertThat(store.leavesOf("no-such-run")).isEmpty();
            assertThat(store.leavesOf("not\0possible")).isEmpty();
            assertThat(store.blocks()).containsExactly(bytes("first block"), bytes("second block"));
        }
    }

    @Test
    default void ofTwoWhoExtendTheLogAtTheSameTimeOneDoes() throws Exception {
        int size = 200;
        try (TraceStore one = open();
                TraceStore other = open();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> extend(one, size, "first"));
            var second = threads.submit(() -> extend(other, size, "second"));
            assertThat(first.get() + second.get()).isEqualTo(one.leafCount());
            List<byte[]> leaves = one.leaves(0, 1_000);
            assertThat(
                            leaves.stream()
                                    .filter(leaf ->
                                            new String(leaf, StandardCharsets.UTF_8)
                                                    .equals("first"))
                                    .count())
                    .isEqualTo(first.get());
        }
    }

    private static long extend(TraceStore store, int size, String who) {
        long extended = 0;
        for (long now = store.leafCount(); now < size; now = store.leafCount()) {
            if (store.extend(leaves(now, Map.of(), who))) {
                extended++;
            }
        }
        return extended;
    }

    @Test
    default void runsAreUnnotedUntilTheLogKnowsTheirBeginningAndTheirEnd() {
        try (TraceStore store = open()) {
            assertThat(store.unnoted(10)).isEmpty();
            Chain one = new Chain("one");
            Chain two = new Chain("two");
            store.append(one.start("k", "t")).join();
            store.append(two.start("k", "t")).join();
            assertThat(store.unnoted(10).stream().map(RunRow::run)).containsExactly("one", "two");
            assertThat(store.unnoted(1)).hasSize(1);

            store.extend(leaves(0, Map.of("one", 0L, "two", 0L), "x", "y"));
            assertThat(store.unnoted(10)).isEmpty();
            assertThat(store.run("one").orElseThrow().noted()).isEqualTo(OptionalLong.of(0));

            store.append(one.note("more")).join();
            assertThat(store.unnoted(10)).isEmpty();
            store.append(one.finish("Completed")).join();
            assertThat(store.unnoted(10)).containsExactly(store.run("one").orElseThrow());

            assertThat(store.extend(leaves(0, Map.of("one", 2L), "late"))).isFalse();
            assertThat(store.unnoted(10)).hasSize(1);
            store.extend(leaves(2, Map.of("one", 2L), "z"));
            assertThat(store.unnoted(10)).isEmpty();

            Append redaction = one.next(new Event.BlobRedacted(Entry.NOTHING, "asked"));
            store.append(redaction).join();
            assertThat(store.unnoted(10)).containsExactly(store.run("one").orElseThrow());
            store.extend(leaves(3, Map.of("one", 3L), "redacted"));
            assertThat(store.unnoted(10)).isEmpty();

            store.extend(leaves(4, Map.of("one", 0L, "no-such-run", 3L), "again"));
            assertThat(store.run("one").orElseThrow().noted()).isEqualTo(OptionalLong.of(3));
            assertThat(store.unnoted(10)).isEmpty();
        }
    }

    @Test
    default void replacementsOfKeysAreKeptInTheirOrder() {
        try (TraceStore store = open()) {
            assertThat(store.rotations()).isEmpty();
            store.rotate(head("one"));
            store.rotate(head("two"));
        }
        try (TraceStore store = open()) {
            assertThat(store.rotations().stream().map(Signed::signature))
                    .containsExactly("signature one", "signature two");
            assertThat(store.rotations().getFirst().statement()).isEqualTo(bytes("head one"));
        }
    }
}
