package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.trace.spi.Signed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/**
 * What the old key signs when it is replaced.
 *
 * @param at microseconds since 1970
 * @param log the name of the log
 * @param next the new key
 * @param old the id of the old one
 */
record Rotation(long at, String log, VerifyingKey next, String old) {

    static final byte[] PREFIX = "glovebox-key-rotation-v1\n".getBytes(StandardCharsets.US_ASCII);

    ObjectNode json() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("at", at)
                .put("log", log)
                .put("new", next.hex())
                .put("old", old)
                .put("v", Entry.VERSION);
    }

    byte[] bytes() {
        return CanonicalJson.bytes(json());
    }

    static Rotation read(byte[] rotation) {
        return of(CanonicalScanner.read(rotation));
    }

    static Rotation of(JsonNode json) {
        Members members = new Members("rotation", json);
        Rotation rotation =
                new Rotation(
                        members.natural("at"),
                        members.digest("log"),
                        VerifyingKey.ofHex(members.digest("new")),
                        members.digest("old"));
        members.version();
        members.end();
        return rotation;
    }

    /**
     * Those replacements that took place; a process that died, or was not the first, may have left
     * others behind.
     *
     * @param keys the ids of those that the log names
     */
    static List<Signed> inEffect(List<Signed> rotations, Set<String> keys) {
        try {
            return rotations.stream()
                    .filter(rotation -> keys.contains(read(rotation.statement()).next().id()))
                    .toList();
        } catch (Malformed e) {
            throw Broken.because(e.getMessage());
        }
    }
}
