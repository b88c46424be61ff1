package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/**
 * Names content by its digest.
 *
 * @param digest SHA-256 of the content, behind its salt if it is salted
 * @param bytes the length of the content
 * @param media the media type
 * @param salted whether nobody can tell by the digest whether a guessed content is right
 */
public record BlobRef(String digest, long bytes, String media, boolean salted) {

    /** Content of no declared kind. */
    public static final String BYTES = "application/octet-stream";

    public static final String TEXT = "text/plain";
    public static final String JSON = "application/json";

    /** A list that may continue another one; see the trace format. */
    public static final String LIST = "application/vnd.glovebox.list+json";

    static final String MEMBER = "blob";
    private static final Set<String> MEMBERS = Set.of(MEMBER, "bytes", "media", "salted");

    public BlobRef {
        if (!Digests.valid(digest)) {
            throw new Malformed("Not a digest: '" + digest + "'");
        }
        if (bytes < 0) {
            throw new Malformed("A blob of " + bytes + " bytes");
        }
    }

    public boolean list() {
        return media.equals(LIST);
    }

    /** As it stands in a record. */
    public ObjectNode json() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put(MEMBER, digest);
        node.put("bytes", bytes);
        if (!media.equals(BYTES)) {
            node.put("media", media);
        }
        if (salted) {
            node.put("salted", true);
        }
        return node;
    }

    /** Whether an object is a reference, right or wrong. */
    static boolean looksLike(JsonNode node) {
        return node.isObject() && node.has(MEMBER);
    }

    /**
     * Reads a reference.
     *
     * @throws Malformed if it is none
     */
    public static BlobRef of(JsonNode node) {
        for (var member : node.properties()) {
            if (!MEMBERS.contains(member.getKey())) {
                throw new Malformed("A reference has no member '" + member.getKey() + "'");
            }
        }
        JsonNode media = node.path("media");
        JsonNode salted = node.path("salted");
        boolean right =
                node.path(MEMBER).isTextual()
                        && node.path("bytes").canConvertToLong()
                        && (media.isMissingNode() || media.isTextual())
                        && (salted.isMissingNode() || salted.equals(BooleanNode.TRUE));
        if (!right) {
            throw new Malformed("Not a reference to a blob");
        }
        return new BlobRef(
                node.get(MEMBER).textValue(),
                node.get("bytes").longValue(),
                media.isMissingNode() ? BYTES : media.textValue(),
                !salted.isMissingNode());
    }
}
