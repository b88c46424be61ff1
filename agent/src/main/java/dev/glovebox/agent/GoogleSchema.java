package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.chat.request.json.JsonAnyOfSchema;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonBooleanSchema;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonNullSchema;
import dev.langchain4j.model.chat.request.json.JsonNumberSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A JSON schema in the few words that Google's models take for the parameters of a tool: types,
 * texts to choose from, members, elements, alternatives. What else it asks for is checked when the
 * tool is called, and told then.
 *
 * <p>References are followed, since there are none; what refers to itself is open from some depth
 * on.
 */
final class GoogleSchema {

    private static final int DEEPEST = 8;
    // References make it a tree, and one of a stranger's may be a large one.
    private static final int MOST_PARTS = 2_000;

    private final JsonNode root;
    private int parts;

    private GoogleSchema(JsonNode root) {
        this.root = root;
    }

    /** The schema of an object. */
    static JsonObjectSchema of(JsonNode schema) {
        return new GoogleSchema(schema).object(schema, null, DEEPEST);
    }

    private JsonSchemaElement element(JsonNode raw, int depth) {
        JsonNode schema = resolved(raw);
        String said = schema.path("description").asText(raw.path("description").asText(""));
        String description = said.isEmpty() ? null : said;
        if (depth == 0 || ++parts > MOST_PARTS) {
            return JsonObjectSchema.builder().description(description).build();
        }
        List<JsonNode> choices = choices(schema);
        if (!choices.isEmpty()) {
            return JsonAnyOfSchema.builder()
                    .description(description)
                    .anyOf(choices.stream().map(one -> element(one, depth - 1)).toList())
                    .build();
        }
        List<String> texts = texts(schema);
        if (!texts.isEmpty()) {
            return JsonEnumSchema.builder().description(description).enumValues(texts).build();
        }
        return switch (schema.path("type").asText()) {
            case "string" -> JsonStringSchema.builder().description(description).build();
            case "integer" -> JsonIntegerSchema.builder().description(description).build();
            case "number" -> JsonNumberSchema.builder().description(description).build();
            case "boolean" -> JsonBooleanSchema.builder().description(description).build();
            case "null" -> new JsonNullSchema();
            case "array" ->
                    JsonArraySchema.builder()
                            .description(description)
                            .items(element(schema.path("items"), depth - 1))
                            .build();
            default -> object(schema, description, depth);
        };
    }

    private JsonObjectSchema object(JsonNode schema, @Nullable String description, int depth) {
        JsonObjectSchema.Builder object = JsonObjectSchema.builder().description(description);
        schema.path("properties")
                .properties()
                .forEach(member ->
                        object.addProperty(member.getKey(), element(member.getValue(), depth - 1)));
        List<String> required =
                schema.path("required")
                        .valueStream()
                        .map(JsonNode::asText)
                        .filter(schema.path("properties")::has)
                        .toList();
        return object.required(required).build();
    }

    /** What a reference within the schema refers to. */
    private JsonNode resolved(JsonNode schema) {
        JsonNode at = schema;
        for (int steps = 0; at.has("$ref") && steps < DEEPEST; steps++) {
            String reference = at.path("$ref").asText();
            at = reference.startsWith("#/") ? root.at(reference.substring(1)) : root.path("");
        }
        return at;
    }

    private static List<JsonNode> choices(JsonNode schema) {
        List<JsonNode> choices = new ArrayList<>();
        Stream.of("anyOf", "oneOf").forEach(word -> schema.path(word).forEach(choices::add));
        if (choices.isEmpty() && schema.path("type").isArray()) {
            schema.path("type")
                    .forEach(type ->
                            choices.add(schema.<ObjectNode>deepCopy().put("type", type.asText())));
        }
        return choices;
    }

    private static List<String> texts(JsonNode schema) {
        Stream<JsonNode> values =
                schema.has("const")
                        ? Stream.of(schema.path("const"))
                        : schema.path("enum").valueStream();
        List<JsonNode> all = values.toList();
        return Optional.of(all)
                .filter(known -> known.stream().allMatch(JsonNode::isTextual))
                .map(known -> known.stream().map(JsonNode::asText).toList())
                .orElse(List.of());
    }
}
