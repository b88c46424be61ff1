package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Limits in a schema that some vendors refuse; they are checked here, and told when broken. */
final class SchemaLimits {

    private static final String LEAST = "minimum";
    private static final String MOST = "maximum";

    // Anthropic refuses these in the schema of an answer.
    private static final Set<String> ALL =
            Set.of(
                    LEAST,
                    MOST,
                    "exclusiveMinimum",
                    "exclusiveMaximum",
                    "multipleOf",
                    "minLength",
                    "maxLength",
                    "minItems",
                    "maxItems",
                    "uniqueItems");

    // Of a long, and of a float.
    private static final Set<JsonNode> LARGEST =
            Set.of(
                    LongNode.valueOf(Long.MIN_VALUE),
                    LongNode.valueOf(Long.MAX_VALUE),
                    DoubleNode.valueOf(-ParameterSchema.MOST_FLOAT),
                    DoubleNode.valueOf(ParameterSchema.MOST_FLOAT));

    private static final Set<String> MEMBERS = Set.of("properties", "$defs", "definitions");
    private static final Set<String> PARTS =
            Set.of("items", "additionalProperties", "anyOf", "oneOf", "allOf");

    private SchemaLimits() {}

    /** The schema without any. */
    static JsonNode none(JsonNode schema) {
        return stripped(schema, true);
    }

    /**
     * The schema without those of a {@code long} or a {@code float}: they tell a model nothing, and
     * for servers that count with the same numbers they are a limit that is none, on which some
     * fail.
     */
    static JsonNode small(JsonNode schema) {
        return stripped(schema, false);
    }

    private static JsonNode stripped(JsonNode schema, boolean all) {
        JsonNode copy = schema.deepCopy();
        strip(copy, all);
        return copy;
    }

    private static void strip(JsonNode part, boolean all) {
        if (part.isArray()) {
            part.forEach(one -> strip(one, all));
        }
        if (!(part instanceof ObjectNode schema)) {
            return;
        }
        if (all) {
            schema.remove(ALL);
        } else if (LARGEST.contains(schema.path(LEAST)) && LARGEST.contains(schema.path(MOST))) {
            schema.remove(List.of(LEAST, MOST));
        }
        for (Map.Entry<String, JsonNode> word : schema.properties()) {
            if (MEMBERS.contains(word.getKey())) {
                word.getValue().forEach(member -> strip(member, all));
            } else if (PARTS.contains(word.getKey())) {
                strip(word.getValue(), all);
            }
        }
    }
}
