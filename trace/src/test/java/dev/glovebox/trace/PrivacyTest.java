package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.trace.conformance.StoreInFront;
import dev.glovebox.trace.spi.LogAppend;
import dev.glovebox.trace.spi.TraceStore;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivacyTest {

    private static final byte[] SECRET = Installation.utf8("the name of a patient");

    @TempDir private Path home;

    @Test
    void theDigestOfPrivateContentTellsNothing() {
        try (Installation here = new Installation(home.resolve("keys"))) {
            Recorder recorder = here.trace.startPrivate("test", "run", SECRET, BlobRef.TEXT);
            BlobRef one = recorder.keepPrivate(SECRET, BlobRef.TEXT);
            BlobRef two = recorder.keepPrivate(SECRET, BlobRef.TEXT);

            assertThat(one.digest())
                    .isNotEqualTo(two.digest())
                    .isNotEqualTo(Blob.of(SECRET).digest());
            assertThat(one.salted()).isTrue();
            assertThat(here.store.blobs).doesNotContainKey(Blob.of(SECRET).digest());
        }
    }

    @Test
    void whatIsRedactedIsGoneFromTheStoreAndFromExportsAndAllIsStillIntact() {
        try (Installation here = new Installation(home.resolve("keys"))) {
            Recorder recorder = here.start("run");
            BlobRef secret = recorder.keepPrivate(SECRET, BlobRef.TEXT);
            recorder.record(new Event.NodeStarted("x", secret));
            recorder.finish("Completed", secret);
            String run = recorder.run();
            byte[] before = here.export(run);
            String salt =
                    HexFormat.of().formatHex(here.trace.blob(secret.digest()).orElseThrow().salt());
            assertThat(text(before)).contains(base64(SECRET), salt);

            here.trace.redact(secret.digest(), "the patient asked for it");

            byte[] after = here.export(run);
            assertThat(here.trace.blob(secret.digest())).isEmpty();
            assertThat(text(after)).doesNotContain(base64(SECRET)).doesNotContain(salt);
            assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Intact.class);
            assertThat(ExportLines.verdict(after, here.trusted()))
                    .isEqualTo(new Verdict.Intact(run, 4, here.trace.key().id()));
            assertThat(ExportLines.verdict(before, here.trusted()))
                    .isInstanceOf(Verdict.Intact.class);
            assertThat(here.trace.verifyAll().exitCode()).isZero();
        }
    }

    @Test
    void everyRunThatRefersToItSaysSo() {
        try (Installation here = new Installation(home.resolve("keys"))) {
            String one = here.finished("same", 4);
            String two = here.finished("same", 4);
            String digest = Digests.hex(Installation.utf8("input of same"));

            here.trace.redact(digest, "test");
            here.trace.redact(digest, "once is enough");

            for (String run : new String[] {one, two}) {
                assertThat(here.trace.entries(run, 4).map(Entry::event))
                        .containsExactly(new Event.BlobRedacted(digest, "test"));
                assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Intact.class);
            }
        }
    }

    @Test
    void aListCanBeRedactedAndWhatContinuesItIsStillIntact() {
        try (Installation here = new Installation(home.resolve("keys"))) {
            String run = here.finished("run", 120);
            String[] lists =
                    here.store.blobs.values().stream()
                            .filter(blob -> text(blob.content()).startsWith("{\"add\":"))
                            .map(Blob::digest)
                            .toArray(String[]::new);
            assertThat(lists).hasSizeGreaterThan(1);
            here.trace.redact(lists[0], "test");
            assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Intact.class);
            assertThat(ExportLines.verdict(here.export(run), here.trusted()))
                    .isInstanceOf(Verdict.Intact.class);
            here.trace.redact(lists[1], "test");
            assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Intact.class);
            assertThat(ExportLines.verdict(here.export(run), here.trusted()))
                    .isInstanceOf(Verdict.Intact.class);
        }
    }

    @Test
    void whatARunNeedsThatIsNotFinishedStays() {
        try (Installation here = new Installation(home.resolve("keys"))) {
            here.finished("same", 4);
            Recorder unfinished = here.unfinished("same", 3);
            String digest = Digests.hex(Installation.utf8("input of same"));

            assertThatThrownBy(() -> here.trace.redact(digest, "test"))
                    .isInstanceOf(NoSuchRun.class)
                    .hasMessageContaining(unfinished.run())
                    .hasMessageContaining("not finished");
            assertThat(here.trace.blob(digest)).isPresent();
            assertThatThrownBy(() -> here.trace.redact("0".repeat(64), "test"))
                    .isInstanceOf(NoSuchRun.class)
                    .hasMessageContaining("No run refers");
        }
    }

    @Test
    void aRunThatCameInTheMeantimeIsRedactedAsWell() {
        try (Installation here = new Installation(home.resolve("keys"))) {
            String old = here.finished("same", 4);
            List<String> came = new ArrayList<>();
            here.beforeErasing =
                    () -> {
                        if (came.isEmpty()) {
                            came.add(here.finished("same", 4));
                        }
                    };
            String digest = Digests.hex(Installation.utf8("input of same"));
            here.trace.redact(digest, "test");

            assertThat(here.trace.blob(digest)).isEmpty();
            for (String run : List.of(old, came.getFirst())) {
                assertThat(here.trace.entries(run, 4).map(Entry::event))
                        .containsExactly(new Event.BlobRedacted(digest, "test"));
                assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Intact.class);
            }
        }
    }

    @Test
    void aRunThatCameInTheMeantimeAndIsNotFinishedKeepsIt() {
        try (Installation here = new Installation(home.resolve("keys"))) {
            String old = here.finished("same", 4);
            List<Recorder> came = new ArrayList<>();
            here.beforeErasing = () -> came.add(here.unfinished("same", 3));
            String digest = Digests.hex(Installation.utf8("input of same"));

            assertThatThrownBy(() -> here.trace.redact(digest, "test"))
                    .isInstanceOf(NoSuchRun.class)
                    .hasMessageContaining(came.getFirst().run())
                    .hasMessageContaining("not finished");
            assertThat(here.trace.blob(digest)).isPresent();
            here.beforeErasing = () -> {};
            came.getFirst().finish("Completed");
            for (String run : List.of(old, came.getFirst().run())) {
                assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Intact.class);
            }
            here.trace.redact(digest, "test");
            assertThat(here.trace.blob(digest)).isEmpty();
        }
    }

    @Test
    void aRunThatWasNotSealedWhenItsProcessDiedIsSealedWithWhatIsRedacted() {
        try (Installation here = new Installation(home.resolve("keys"))) {
            TraceStore unsealed =
                    new StoreInFront(here.store) {
                        @Override
                        public boolean extend(LogAppend append) {
                            throw new NotKept("It died before");
                        }
                    };
            try (Trace other = Trace.open(unsealed, here.keys)) {
                Recorder recorder = other.startPrivate("test", "run", SECRET, BlobRef.TEXT);
                assertThatThrownBy(() -> recorder.finish("Completed")).isInstanceOf(NotKept.class);
                String run = recorder.run();
                for (Entry entry : here.trace.entries(run, 0).toList()) {
                    entry.references(secret -> here.trace.redact(secret.digest(), "test"));
                }
                assertThat(here.trace.verify(run))
                        .isEqualTo(new Verdict.Intact(run, 3, here.trace.key().id()));
            }
        }
    }

    @Test
    void contentThatComesBackAfterARedactionIsNotExportedWithTheOldRun() {
        try (Installation here = new Installation(home.resolve("keys"))) {
            String old = here.finished("same", 4);
            here.trace.redact(Digests.hex(Installation.utf8("input of same")), "test");
            String again = here.finished("same", 4);

            assertThat(text(here.export(old)))
                    .doesNotContain(base64(Installation.utf8("input of same")));
            for (String run : new String[] {old, again}) {
                assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Intact.class);
                assertThat(ExportLines.verdict(here.export(run), here.trusted()))
                        .isInstanceOf(Verdict.Intact.class);
            }
        }
    }

    /** Redacts content when somebody looks for it. */
    private static final class RedactedJustNow extends StoreInFront {

        private final Trace trace;
        private final String digest;

        RedactedJustNow(Installation here, String digest) {
            super(here.store);
            this.trace = here.trace;
            this.digest = digest;
        }

        @Override
        public Optional<Blob> blob(String wanted) {
            if (wanted.equals(digest)) {
                trace.redact(digest, "test");
            }
            return super.blob(wanted);
        }
    }

    @Test
    void whatIsRedactedWhileItIsLookedAtWasNotTamperedWith() {
        try (Installation here = new Installation(home.resolve("keys"))) {
            String checked = here.finished("checked", 4);
            String exported = here.finished("exported", 4);
            String digest = Digests.hex(Installation.utf8("input of checked"));
            try (Trace other = Trace.open(new RedactedJustNow(here, digest), here.keys)) {
                assertThat(other.verifyAll().sentences())
                        .containsExactly(
                                checked
                                        + ": Incomplete: what was redacted after the end is not"
                                        + " sealed by a known key.");
                assertThat(other.verifyAll().exitCode()).isZero();
            }
            digest = Digests.hex(Installation.utf8("input of exported"));
            try (Trace other = Trace.open(new RedactedJustNow(here, digest), here.keys)) {
                assertThatThrownBy(() -> other.export(exported, OutputStream.nullOutputStream()))
                        .isInstanceOf(NotKept.class)
                        .hasMessageContaining("export it again");
            }
            assertThat(ExportLines.verdict(here.export(exported), here.trusted()))
                    .isInstanceOf(Verdict.Intact.class);
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
