package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What a schema says of members that are not there. */
final class ToolDefaults {

    private static final int MOST_DEPTH = 64;

    private ToolDefaults() {}

    /**
     * Fills in defaults. Members that need not be there, and are null though they must not be, are
     * taken away first: some models write each member that there is.
     */
    static void fill(JsonNode schema, ObjectNode arguments) {
        fill(schema, schema, arguments, MOST_DEPTH);
    }

    private static void fill(JsonNode root, JsonNode schema, JsonNode value, int depth) {
        JsonNode known = resolved(root, schema, MOST_DEPTH);
        if (depth == 0) {
            return;
        }
        if (value instanceof ObjectNode object) {
            List<String> required =
                    known.path("required").valueStream().map(JsonNode::asText).toList();
            known.path("properties")
                    .properties()
                    .forEach(member -> {
                        String name = member.getKey();
                        JsonNode property = resolved(root, member.getValue(), MOST_DEPTH);
                        if (object.path(name).isNull()
                                && !required.contains(name)
                                && !allowsNull(property)) {
                            object.remove(name);
                        }
                        if (!object.has(name) && property.has("default")) {
                            object.set(name, property.get("default").deepCopy());
                        }
                        fill(root, property, object.path(name), depth - 1);
                    });
        } else if (value.isArray() && known.path("items").isObject()) {
            value.forEach(item -> fill(root, known.path("items"), item, depth - 1));
        }
    }

    private static boolean allowsNull(JsonNode schema) {
        JsonNode type = schema.path("type");
        return type.isMissingNode()
                || type.asText().equals("null")
                || type.valueStream().anyMatch(one -> one.asText().equals("null"));
    }

    private static JsonNode resolved(JsonNode root, JsonNode schema, int most) {
        String reference = schema.path("$ref").asText();
        if (!reference.startsWith("#/") || most == 0) {
            return schema;
        }
        return resolved(root, root.at(reference.substring(1)), most - 1);
    }
}
