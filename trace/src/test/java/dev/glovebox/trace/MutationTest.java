package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody changes an export. Nothing that he does is ever taken for intact. */
class MutationTest {

    private static final int SEED = 20_260_101;

    @TempDir private Path home;

    private static void isTampered(Verdict verdict, String how) {
        assertThat(verdict).as(how).isInstanceOf(Verdict.Tampered.class);
        assertThat(verdict.exitCode()).isEqualTo(1);
        assertThat(verdict.sentence())
                .startsWith("Tampered with: ")
                .endsWith(".")
                .doesNotContain("\n");
    }

    private static void isIncomplete(Verdict verdict, String how) {
        assertThat(verdict).as(how).isInstanceOf(Verdict.Incomplete.class);
        assertThat(verdict.exitCode()).isEqualTo(3);
    }

    /** Fewer for large traces: they have all been the same for a while then. */
    private static int samples(int records) {
        return records > 1_000 ? 6 : records > 100 ? 20 : 60;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 52, 100, 1_000, 1_003, 10_000})
    void everyChangeIsFound(int records) {
        try (Installation here = new Installation(home.resolve("keys"))) {
            String run = records == 1 ? here.start("only").run() : here.finished("run", records);
            String other = here.finished("other", Math.max(records, 3));
            List<VerifyingKey> trusted = here.trusted();
            byte[] export = here.export(run);
            ExportLines lines = new ExportLines(export);
            ExportLines others = new ExportLines(here.export(other));
            if (records == 1) {
                isIncomplete(lines.verdict(trusted), "unfinished");
            } else {
                assertThat(lines.verdict(trusted))
                        .isEqualTo(new Verdict.Intact(run, records, here.trace.key().id()));
            }
            assertThat(lines.records()).isEqualTo(records);
            Random random = new Random(SEED + records);
            for (int i = 0; i < samples(records); i++) {
                flip(export, random, trusted);
                flipAndClose(lines, random, trusted);
                delete(lines, random, trusted);
                insert(lines, others, random, trusted);
                duplicate(lines, random, trusted);
                reorder(lines, random, trusted);
                truncate(export, lines, random, trusted);
                edit(lines, random, trusted);
            }
        }
    }

    private static void flip(byte[] export, Random random, List<VerifyingKey> trusted) {
        byte[] changed = export.clone();
        int at = random.nextInt(changed.length);
        changed[at] ^= (byte) (1 << random.nextInt(8));
        Verdict verdict = ExportLines.verdict(changed, trusted);

        // A file of a version to come is not judged: one digit in the first line can do that.
        boolean newer =
                new String(changed, 0, 120, StandardCharsets.ISO_8859_1)
                        .lines()
                        .findFirst()
                        .orElse("")
                        .matches(".*\"v\":[2-9]}");
        if (newer) {
            isIncomplete(verdict, "newer");
        } else {
            isTampered(verdict, "bit flipped at " + at);
        }
    }

    private static void flipAndClose(
            ExportLines original, Random random, List<VerifyingKey> trusted) {
        int size = original.size() - 1;
        // Half of the flips in what stands behind the records.
        int behind = size - original.records() - 1;
        int line = random.nextBoolean() ? random.nextInt(size) : size - 1 - random.nextInt(behind);
        byte[] changed = original.lines().get(line).clone();
        int at = random.nextInt(changed.length);
        changed[at] ^= (byte) (1 << random.nextInt(8));
        ExportLines lines = original.copy();
        lines.lines().set(line, changed);
        boolean newer =
                line == 0
                        && new String(changed, StandardCharsets.ISO_8859_1)
                                .matches(".*\"v\":[2-9]}");
        Verdict verdict = closed(lines).verdict(trusted);
        if (newer) {
            isIncomplete(verdict, "newer");
        } else {
            isTampered(
                    verdict, "bit flipped in line " + line + " at " + at + ", file closed again");
        }
    }

    private static ExportLines closed(ExportLines lines) {
        lines.lines().removeLast();
        byte[] digest = Digests.raw(lines.bytes());
        lines.lines()
                .add(Installation.utf8("{\"end\":\"" + HexFormat.of().formatHex(digest) + "\"}"));
        return lines;
    }

    private static int record(ExportLines lines, Random random) {
        return 1 + random.nextInt(lines.records());
    }

    private static void delete(ExportLines original, Random random, List<VerifyingKey> trusted) {
        ExportLines any = original.copy();
        any.lines().remove(random.nextInt(any.size()));
        isTampered(any.verdict(trusted), "a line deleted");

        ExportLines blob = original.copy();
        blob.lines().remove(blob.first("data"));
        isTampered(closed(blob).verdict(trusted), "a blob deleted, file closed again");

        ExportLines lines = original.copy();
        lines.lines().remove(record(lines, random));
        lines.header(original.records() - 1);
        isTampered(closed(lines.copy()).verdict(trusted), "a record deleted, counted again");
        if (original.records() > 1) {
            isTampered(
                    closed(lines.rechained()).verdict(trusted), "a record deleted, chained again");
        }
    }

    private static void insert(
            ExportLines original, ExportLines others, Random random, List<VerifyingKey> trusted) {
        int at = record(original, random);
        byte[] foreign = others.lines().get(record(others, random));
        ExportLines lines = original.copy();
        lines.lines().add(at, foreign);
        lines.header(original.records() + 1);
        isTampered(closed(lines.copy()).verdict(trusted), "a record of another run inserted");

        ExportLines swapped = original.copy();
        swapped.lines().set(at, foreign);
        isTampered(closed(swapped).verdict(trusted), "a record swapped with one of another run");

        ExportLines seals = original.copy();
        seals.lines().set(seals.first("seal"), others.lines().get(others.first("seal")));
        isTampered(closed(seals).verdict(trusted), "a seal of another run");

        ExportLines blobs = original.copy();
        blobs.lines().add(blobs.first("publicKey"), others.lines().get(others.first("data")));
        isTampered(closed(blobs).verdict(trusted), "a blob of another run");
    }

    private static void duplicate(ExportLines original, Random random, List<VerifyingKey> trusted) {
        ExportLines any = original.copy();
        int line = random.nextInt(any.size() - 1);
        any.lines().add(line, any.lines().get(line));
        isTampered(closed(any).verdict(trusted), "line " + line + " twice, file closed again");

        ExportLines lines = original.copy();
        int at = record(lines, random);
        lines.lines().add(at, lines.lines().get(at));
        lines.header(original.records() + 1);
        isTampered(closed(lines.copy()).verdict(trusted), "a record twice, counted again");
        isTampered(closed(lines.rechained()).verdict(trusted), "a record twice, chained again");
    }

    private static void reorder(ExportLines original, Random random, List<VerifyingKey> trusted) {
        ExportLines any = original.copy();
        int one = random.nextInt(any.size() - 1);
        int other = random.nextInt(any.size() - 1);
        if (one == other) {
            return;
        }
        Collections.swap(any.lines(), one, other);
        isTampered(closed(any).verdict(trusted), "lines " + one + " and " + other + " swapped");
        if (original.records() > 2) {
            ExportLines lines = original.copy();
            int first = 1 + random.nextInt(original.records() - 1);
            Collections.swap(lines.lines(), first, first + 1);
            isTampered(
                    closed(lines.rechained()).verdict(trusted), "records swapped, chained again");
        }
    }

    private static void truncate(
            byte[] export, ExportLines original, Random random, List<VerifyingKey> trusted) {
        byte[] cut = Arrays.copyOf(export, random.nextInt(export.length));
        isTampered(ExportLines.verdict(cut, trusted), "cut to " + cut.length + " bytes");
        if (original.records() == 1) {
            return;
        }
        ExportLines lines = original.copy();
        int left = 1 + random.nextInt(original.records() - 1);
        lines.lines().subList(left + 1, original.records() + 1).clear();
        lines.header(left);
        ExportLines fitting = fittingBlobs(lines.copy());
        isTampered(closed(fitting.copy()).verdict(trusted), "cut to " + left + " records");
        // Without the seals nobody can tell it from a run that is not finished: not intact.
        fitting.without(line -> line.has("seal") || line.has("publicKey"));
        isIncomplete(closed(fitting).verdict(trusted), "cut to " + left + " records, no seals");
    }

    /** Leaves out the blobs that the records that are left do not mention. */
    private static ExportLines fittingBlobs(ExportLines lines) {
        List<byte[]> blobs = new ArrayList<>();
        Mentions mentions = new Mentions();
        for (int i = 1; i <= lines.records(); i++) {
            Entry entry = Entry.read(lines.lines().get(i));
            entry.references(reference -> mentions.add(entry.seq(), reference));
        }
        for (var next = mentions.next(); next.isPresent(); next = mentions.next()) {
            BlobRef reference = next.get().reference();
            for (byte[] line : lines.lines()) {
                if (BlobPart.begins(line)
                        && BlobPart.read(line).digest().equals(reference.digest())) {
                    blobs.add(line);
                    if (reference.list()) {
                        mentions.add(next.get(), BlobPart.read(line).data());
                    }
                }
            }
        }
        lines.lines().removeIf(BlobPart::begins);
        lines.lines().addAll(lines.records() + 1, blobs);
        return lines;
    }

    private static void edit(ExportLines original, Random random, List<VerifyingKey> trusted) {
        int at = record(original, random);
        ExportLines lines = original.copy();
        lines.change(at, MutationTest::anotherObservation);
        isTampered(closed(lines.copy()).verdict(trusted), "a record edited");
        ExportLines rehashed = lines.copy();
        rehashed.change(at, MutationTest::rehashed);
        isTampered(closed(rehashed).verdict(trusted), "a record edited, with its own hash");
        isTampered(closed(lines.rechained()).verdict(trusted), "a record edited, chained again");
    }

    private static ObjectNode anotherObservation(ObjectNode record) {
        ((ObjectNode) record.path("body").path("observed")).put("zz", "changed");
        return record;
    }

    private static ObjectNode rehashed(ObjectNode record) {
        record.remove("hash");
        return record.put("hash", Digests.hex(CanonicalJson.bytes(record)));
    }

    @Test
    void whoSealsWithAnotherKeyIsNotBelieved() {
        try (Installation here = new Installation(home.resolve("keys"));
                Installation there = new Installation(home.resolve("theirs"))) {
            String run = here.finished("run", 20);
            ExportLines lines = new ExportLines(here.export(run));
            lines.change(5, MutationTest::anotherObservation).rechained();
            // He has the same software: his store gets the forged records, his key seals them.
            there.store.put(run, lines.lines().subList(1, 21));
            there.store.blobs.putAll(here.store.blobs);
            there.trace.close();
            try (Installation again = new Installation(there.store, there.keys)) {
                again.trace.close();
                byte[] forged = again.export(run);

                assertThat(ExportLines.verdict(forged, again.trusted()))
                        .isInstanceOf(Verdict.Intact.class);
                Verdict verdict = ExportLines.verdict(forged, here.trusted());
                isIncomplete(verdict, "sealed by a stranger");
                assertThat(verdict.sentence()).contains("unknown key " + again.trace.key().id());
                isIncomplete(ExportLines.verdict(forged, List.of()), "nobody is trusted");
            }
        }
    }

    @Test
    void aRedactionThatNobodySealedDoesNotExcuseAMissingBlob() {
        try (Installation here = new Installation(home.resolve("keys"))) {
            String run = here.finished("run", 10);
            ExportLines lines = new ExportLines(here.export(run));
            int blobLine = lines.first("publicKey") - 1;
            JsonNode blob = lines.json(blobLine);
            Entry last = Entry.read(lines.lines().get(10));
            Entry redaction =
                    Entry.of(
                            run,
                            10,
                            last.at(),
                            last.hash(),
                            new Event.BlobRedacted(blob.path("blob").textValue(), "none"));
            lines.lines().remove(blobLine);
            lines.lines().add(11, redaction.bytes());
            lines.header(11);

            isIncomplete(closed(lines).verdict(here.trusted()), "redacted by a stranger");
        }
    }

    @Test
    void namesTheFirstRecordThatIsWrong() {
        try (Installation here = new Installation(home.resolve("keys"))) {
            String run = here.finished("run", 2_500);
            ExportLines lines = new ExportLines(here.export(run));
            lines.change(1_235, MutationTest::anotherObservation);
            lines.change(2_001, MutationTest::anotherObservation);

            assertThat(lines.verdict(here.trusted()).sentence())
                    .isEqualTo("Tampered with: record 1234: its content does not have its hash.");
        }
    }
}
