package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.trace.conformance.StoreInFront;
import dev.glovebox.trace.spi.LogAppend;
import dev.glovebox.trace.spi.Signed;
import dev.glovebox.trace.spi.TraceStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTest {

    @TempDir private Path home;

    private Path keys() {
        return home.resolve("keys");
    }

    private static List<Leaf> leaves(MemoryStore store) {
        return store.leaves.stream().map(Leaf::read).toList();
    }

    private static List<Seals.Mark> marks(MemoryStore store, String run) {
        return leaves(store).stream()
                .filter(leaf -> leaf instanceof Leaf.OfRecord of && of.run().equals(run))
                .map(leaf -> ((Leaf.OfRecord) leaf).mark())
                .toList();
    }

    /** What a process leaves behind that dies before the log was written. */
    private static void forgetTheLog(MemoryStore store) {
        store.leaves.clear();
        store.heads.clear();
        store.noted.clear();
    }

    @Test
    void whatACrashLeftUnsealedIsSealedAtTheNextOpening() {
        MemoryStore store = new MemoryStore();
        String finished;
        String unfinished;
        try (Installation here = new Installation(store, keys())) {
            finished = here.finished("finished", 700);
            unfinished = here.unfinished("unfinished", 5).run();
            here.trace.redact(secretOf(here, finished), "test");
        }
        forgetTheLog(store);
        try (Installation here = new Installation(store, keys())) {
            here.trace.close();

            assertThat(marks(store, finished))
                    .containsExactly(Seals.Mark.START, Seals.Mark.END, Seals.Mark.MARK);
            assertThat(marks(store, unfinished)).containsExactly(Seals.Mark.START);
            assertThat(store.unnoted(10)).isEmpty();
            assertThat(store.heads).hasSize(1);
            assertThat(here.trace.verify(finished)).isInstanceOf(Verdict.Intact.class);
        }
    }

    private static String secretOf(Installation here, String run) {
        List<String> secrets = new ArrayList<>();
        here.trace
                .entries(run, 0)
                .forEach(entry ->
                        entry.references(reference -> {
                            if (reference.salted()) {
                                secrets.add(reference.digest());
                            }
                        }));
        return secrets.getFirst();
    }

    @Test
    void onlyTheEndIsMissingIfOnlyTheEndWasLost() {
        MemoryStore store = new MemoryStore();
        String run;
        try (Installation here = new Installation(store, keys())) {
            run = here.finished("run", 10);
        }
        store.leaves.subList(1, store.leaves.size()).clear();
        store.heads.tailMap(1L, false).clear();
        store.noted.put(run, 0L);
        boolean lostTheHead = store.heads.isEmpty();
        if (lostTheHead) {
            // Both leaves were in one batch: as if none was written.
            forgetTheLog(store);
        }
        try (Installation here = new Installation(store, keys())) {
            here.trace.close();

            assertThat(marks(store, run)).containsExactly(Seals.Mark.START, Seals.Mark.END);
            assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Intact.class);
        }
    }

    @Test
    void aLongRunIsNotedInBetween() {
        try (Installation here = new Installation(keys())) {
            String run = here.finished("run", 2_500);

            assertThat(marks(here.store, run))
                    .containsExactly(
                            Seals.Mark.START, Seals.Mark.MARK, Seals.Mark.MARK, Seals.Mark.END);
            // So a run that is not finished cannot lose all of its tail unseen either.
            Recorder unfinished = here.unfinished("unfinished", 1_500);
            unfinished.record(new Event.Noted("x", 1, "last"));
            here.trace.close();
            here.store.tape(unfinished.run()).subList(900, 1_501).clear();
            assertThat(here.trace.verify(unfinished.run())).isInstanceOf(Verdict.Tampered.class);
        }
    }

    @Test
    void nothingIsNotedThatTheStoreDidNotKeep() {
        try (Installation here = new Installation(keys())) {
            Recorder first = here.unfinished("run", 999);
            Recorder second = here.trace.resume(first.run(), "another");
            assertThatThrownBy(() -> first.record(new Event.Noted("x", 1, "lost")))
                    .isInstanceOf(Conflict.class);
            assertThatThrownBy(() -> first.finish("Completed")).isInstanceOf(Conflict.class);
            second.finish("Completed");

            assertThat(here.trace.verify(second.run())).isInstanceOf(Verdict.Intact.class);
        }
    }

    @Test
    void twoProcessesContinueOneLog() throws InterruptedException {
        MemoryStore store = new MemoryStore();
        ConcurrentLinkedQueue<String> runs = new ConcurrentLinkedQueue<>();
        try (Installation one = new Installation(store, keys());
                Installation two = new Installation(store, keys())) {
            List<Thread> threads = new ArrayList<>();
            for (Installation here : List.of(one, two, one, two)) {
                threads.add(
                        Thread.startVirtualThread(() -> {
                            for (int i = 0; i < 10; i++) {
                                runs.add(here.finished("run " + i, 5));
                            }
                        }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(one.trace.verifyAll().sentences())
                    .containsExactly("Intact: 40 runs, 80 leaves of the log.");
            assertThat(runs)
                    .allSatisfy(run ->
                            assertThat(two.trace.verify(run)).isInstanceOf(Verdict.Intact.class));
        }
    }

    @Test
    void nobodyWaitsForALogThatNobodyWritesAnyMore() {
        TraceStore broken =
                new StoreInFront(new MemoryStore()) {
                    @Override
                    public boolean extend(LogAppend append) {
                        throw new OutOfMemoryError("for whoever writes the log");
                    }
                };
        try (Trace trace = Trace.open(broken, keys())) {
            Recorder run = trace.start("test", "run", new byte[1], BlobRef.TEXT);

            assertThatThrownBy(() -> run.finish("Completed")).isInstanceOf(NotKept.class);
        }
    }

    @Test
    void oneSignatureCoversAllThatWasAskedForMeanwhile() {
        MemoryStore store = new MemoryStore();
        try (Installation here = new Installation(store, keys())) {
            List<Recorder> recorders = new ArrayList<>();
            // As long as the store is ours, nothing is written: the log waits.
            synchronized (store) {
                for (int i = 0; i < 200; i++) {
                    recorders.add(here.start("run " + i));
                }
            }
            recorders.getLast().finish("Completed");
        }
        assertThat(store.leaves).hasSize(201);
        assertThat(store.heads.size()).isLessThanOrEqualTo(3);
    }

    @Test
    void afterARotationOldAndNewKeysVerifyOldAndNewRuns() throws IOException {
        MemoryStore store = new MemoryStore();
        try (Installation here = new Installation(store, keys())) {
            String before = here.finished("before", 10);
            byte[] oldExport = here.export(before);
            VerifyingKey old = here.trace.key();
            byte[] oldFile = Files.readAllBytes(keys().resolve("signing.pem"));
            VerifyingKey next = here.trace.rotate();
            String after = here.finished("after", 10);

            assertThat(here.trace.key()).isEqualTo(next).isNotEqualTo(old);
            assertThat(Files.readAllBytes(keys().resolve("signing.pem"))).isNotEqualTo(oldFile);
            assertThat(keys().resolve("next.pem")).doesNotExist();
            for (VerifyingKey trusted : List.of(old, next)) {
                for (String run : List.of(before, after)) {
                    assertThat(ExportLines.verdict(here.export(run), List.of(trusted)))
                            .isInstanceOf(Verdict.Intact.class);
                    assertThat(here.trace.verify(run, List.of(trusted)))
                            .isInstanceOf(Verdict.Intact.class);
                }
            }
            assertThat(ExportLines.verdict(oldExport, List.of(old)))
                    .isInstanceOf(Verdict.Intact.class);
            assertThat(ExportLines.verdict(oldExport, List.of(next)))
                    .isInstanceOf(Verdict.Incomplete.class);
            here.trace.rotate();
            assertThat(ExportLines.verdict(here.export(before), List.of(old)))
                    .isInstanceOf(Verdict.Intact.class);
            assertThat(here.trace.verifyAll().exitCode()).isZero();
        }
    }

    @Test
    void aProcessNoticesThatAnotherOneHasReplacedTheKey() {
        MemoryStore store = new MemoryStore();
        try (Installation one = new Installation(store, keys());
                Installation two = new Installation(store, keys())) {
            one.finished("one", 5);
            two.finished("two", 5);
            two.trace.rotate();
            String run = one.finished("three", 5);

            assertThat(one.trace.verify(run)).isInstanceOf(Verdict.Intact.class);
            assertThat(one.trace.verifyAll().exitCode()).isZero();
        }
    }

    @Test
    void aKeyThatIsReplacedBeforeAnythingWasRecordedVouchesForTheNext() {
        try (Installation here = new Installation(keys())) {
            VerifyingKey first = here.trace.key();
            VerifyingKey next = here.trace.rotate();
            String run = here.finished("run", 5);

            for (VerifyingKey trusted : List.of(first, next)) {
                assertThat(here.trace.verify(run, List.of(trusted)))
                        .isInstanceOf(Verdict.Intact.class);
                assertThat(ExportLines.verdict(here.export(run), List.of(trusted)))
                        .isInstanceOf(Verdict.Intact.class);
            }
            assertThat(here.trace.verifyAll().exitCode()).isZero();
        }
    }

    @Test
    void aKeyThatIsReplacedOnceMoreWhileSomebodyCatchesUpIsFound() {
        MemoryStore store = new MemoryStore();
        Queue<Runnable> afterTheLook = new ConcurrentLinkedQueue<>();
        TraceStore looking =
                new StoreInFront(store) {
                    @Override
                    public Optional<Signed> head() {
                        Optional<Signed> head = super.head();
                        Optional.ofNullable(afterTheLook.poll()).ifPresent(Runnable::run);
                        return head;
                    }
                };
        try (Installation other = new Installation(store, keys());
                Trace late = Trace.open(looking, keys())) {
            late.start("test", "one", new byte[0], BlobRef.TEXT).finish("Completed");
            other.trace.rotate();
            afterTheLook.add(other.trace::rotate);
            Recorder recorder = late.start("test", "two", new byte[0], BlobRef.TEXT);
            recorder.finish("Completed");

            assertThat(late.verify(recorder.run())).isInstanceOf(Verdict.Intact.class);
        }
    }

    @Test
    void aKeyMoreThanAVerifierTakesIsNotMade() {
        MemoryStore store = new MemoryStore();
        TraceStore old =
                new StoreInFront(store) {
                    @Override
                    public SortedMap<Long, byte[]> leavesOf(String run) {
                        SortedMap<Long, byte[]> leaves = super.leavesOf(run);
                        for (long i = 1; run.isEmpty() && i < SealCheck.MOST_KEYS - 1; i++) {
                            leaves.put(-i, new byte[0]);
                        }
                        return leaves;
                    }
                };
        try (Trace trace = Trace.open(old, keys())) {
            trace.rotate();
            VerifyingKey last = trace.key();
            assertThatThrownBy(trace::rotate)
                    .isInstanceOf(KeyProblem.class)
                    .hasMessageContaining("1,000 keys");
            assertThat(trace.key()).isEqualTo(last);
        }
    }

    @Test
    void aRotationThatWasInterruptedIsCompleted() throws IOException {
        MemoryStore store = new MemoryStore();
        VerifyingKey next;
        try (Installation here = new Installation(store, keys())) {
            here.finished("one", 5);
            Files.copy(keys().resolve("signing.pem"), home.resolve("old.pem"));
            next = here.trace.rotate();
        }
        // As if it had died before the new key took the place of the old one.
        Files.move(keys().resolve("signing.pem"), keys().resolve("next.pem"));
        Files.copy(
                home.resolve("old.pem"),
                keys().resolve("signing.pem"),
                StandardCopyOption.COPY_ATTRIBUTES);
        try (Installation here = new Installation(store, keys())) {
            String run = here.finished("two", 5);

            assertThat(here.trace.key()).isEqualTo(next);
            assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Intact.class);
        }
    }

    @Test
    void aReplacementThatDidNotTakePlaceDoesNotCount() {
        MemoryStore store = new MemoryStore();
        try (Installation here = new Installation(store, keys())) {
            String run = here.finished("run", 5);
            VerifyingKey first = here.trace.key();
            SigningKey old = new SigningKeys(keys()).current();
            SigningKey never = SigningKey.fresh();
            // What a process leaves behind that dies, or is overtaken, before the log says so.
            Rotation promise = new Rotation(1, old.id(), never.verifying(), old.id());
            store.rotate(old.sign(Rotation.PREFIX, promise.bytes()));
            assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Intact.class);
            here.trace.rotate();
            here.trace.rotate();

            for (VerifyingKey trusted : List.of(first, here.trace.key())) {
                assertThat(here.trace.verify(run, List.of(trusted)))
                        .isInstanceOf(Verdict.Intact.class);
                assertThat(ExportLines.verdict(here.export(run), List.of(trusted)))
                        .isInstanceOf(Verdict.Intact.class);
            }
            assertThat(here.trace.verifyAll().exitCode()).isZero();
        }
    }

    @Test
    void aLogOfAnotherKeyIsNotContinued() {
        MemoryStore store = new MemoryStore();
        try (Installation here = new Installation(store, keys())) {
            here.finished("one", 5);
        }
        try (Installation there = new Installation(store, home.resolve("other keys"))) {
            assertThatThrownBy(() -> there.finished("two", 5))
                    .isInstanceOf(KeyProblem.class)
                    .hasMessageContaining("not the one of this log");
        }
    }

    @Test
    void nobodyGetsASignatureUnderALogThatHeChanged() throws IOException {
        MemoryStore store = new MemoryStore();
        try (Installation here = new Installation(store, keys())) {
            here.finished("one", 5);
        }
        Leaf.OfRecord leaf = (Leaf.OfRecord) Leaf.read(store.leaves.getFirst());
        Leaf forged = new Leaf.OfRecord(leaf.at(), leaf.hash(), "another", 0, leaf.mark());
        store.leaves.set(0, forged.bytes());
        try (Installation here = new Installation(store, keys())) {
            // It is known where the log stood: what is signed is what was there.
            here.finished("goes on", 5);
            assertThat(here.trace.verifyAll().exitCode()).isEqualTo(1);
        }
        Files.delete(keys().resolve("frontier.json"));
        try (Installation here = new Installation(store, keys())) {
            assertThatThrownBy(() -> here.finished("two", 5))
                    .isInstanceOf(NotKept.class)
                    .hasMessageContaining("log was changed");
        }
        // Nor if he puts the root right as well, which he cannot sign.
        TreeHead head = TreeHead.read(store.head().orElseThrow().statement());
        Frontier frontier = new Frontier();
        store.leaves.forEach(bytes -> frontier.append(MerkleTree.leafHash(bytes)));
        String root = HexFormat.of().formatHex(frontier.root());
        TreeHead changed = new TreeHead(head.at(), head.key(), head.log(), root, head.size());
        String signature = store.head().orElseThrow().signature();
        store.heads.put(head.size(), new Signed(changed.bytes(), signature));
        try (Installation here = new Installation(store, keys())) {
            assertThatThrownBy(() -> here.finished("three", 5))
                    .isInstanceOf(NotKept.class)
                    .hasMessageContaining("not signed by its key");
        }
    }

    @Test
    void theNoteOfWhereTheLogStoodIsUsedButNotBelieved() throws IOException {
        MemoryStore store = new MemoryStore();
        Path note = keys().resolve("frontier.json");
        try (Installation here = new Installation(store, keys())) {
            here.finished("one", 5);
        }
        byte[] old = Files.readAllBytes(note);
        String peak = "\"" + "00".repeat(32) + "\"";
        for (String content :
                List.of(
                        "",
                        "{}",
                        "{\"peaks\":[],\"size\":0}",
                        "{\"peaks\":[\"00\"],\"size\":1}",
                        "{\"peaks\":[" + peak + "],\"size\":1}",
                        "{\"peaks\":[" + peak + "],\"size\":4096}")) {
            Files.writeString(note, content);
            try (Installation here = new Installation(store, keys())) {
                here.finished("another", 5);
                assertThat(here.trace.verifyAll().exitCode()).isZero();
            }
        }
        Files.write(note, old);
        try (Installation here = new Installation(store, keys())) {
            here.finished("last", 5);
            assertThat(here.trace.verifyAll().exitCode()).isZero();
        }
    }

    @Test
    void leavesHeadsRotationsAndSealsAreReadBackExactlyAndNothingElseIs() {
        String digest = "ab".repeat(32);
        List<Leaf> leaves =
                List.of(
                        new Leaf.OfRecord(1, digest, "run", 2, Seals.Mark.END),
                        new Leaf.OfKey(3, digest));
        leaves.forEach(leaf -> assertThat(Leaf.read(leaf.bytes())).isEqualTo(leaf));
        TreeHead head = new TreeHead(1, digest, digest, digest, 7);
        assertThat(TreeHead.read(head.bytes())).isEqualTo(head);
        Rotation rotation = new Rotation(1, digest, VerifyingKey.ofHex(digest), digest);
        assertThat(Rotation.read(rotation.bytes())).isEqualTo(rotation);
        Seal seal = new Seal(head, 3, leaves.getFirst(), List.of(new byte[32]), digest + digest);
        assertThat(CanonicalJson.bytes(Seal.of(seal.json()).json()))
                .isEqualTo(CanonicalJson.bytes(seal.json()));

        for (String wrong :
                List.of(
                        "{}",
                        "[]",
                        "{\"at\":1,\"key\":\"" + digest + "\",\"more\":1,\"type\":\"key\"}",
                        "{\"at\":1,\"key\":\"x\",\"type\":\"key\"}",
                        "{\"at\":1,\"type\":\"other\"}",
                        "{\"at\":-1,\"key\":\"" + digest + "\",\"type\":\"key\"}")) {
            assertThatThrownBy(() -> Leaf.read(Installation.utf8(wrong)))
                    .isInstanceOf(Malformed.class);
            assertThatThrownBy(() -> TreeHead.read(Installation.utf8(wrong)))
                    .isInstanceOf(Malformed.class);
            assertThatThrownBy(() -> Rotation.read(Installation.utf8(wrong)))
                    .isInstanceOf(Malformed.class);
        }
    }
}
