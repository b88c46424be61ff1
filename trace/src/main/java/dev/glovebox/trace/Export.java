package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.trace.MentionQueue.Mention;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.Signed;
import dev.glovebox.trace.spi.TraceStore;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Optional;

/**
 * Writes a run as one file that needs nothing else; section 6 of the trace format.
 *
 * <p>Nothing is checked: what is damaged is written as it is, for a verifier to find it.
 */
final class Export {

    private final TraceStore store;
    private final OutputStream out;
    private final MessageDigest digest = Digests.sha256();

    Export(TraceStore store, OutputStream out) {
        this.store = store;
        this.out = out;
    }

    void write(RunRow row, Evidence evidence) throws IOException {
        line(
                object().put("format", FileCheck.FORMAT)
                        .put("records", row.records())
                        .put("run", row.run())
                        .put("v", Entry.VERSION));
        Mentions mentions = new Mentions();
        Iterator<Entry> tape = Tape.of(store, row.run(), 0).limit(row.records()).iterator();
        while (tape.hasNext()) {
            Entry entry = tape.next();
            asFarAsPossible(() -> mention(entry, mentions));
            line(entry.line());
        }
        for (Optional<Mention> next = mentions.next(); next.isPresent(); next = mentions.next()) {
            String digest = next.get().reference().digest();
            Optional<Blob> blob = store.blob(digest);
            if (blob.isPresent()) {
                blob(next.get(), blob.get(), mentions);
            } else if (Tape.redacts(store, row.run(), row.records(), digest)) {
                throw new NotKept(
                        "Content of the run %s was redacted while it was exported: export it again"
                                .formatted(row.run()));
            }
        }
        evidence(evidence);
        line(object().put("end", HexFormat.of().formatHex(digest.digest())));
        out.flush();
    }

    private void blob(Mention mention, Blob blob, Mentions mentions) throws IOException {
        byte[] content = blob.content();
        long parts = BlobPart.parts(content.length);
        for (int i = 0; i < parts; i++) {
            int from = i * BlobPart.SIZE;
            int to = Math.min(content.length, from + BlobPart.SIZE);
            byte[] data = Arrays.copyOfRange(content, from, to);
            line(new BlobPart(blob.digest(), data, i, parts, blob.salt()).line());
        }
        if (mention.reference().list()) {
            asFarAsPossible(() -> mentions.add(mention, content));
        }
    }

    private static void mention(Entry entry, Mentions mentions) {
        entry.references(reference -> mentions.add(entry.seq(), reference));
        if (entry.version() == Entry.VERSION && entry.type().equals(EventCodec.BLOB_REDACTED)) {
            String digest = entry.rawBody().path("observed").path("redacted").asText();
            if (Digests.valid(digest)) {
                mentions.redact(digest);
            }
        }
    }

    /** Takes in what refers to blobs; what is not right in there is for the verifier to say. */
    private static void asFarAsPossible(Runnable taking) {
        try {
            taking.run();
        } catch (Broken | Malformed e) {
            // It is in the file.
        }
    }

    private void evidence(Evidence evidence) throws IOException {
        for (VerifyingKey key : evidence.keys()) {
            line(object().put("publicKey", key.hex()));
        }
        for (Signed rotation : evidence.rotations()) {
            ObjectNode line = object();
            line.set("rotation", Rotation.read(rotation.statement()).json());
            line(line.put("signature", rotation.signature()));
        }
        for (Seal seal : evidence.seals()) {
            ObjectNode line = object();
            line.set("seal", seal.json());
            line(line);
        }
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private void line(JsonNode line) throws IOException {
        line(CanonicalJson.bytes(line));
    }

    private void line(byte[] line) throws IOException {
        byte[] end = {'\n'};
        digest.update(line);
        digest.update(end);
        out.write(line);
        out.write(end);
    }
}
