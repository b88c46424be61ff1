package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Schemas of sealed interfaces as they are checked. Where none of several records fits, a library
 * tells what is wrong with each: that a circle has no side, and that it should be a square. Only
 * the one that was meant says what a model can do about it.
 */
final class SealedSchema {

    private static final String TYPE = ToolJson.TYPE;

    private SealedSchema() {}

    /** The same, made of Java types, with the record chosen by its word before it is looked at. */
    static JsonNode choosing(JsonNode schema) {
        JsonNode copy = schema.deepCopy();
        rewrite(copy);
        return copy;
    }

    private static void rewrite(JsonNode part) {
        if (!(part instanceof ObjectNode schema)) {
            return;
        }
        schema.path("properties").forEach(SealedSchema::rewrite);
        rewrite(schema.path("items"));
        rewrite(schema.path("additionalProperties"));
        if (schema.remove("oneOf") instanceof ArrayNode records) {
            choose(schema, records);
        }
    }

    private static void choose(ObjectNode schema, ArrayNode records) {
        ArrayNode words =
                schema.put("type", "object")
                        .putObject("properties")
                        .putObject(TYPE)
                        .putArray("enum");
        schema.putArray("required").add(TYPE);
        ArrayNode all = schema.putArray("allOf");
        for (JsonNode one : records) {
            rewrite(one);
            JsonNode word = one.path("properties").path(TYPE);
            words.add(word.path("const"));
            ObjectNode choice = all.addObject().set("then", one);
            ObjectNode chosen = choice.putObject("if").put("type", "object");
            chosen.putObject("properties").set(TYPE, word);
            chosen.putArray("required").add(TYPE);
        }
    }
}
