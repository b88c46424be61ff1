package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/** What the log of an installation says. */
sealed interface Leaf {

    /** When it was noted, in microseconds since 1970. */
    long at();

    ObjectNode json();

    default byte[] bytes() {
        return CanonicalJson.bytes(json());
    }

    /** A run had this record at this place. */
    record OfRecord(long at, String hash, String run, long seq, Seals.Mark mark) implements Leaf {

        @Override
        public ObjectNode json() {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("at", at)
                    .put("hash", hash)
                    .put("run", run)
                    .put("seq", seq)
                    .put("type", mark.name().toLowerCase(Locale.ROOT));
        }
    }

    /** From here on heads are signed with the key of this id. */
    record OfKey(long at, String key) implements Leaf {

        private static final String TYPE = "key";

        @Override
        public ObjectNode json() {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("at", at)
                    .put("key", key)
                    .put("type", TYPE);
        }
    }

    /**
     * Reads a leaf.
     *
     * @throws Malformed if the bytes are not exactly one
     */
    static Leaf read(byte[] leaf) {
        return of(CanonicalScanner.read(leaf));
    }

    static Leaf of(JsonNode json) {
        Members members = new Members("leaf", json);
        String type = members.text("type");
        long at = members.natural("at");
        Leaf leaf =
                type.equals(OfKey.TYPE)
                        ? new OfKey(at, members.digest("key"))
                        : new OfRecord(
                                at,
                                members.digest("hash"),
                                members.text("run"),
                                members.natural("seq"),
                                mark(type));
        members.end();
        return leaf;
    }

    private static Seals.Mark mark(String type) {
        return switch (type) {
            case "start" -> Seals.Mark.START;
            case "mark" -> Seals.Mark.MARK;
            case "end" -> Seals.Mark.END;
            default -> throw new Malformed("There is no leaf of the type '" + type + "'");
        };
    }
}
