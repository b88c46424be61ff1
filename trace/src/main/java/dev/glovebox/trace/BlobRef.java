package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Consumer;

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
    private static final byte[] FIRST = ascii("{\"blob\":");
    private static final byte[] BYTES_NEXT = ascii(",\"bytes\":");
    private static final byte[] MEDIA_NEXT = ascii(",\"media\":");
    private static final byte[] SALTED_NEXT = ascii(",\"salted\":true");
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

    /** Writes it as it stands in a record. */
    void write(ByteText out) {
        out.add(FIRST);
        out.add('"');
        out.ascii(digest);
        out.add('"');
        out.add(BYTES_NEXT);
        out.number(bytes);
        if (!media.equals(BYTES)) {
            out.add(MEDIA_NEXT);
            CanonicalJson.string(media, out);
        }
        if (salted) {
            out.add(SALTED_NEXT);
        }
        out.add('}');
    }

    /**
     * Gives each reference in canonical JSON.
     *
     * <p>In this form a quoted {@code blob} with a colon behind it is a name, unless a backslash
     * stands before it; behind an opening brace it begins an object, behind a comma it does not.
     *
     * @throws Malformed if one of them is not as it should be
     */
    static void find(byte[] text, int from, int to, Consumer<BlobRef> each) {
        int at = from;
        while (at + FIRST.length <= to) {
            if (text[at + 1] != '"'
                    || !Arrays.equals(text, at + 1, at + FIRST.length, FIRST, 1, FIRST.length)) {
                at++;
            } else if (text[at] == '{') {
                CanonicalScanner scanner = new CanonicalScanner(text, at, to);
                each.accept(read(text, scanner));
                at = scanner.at();
            } else if (text[at] == ',') {
                throw new Malformed("A reference has a member that it should not have");
            } else {
                at++;
            }
        }
    }

    /**
     * Gives each reference in JSON.
     *
     * @throws Malformed if one of them is not as it should be
     */
    static void find(JsonNode json, Consumer<BlobRef> each) {
        if (json.has(MEMBER)) {
            each.accept(of(json));
        } else {
            for (JsonNode inner : json) {
                find(inner, each);
            }
        }
    }

    /** Takes a reference. */
    static BlobRef read(byte[] text, CanonicalScanner scanner) {
        scanner.expect(FIRST);
        int from = scanner.at();
        scanner.string();
        String digest = inner(text, from, scanner.at());
        scanner.expect(BYTES_NEXT);
        long bytes = scanner.integer();
        String media = BYTES;
        if (scanner.took(MEDIA_NEXT)) {
            from = scanner.at();
            scanner.string();
            media = CanonicalScanner.parse(text, from, scanner.at()).textValue();
        }
        boolean salted = scanner.took(SALTED_NEXT);
        if (!scanner.took('}')) {
            throw new Malformed("Not a reference to a blob");
        }
        return new BlobRef(digest, bytes, media, salted);
    }

    private static String inner(byte[] text, int from, int to) {
        return new String(text, from + 1, to - from - 2, StandardCharsets.ISO_8859_1);
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
                        && node.path("bytes").isIntegralNumber()
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

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
