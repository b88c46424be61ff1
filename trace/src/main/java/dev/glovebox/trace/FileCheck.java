package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.trace.MentionQueue.Mention;
import dev.glovebox.trace.spi.Signed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Checks an export, line by line; section 6 of the trace format. */
final class FileCheck {

    static final String FORMAT = "glovebox.trace";
    private static final String NO_EXPORT =
            "the file is no export of a trace, or its first line was changed";

    private final Lines lines;
    private final Collection<VerifyingKey> trusted;

    FileCheck(Lines lines, Collection<VerifyingKey> trusted) {
        this.lines = lines;
        this.trusted = trusted;
    }

    /**
     * @throws Broken or {@link Malformed} at the first thing that is wrong
     */
    Verdict check() throws IOException {
        if (lines.atEnd()) {
            throw Broken.because("the file is empty");
        }
        Members header = header(lines.next());
        long version = header.natural("v");
        if (version > Entry.VERSION) {
            return new Verdict.Incomplete(
                    List.of(
                            "the file has the version %d, and this software knows only version %d"
                                    .formatted(version, Entry.VERSION)));
        }
        long records = header.natural("records");
        Chain chain = new Chain(header.text("run"));
        header.end();
        if (version < Entry.VERSION || !Entry.validRun(chain.run())) {
            throw Broken.because("the first line has no version, or no name of a run");
        }
        records(chain, records);
        Optional<Mention> mention = chain.mentions().next();
        while (mention.isPresent()) {
            blob(mention.get(), chain.mentions());
            mention = chain.mentions().next();
        }
        return new Tail(chain).check();
    }

    /** Whoever named the wrong file should not read that somebody has forged it. */
    private static Members header(byte[] line) {
        try {
            Members header = Members.read("first line", line);
            if (header.text("format").equals(FORMAT)) {
                return header;
            }
        } catch (Malformed e) {
            throw Broken.because(NO_EXPORT + " (" + e.getMessage() + ")");
        }
        throw Broken.because(NO_EXPORT);
    }

    private void records(Chain chain, long count) throws IOException {
        if (count < 1 || count > Entry.MOST) {
            throw Broken.because("no run has " + count + " records");
        }
        ChainReader reader = new ChainReader(chain);
        long left = count;
        try {
            while (left > 0) {
                Lines.Block block = lines.block(left);
                left -= block.count();
                reader.add(block);
            }
        } catch (Broken e) {
            // What is wrong further up comes first.
            reader.finish();
            throw e.in(chain.size());
        }
        reader.finish();
    }

    private void blob(Mention mention, Mentions mentions) throws IOException {
        BlobRef reference = mention.reference();
        long parts = BlobPart.parts(reference.bytes());
        if (reference.list() && reference.bytes() > ListBlob.LONGEST) {
            throw mention.broken("is too long for a list");
        }
        MessageDigest digest = Digests.sha256();
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        byte[] salt = {};
        for (long i = 0; i < parts; i++) {
            byte[] line = blobLine(mention);
            if (!BlobPart.begins(line)) {
                throw mention.broken("is missing");
            }
            BlobPart part;
            try {
                part = BlobPart.read(line);
            } catch (Malformed e) {
                throw mention.broken("is not written as it should be: " + e.getMessage());
            }
            if (!part.digest().equals(reference.digest())) {
                throw mention.broken("is missing; there is " + part.digest() + " in its place");
            }
            long size = Math.min(BlobPart.SIZE, reference.bytes() - i * BlobPart.SIZE);
            if (part.part() != i || part.parts() != parts || part.data().length != size) {
                throw mention.broken("is not cut into the right parts");
            }
            if (i == 0) {
                salt = part.salt();
                digest.update(salt);
            }
            if (!Arrays.equals(salt, part.salt()) || (salt.length > 0) != reference.salted()) {
                throw mention.broken("has not the salt that it should have");
            }
            digest.update(part.data());
            if (reference.list()) {
                content.write(part.data());
            }
        }
        if (!HexFormat.of().formatHex(digest.digest()).equals(reference.digest())) {
            throw mention.broken("has another content");
        }
        if (reference.list()) {
            mentions.add(mention, content.toByteArray());
        }
    }

    private byte[] blobLine(Mention mention) throws IOException {
        try {
            return lines.next();
        } catch (Broken e) {
            throw e.in(mention.seq());
        }
    }

    /** What stands behind the blobs. */
    private final class Tail {

        private final SealCheck seals;
        private Section section = Section.KEYS;
        private String key = "";

        private enum Section {
            KEYS,
            ROTATIONS,
            SEALS
        }

        Tail(Chain chain) {
            seals = new SealCheck(chain, trusted);
        }

        Verdict check() throws IOException {
            while (true) {
                Members line = Members.read("line", lines.next());
                if (line.has("end")) {
                    return end(line);
                } else if (line.has("publicKey")) {
                    in(Section.KEYS);
                    key(line);
                } else if (line.has("rotation")) {
                    in(Section.ROTATIONS);
                    JsonNode rotation = line.object("rotation");
                    seals.rotation(
                            new Signed(CanonicalJson.bytes(rotation), line.text("signature")));
                } else if (line.has("seal")) {
                    in(Section.SEALS);
                    JsonNode seal = line.object("seal");
                    line.end(); // before anything is said of the record that it is about
                    seals.seal(Seal.of(seal));
                } else if (line.has("blob")) {
                    throw Broken.because("there is a blob that the run does not refer to there");
                } else {
                    throw Broken.because("there is a line that should not be there");
                }
                line.end();
            }
        }

        private void in(Section next) {
            if (next.compareTo(section) < 0) {
                throw Broken.because("keys, replacements of keys and seals are out of order");
            }
            section = next;
        }

        private void key(Members line) {
            String next = line.digest("publicKey");
            if (next.compareTo(key) <= 0) {
                throw Broken.because("keys are out of order");
            }
            key = next;
            seals.key(VerifyingKey.ofHex(key));
        }

        private Verdict end(Members line) throws IOException {
            String digest = lines.digestBefore();
            if (!line.digest("end").equals(digest)) {
                throw Broken.because("the file has another digest than its last line says");
            }
            line.end();
            if (!lines.atEnd()) {
                throw Broken.because("there is more behind the end");
            }
            return seals.verdict();
        }
    }
}
