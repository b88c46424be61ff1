package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.trace.spi.LogAppend;
import dev.glovebox.trace.spi.LogLeaf;
import dev.glovebox.trace.spi.Signed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody changes what is kept, and perhaps the log with it. */
@SuppressWarnings("NullAway.Init")
class AuditTest {

    @TempDir private Path home;
    private Installation here;
    private String run;
    private String other;
    private byte[] kept;

    @BeforeEach
    void record() {
        here = new Installation(home.resolve("keys"));
        run = here.finished("run", 60);
        other = here.finished("other", 60);
        kept = here.trace.head().orElseThrow();
        here.finished("later", 5);
    }

    @AfterEach
    void close() {
        here.close();
    }

    private void isFound(String named) {
        assertThat(here.trace.verifyAll().exitCode()).isEqualTo(1);
        assertThat(here.trace.verifyAll().sentences()).anyMatch(line -> line.contains(named));
        assertThat(here.trace.verifyAll(kept).exitCode()).isEqualTo(1);
    }

    @Test
    void nothingIsFoundWhereNothingWasDone() {
        assertThat(here.trace.verifyAll(kept).sentences())
                .containsExactly("Intact: 3 runs, 6 leaves of the log.");
        here.start("goes on");
        assertThat(here.trace.verifyAll(kept).exitCode()).isEqualTo(3);
    }

    @Test
    void aRunThatWasRemovedIsNamed() {
        here.store.runs.remove(run);

        isFound(run + ": Tampered with: the run " + run + " was removed");
        assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Tampered.class);
    }

    @Test
    void aRunThatWasCutIsNamed() {
        here.store.tape(run).subList(30, 60).clear();

        isFound(run);
        assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Tampered.class);
    }

    @Test
    void aRunThatWasRewrittenWithAllItsHashesIsNamed() {
        ExportLines lines = new ExportLines(here.export(run));
        lines.change(7, record -> record.put("at", Entry.read(lines.lines().get(6)).at()));
        lines.rechained();
        here.store.put(run, lines.lines().subList(1, 61));

        isFound(run + ": Tampered with: record 59: the seal of leaf 1 is about another record");
    }

    @Test
    void runsThatChangedPlacesAreNamed() {
        MemoryStore.Records records = here.store.runs.remove(run);
        here.store.runs.put(run, here.store.runs.remove(other));
        here.store.runs.put(other, records);

        isFound(run);
        isFound(other);
    }

    @Test
    void aBlobThatWasChangedOrRemovedIsNamed() {
        String input = Digests.hex(Installation.utf8("input of run"));
        here.store.blobs.put(
                input, new Blob(input, Installation.utf8("input of fun"), new byte[0]));
        isFound(run + ": Tampered with: record 0: the blob " + input + " has another digest");
        here.store.blobs.remove(input);
        isFound(run + ": Tampered with: record 0: the blob " + input + " is missing");
    }

    @Test
    void aLeafThatWasChangedIsFound() {
        here.store.leaves.set(0, here.store.leaves.get(2));

        isFound("the leaves of the log are not those that its head covers");
        assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Tampered.class);
    }

    @Test
    void aLogThatWasCutIsFound() {
        here.store.leaves.removeLast();

        isFound("the log has 5 leaves, and its head covers 6");
    }

    @Test
    void anOldHeadWithAnotherSignatureIsFound() {
        Signed first = here.store.heads.firstEntry().getValue();
        here.store.heads.put(
                here.store.heads.firstKey(),
                new Signed(first.statement(), here.store.head().orElseThrow().signature()));

        isFound("is not signed by its key");
    }

    @Test
    void anOldHeadThatIsNoneAnyMoreIsFound() {
        Signed first = here.store.heads.firstEntry().getValue();
        here.store.heads.put(
                here.store.heads.firstKey(),
                new Signed("{}".getBytes(StandardCharsets.UTF_8), first.signature()));

        isFound("The head has no");
    }

    /** He has the key as well: nothing is left that would be wrong. But somebody kept a head. */
    @Test
    void onlyAHeadThatWasKeptShowsThatTheOwnerRewroteEverything() {
        SigningKey key = new SigningKeys(here.keys).current();
        String log = key.id();
        List<byte[]> leaves = new ArrayList<>(here.store.leaves);
        leaves.removeIf(
                leaf -> Leaf.read(leaf) instanceof Leaf.OfRecord of && of.run().equals(run));
        here.store.runs.remove(run);
        here.store.leaves.clear();
        here.store.heads.clear();
        Frontier frontier = new Frontier();
        leaves.forEach(leaf -> frontier.append(MerkleTree.leafHash(leaf)));
        String root = HexFormat.of().formatHex(frontier.root());
        TreeHead head = new TreeHead(1, log, log, root, frontier.size());
        Signed signed = key.sign(TreeHead.PREFIX, head.bytes());
        List<LogLeaf> rewritten =
                leaves.stream().map(leaf -> new LogLeaf(leaf, "", Optional.empty())).toList();
        here.store.extend(new LogAppend(0, rewritten, signed, Map.of()));

        assertThat(here.trace.verifyAll().exitCode()).isZero();
        assertThat(here.trace.verifyAll(kept).sentences())
                .containsExactly(
                        "Tampered with: the log was rewritten: its first 4 leaves are not those"
                                + " that were kept.");
        here.store.leaves.subList(2, 4).clear();
        here.store.heads.clear();
        Frontier shorter = new Frontier();
        here.store.leaves.forEach(leaf -> shorter.append(MerkleTree.leafHash(leaf)));
        TreeHead cut =
                new TreeHead(1, log, log, HexFormat.of().formatHex(shorter.root()), shorter.size());
        here.store.heads.put(2L, key.sign(TreeHead.PREFIX, cut.bytes()));
        assertThat(here.trace.verifyAll(kept).sentences())
                .contains("Tampered with: the log was cut: it has 2 leaves, and had 4.");
    }

    @Test
    void aHeadOfAnotherLogOrAForgedOneIsSaidToBe() {
        try (Installation there = new Installation(home.resolve("theirs"))) {
            there.finished("run", 5);
            byte[] theirs = there.trace.head().orElseThrow();
            assertThat(here.trace.verifyAll(theirs).sentences())
                    .anyMatch(line -> line.contains("the head that was kept is of the log"));
        }
        byte[] forged = kept.clone();
        int digit = new String(kept, StandardCharsets.UTF_8).indexOf("signature") + 20;
        forged[digit] = (byte) (forged[digit] == '0' ? '1' : '0');
        assertThat(here.trace.verifyAll(forged).sentences())
                .containsExactly("Tampered with: the head that was kept is not signed by its key.");
        assertThatThrownBy(() -> here.trace.verifyAll(Installation.utf8("{}")))
                .isInstanceOf(Malformed.class);
    }
}
