package dev.glovebox.trace;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;

/** A list that was kept, with its elements, so that the next one can be kept by its difference. */
public record KeptList(BlobRef reference, List<JsonNode> elements) {

    /** What the first list continues. */
    public static final KeptList EMPTY =
            new KeptList(
                    Blob.of("{\"add\":[],\"length\":0}".getBytes(US_ASCII)).reference(BlobRef.LIST),
                    List.of());

    /** The content by which a list is kept that may begin like this one. */
    public byte[] difference(List<JsonNode> other) {
        return difference(other, common(other));
    }

    /**
     * The same.
     *
     * @param common how many elements they have in common, from the first one on
     */
    byte[] difference(List<JsonNode> other, int common) {
        ByteText list = new ByteText();
        list.ascii("{\"add\":[");
        for (int i = common; i < other.size(); i++) {
            if (i > common) {
                list.add(',');
            }
            CanonicalJson.write(other.get(i), list);
        }
        list.add(']');
        if (common > 0) {
            list.ascii(",\"base\":");
            reference.write(list);
            list.ascii(",\"keep\":" + common);
        }
        list.ascii(",\"length\":" + other.size() + "}");
        return list.bytes();
    }

    /** How many elements another one has in common with this one, from the first one on. */
    int common(List<JsonNode> other) {
        if (other instanceof Appended<JsonNode> longer && longer.continues(elements)) {
            return elements.size();
        }
        int most = Math.min(elements.size(), other.size());
        int common = 0;
        while (common < most && same(elements.get(common), other.get(common))) {
            common++;
        }
        return common;
    }

    private static boolean same(JsonNode one, JsonNode other) {
        // A number that was read from a trace is not equal to the one that was written: one is an
        // int, the other one a long.
        return one.equals(other)
                || Arrays.equals(CanonicalJson.bytes(one), CanonicalJson.bytes(other));
    }
}
