package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** An export, taken apart into lines by somebody who wants to change it. */
final class ExportLines {

    private final List<byte[]> lines = new ArrayList<>();

    ExportLines(byte[] export) {
        int from = 0;
        for (int i = 0; i < export.length; i++) {
            if (export[i] == '\n') {
                lines.add(Arrays.copyOfRange(export, from, i));
                from = i + 1;
            }
        }
    }

    private ExportLines(List<byte[]> lines) {
        this.lines.addAll(lines);
    }

    ExportLines copy() {
        return new ExportLines(lines);
    }

    List<byte[]> lines() {
        return lines;
    }

    int size() {
        return lines.size();
    }

    /** How many records the first line says there are. */
    int records() {
        return json(0).path("records").intValue();
    }

    JsonNode json(int line) {
        return CanonicalScanner.read(lines.get(line));
    }

    /** The number of the first line that has this member. */
    int first(String member) {
        for (int i = 0; i < lines.size(); i++) {
            if (json(i).has(member)) {
                return i;
            }
        }
        throw new AssertionError("No line has " + member);
    }

    ExportLines without(Predicate<JsonNode> unwanted) {
        lines.removeIf(line -> unwanted.test(CanonicalScanner.read(line)));
        return this;
    }

    ExportLines change(int line, UnaryOperator<ObjectNode> change) {
        lines.set(line, CanonicalJson.bytes(change.apply((ObjectNode) json(line))));
        return this;
    }

    ExportLines header(int records) {
        return change(0, header -> header.put("records", records));
    }

    /** What somebody without the key can do: all hashes are right again, from a record on. */
    ExportLines rechained() {
        int count = records();
        String prev = Entry.NOTHING;
        ReplayDigest replay = new ReplayDigest();
        for (int i = 1; i <= count; i++) {
            ObjectNode record = (ObjectNode) json(i);
            String type = record.path("type").textValue();
            if (record.path("v").longValue() == Entry.VERSION) {
                ObjectNode body = (ObjectNode) record.path("body");
                replay.add(type, new Body(body.path("derived"), body.path("observed")));
                if (type.equals(EventCodec.RUN_FINISHED)) {
                    ((ObjectNode) body.path("observed")).put("replayDigest", replay.value());
                }
            }
            record.put("seq", i - 1).put("prev", prev).remove("hash");
            prev = Digests.hex(CanonicalJson.bytes(record));
            record.put("hash", prev);
            lines.set(i, CanonicalJson.bytes(record));
        }
        return this;
    }

    byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] line : lines) {
            out.writeBytes(line);
            out.write('\n');
        }
        return out.toByteArray();
    }

    Verdict verdict(Collection<VerifyingKey> trusted) {
        return verdict(bytes(), trusted);
    }

    static Verdict verdict(byte[] export, Collection<VerifyingKey> trusted) {
        try {
            return Verifier.trusting(trusted).file(new ByteArrayInputStream(export));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
