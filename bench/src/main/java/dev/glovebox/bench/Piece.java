package dev.glovebox.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A record, as it is or as it might be, with the contents that come with it.
 *
 * @param entry the record
 * @param contents that no record before it has brought
 */
record Piece(JsonNode entry, List<byte[]> contents) {

    static final String INTENT = "effect.intent";

    String type() {
        return entry.path("type").asText();
    }

    /**
     * Puts all in one record that happened between two effects: what came of one, what its node
     * made of that, and what is about to be done next. Before each effect there must be a record,
     * so there cannot be fewer.
     */
    static List<Piece> together(List<Piece> pieces) {
        List<Piece> all = new ArrayList<>();
        List<Piece> open = new ArrayList<>();
        for (Piece piece : pieces) {
            open.add(piece);
            if (piece.type().equals(INTENT)) {
                all.add(one(open));
                open.clear();
            }
        }
        all.add(one(open));
        return all;
    }

    private static Piece one(List<Piece> pieces) {
        ObjectNode entry = pieces.getFirst().entry().deepCopy();
        ArrayNode derived = JsonNodeFactory.instance.arrayNode();
        ArrayNode observed = JsonNodeFactory.instance.arrayNode();
        List<byte[]> contents = new ArrayList<>();
        for (Piece piece : pieces) {
            JsonNode body = piece.entry().path("body");
            derived.add(body.path("derived").<ObjectNode>deepCopy().put("type", piece.type()));
            observed.add(body.path("observed"));
            contents.addAll(piece.contents());
        }
        ObjectNode body = (ObjectNode) entry.path("body");
        body.set("derived", derived);
        body.set("observed", observed);
        entry.put("type", "events");
        return new Piece(entry, contents);
    }
}
