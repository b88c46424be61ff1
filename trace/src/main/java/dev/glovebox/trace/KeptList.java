package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A list that was kept, with its elements, so that the next one can be kept by its difference. */
public record KeptList(BlobRef reference, List<JsonNode> elements) {

    /** The content by which a list is kept that may begin like another one. */
    public static byte[] difference(Optional<KeptList> base, List<JsonNode> elements) {
        int common = base.map(list -> commonBeginning(list.elements(), elements)).orElse(0);
        ObjectNode list = JsonNodeFactory.instance.objectNode();
        ArrayNode add = list.putArray("add");
        elements.subList(common, elements.size()).forEach(add::add);
        if (common > 0) {
            list.set("base", base.orElseThrow().reference().json());
            list.put("keep", common);
        }
        list.put("length", elements.size());
        return CanonicalJson.bytes(list);
    }

    private static int commonBeginning(List<JsonNode> one, List<JsonNode> other) {
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
