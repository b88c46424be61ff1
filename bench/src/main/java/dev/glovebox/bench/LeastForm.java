package dev.glovebox.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The smallest records that would still hold what a run needs to be resumed, replayed and checked,
 * and what its spans are made of: what is about to be done and what came of it, what each node was
 * given and changed, everything by digest. Nobody reads such records; they show how much of the
 * cost is our choice.
 */
final class LeastForm {

    private static final String REFERENCE = "blob";
    private static final String DIGEST = "f".repeat(64);

    // The call and its result that the model has not seen yet, behind all that it has seen.
    private static final byte[] NEXT_PROMPT =
            ("[\"" + DIGEST + "\",\"" + DIGEST + "\",\"" + DIGEST + "\"]")
                    .getBytes(StandardCharsets.US_ASCII);

    private LeastForm() {}

    /** A record as it would be, if it would be one. */
    static Optional<ObjectNode> of(JsonNode entry) {
        // What a node is given is what the one before has changed.
        if (entry.path("type").asText().equals("node.started")) {
            return Optional.empty();
        }
        ObjectNode least = entry.deepCopy();
        ObjectNode derived = (ObjectNode) least.path("body").path("derived");
        ObjectNode observed = (ObjectNode) least.path("body").path("observed");
        if (derived.has("key")) {
            // The key is the path with the ordinal.
            derived.remove(List.of("path", "ordinal"));
            if (derived.path("details").has("lists")) {
                ((ObjectNode) derived.path("details")).put("lists", DIGEST);
            }
        }
        if (derived.has("delta")) {
            derived.put("input", DIGEST);
        }
        bare(derived);
        bare(observed);
        return Optional.of(least);
    }

    /** References become digests. */
    private static void bare(ObjectNode part) {
        for (var member : part.properties()) {
            if (member.getValue().has(REFERENCE)) {
                member.setValue(member.getValue().get(REFERENCE));
            }
        }
    }

    /**
     * What would come with it.
     *
     * @param contents that come with it as it is
     */
    static List<byte[]> contents(JsonNode entry, List<byte[]> contents) {
        return switch (entry.path("type").asText()) {
            // It names what the outcome has brought.
            case "node.finished" -> List.of();
            case "effect.intent" ->
                    entry.path("body").path("derived").path("kind").asText().equals("model")
                            ? List.of(NEXT_PROMPT)
                            : contents;
            default -> contents;
        };
    }
}
