package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A list that was kept, with its elements, so that the next one can be kept by its difference. */
public record KeptList(BlobRef reference, List<JsonNode> elements) {

    /** The content by which a list is kept that may begin like another one. */
    public static byte[] difference(Optional<KeptList> base, List<JsonNode> elements) {
        return difference(base, elements, common(base, elements));
    }

    /** How many elements it has in common with the other one, from the first one on. */
    static int common(Optional<KeptList> base, List<JsonNode> elements) {
        return base.map(list -> commonBeginning(list.elements(), elements)).orElse(0);
    }

    static byte[] difference(Optional<KeptList> base, List<JsonNode> elements, int common) {
        ByteText list = new ByteText();
        list.ascii("{\"add\":[");
        for (int i = common; i < elements.size(); i++) {
            if (i > common) {
                list.add(',');
            }
            CanonicalJson.write(elements.get(i), list);
        }
        list.add(']');
        if (common > 0) {
            list.ascii(",\"base\":");
            base.orElseThrow().reference().write(list);
            list.ascii(",\"keep\":" + common);
        }
        list.ascii(",\"length\":" + elements.size() + "}");
        return list.bytes();
    }

    private static int commonBeginning(List<JsonNode> one, List<JsonNode> other) {
        if (other instanceof Appended<JsonNode> longer && longer.continues(one)) {
            return one.size();
        }
        int most = Math.min(one.size(), other.size());
        int common = 0;
        while (common < most && same(one.get(common), other.get(common))) {
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
