package dev.glovebox.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The smallest records that would still hold what a run needs to be resumed, replayed and checked,
 * and what its spans are made of: what is about to be done and what came of it, what each node was
 * given and changed, everything by digest. Nobody reads such records; they show how much of the
 * cost is our choice.
 */
final class LeastForm {

    private static final String BLOB = "blob";
    private static final String DIGEST = "f".repeat(64);
    private static final String REFERENCE = "{\"blob\":\"" + DIGEST + "\",\"bytes\":200}";
    private static final String LIST =
            "{\"blob\":\""
                    + DIGEST
                    + "\",\"bytes\":400,\"media\":\"application/vnd.glovebox.list+json\"}";

    /** With bare digests, of which a verifier could not tell what they are of. */
    static final LeastForm OF_ALL =
            new LeastForm(
                    reference -> reference.get(BLOB),
                    // The call and its result that the model has not seen yet, behind all that it
                    // has seen.
                    "[\"" + DIGEST + "\",\"" + DIGEST + "\",\"" + DIGEST + "\"]");

    /** As far as the trace format allows it, with references and lists as it has them. */
    static final LeastForm OF_FORMAT =
            new LeastForm(
                    LeastForm::withoutMedia,
                    "{\"add\":["
                            + REFERENCE
                            + ","
                            + REFERENCE
                            + "],\"base\":"
                            + LIST
                            + ",\"keep\":51,\"length\":53}");

    private final UnaryOperator<JsonNode> reference;
    private final byte[] nextPrompt;

    private LeastForm(UnaryOperator<JsonNode> reference, String nextPrompt) {
        this.reference = reference;
        this.nextPrompt = nextPrompt.getBytes(StandardCharsets.US_ASCII);
    }

    private static JsonNode withoutMedia(JsonNode reference) {
        ObjectNode shorter = reference.deepCopy();
        if (!shorter.path("media").asText().contains("list")) {
            shorter.remove("media");
        }
        return shorter;
    }

    /** The records as they would be. */
    List<Piece> of(List<Piece> pieces) {
        return pieces.stream()
                // What a node is given is what the one before has changed.
                .filter(piece -> !piece.type().equals("node.started"))
                .map(piece -> new Piece(least(piece.entry()), contents(piece)))
                .toList();
    }

    private ObjectNode least(JsonNode entry) {
        ObjectNode least = entry.deepCopy();
        ObjectNode derived = (ObjectNode) least.path("body").path("derived");
        ObjectNode observed = (ObjectNode) least.path("body").path("observed");
        if (derived.has("key")) {
            // The key is the path with the ordinal.
            derived.remove(List.of("path", "ordinal"));
            JsonNode prompt = derived.path("details").path("lists").path("messages");
            if (prompt.has(BLOB)) {
                ((ObjectNode) derived.path("details")).set("lists", reference.apply(prompt));
            }
        }
        if (derived.has("delta")) {
            derived.set("input", derived.get("delta"));
        }
        refer(derived);
        refer(observed);
        return least;
    }

    private void refer(ObjectNode part) {
        for (var member : part.properties()) {
            if (member.getValue().has(BLOB)) {
                member.setValue(reference.apply(member.getValue()));
            }
        }
    }

    private List<byte[]> contents(Piece piece) {
        return switch (piece.type()) {
            // It names what the outcome has brought.
            case "node.finished" -> List.of();
            case Piece.INTENT ->
                    piece.entry().path("body").path("derived").path("kind").asText().equals("model")
                            ? List.of(nextPrompt)
                            : piece.contents();
            default -> piece.contents();
        };
    }
}
