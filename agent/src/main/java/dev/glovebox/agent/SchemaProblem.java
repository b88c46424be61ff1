package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.networknt.schema.Error;
import com.networknt.schema.path.NodePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is told of a value that breaks a schema.
 *
 * <p>A schema may be long, and so may the names in a value, and the one may break the other
 * thousands of times: of neither is more written out than is read.
 */
final class SchemaProblem {

    // In characters; a problem keeps fewer.
    private static final int LONGEST = 400;

    // There are seven types.
    private static final int MOST_TYPES = 7;

    private SchemaProblem() {}

    /**
     * What an error means.
     *
     * @param isOfTypes whether the schema was made of Java types
     */
    static JsonProblem of(Error error, JsonNode value, boolean isOfTypes) {
        List<Object> steps = steps(error.getInstanceLocation());
        String field = pointer(steps, null);
        String keyword = String.valueOf(error.getKeyword());
        JsonNode schema = error.getSchemaNode();
        JsonNode found = found(value, steps);
        return switch (keyword) {
            case "required" ->
                    JsonProblem.of(
                            pointer(steps, error.getProperty()),
                            "a value",
                            MissingNode.getInstance());
            case "additionalProperties", "unevaluatedProperties" ->
                    new JsonProblem(
                            pointer(steps, error.getProperty()),
                            "no such field",
                            "a field of that name");
            case "type" -> JsonProblem.of(field, types(schema), found);
            case "enum" -> JsonProblem.of(field, "one of " + beginning(schema), found);
            case "format" -> JsonProblem.of(field, format(schema, isOfTypes), found);
            default -> JsonProblem.of(field, keyword + " " + beginning(schema), found);
        };
    }

    /** The names and numbers that lead to a place. */
    private static List<Object> steps(NodePath place) {
        List<Object> steps = new ArrayList<>();
        for (NodePath step = place; step.getParent() != null; step = step.getParent()) {
            steps.add(step.getElement(-1));
        }
        return steps.reversed();
    }

    private static JsonNode found(JsonNode value, List<Object> steps) {
        JsonNode found = value;
        for (Object step : steps) {
            found = step instanceof Integer index ? found.path(index) : found.path(step.toString());
        }
        return found;
    }

    private static String pointer(List<Object> steps, @Nullable String property) {
        StringBuilder pointer = new StringBuilder();
        steps.forEach(step -> add(pointer, step.toString()));
        if (property != null) {
            add(pointer, property);
        }
        return pointer.toString();
    }

    private static void add(StringBuilder pointer, String name) {
        if (pointer.length() < LONGEST) {
            String part = Excerpt.beginning(name, LONGEST);
            pointer.append('/').append(part.replace("~", "~0").replace("/", "~1"));
        }
    }

    private static String format(JsonNode word, boolean isOfTypes) {
        return Stream.of(TextFormat.values())
                .filter(format -> isOfTypes && format.word().equals(word.asText()))
                .findFirst()
                .map(TextFormat::expected)
                .orElseGet(() -> "format " + beginning(word));
    }

    private static String types(JsonNode type) {
        return type.isArray()
                ? type.valueStream()
                        .limit(MOST_TYPES)
                        .map(JsonNode::asText)
                        .collect(Collectors.joining(" or "))
                : type.asText();
    }

    /** The beginning of some JSON. */
    private static String beginning(JsonNode json) {
        StringBuilder text = new StringBuilder();
        write(json, text);
        return text.toString();
    }

    private static void write(JsonNode json, StringBuilder text) {
        switch (json.getNodeType()) {
            case ARRAY -> {
                String between = "[";
                for (JsonNode element : json) {
                    if (text.length() > LONGEST) {
                        return;
                    }
                    write(element, text.append(between));
                    between = ",";
                }
                text.append(json.isEmpty() ? "[]" : "]");
            }
            case OBJECT -> {
                String between = "{";
                for (Map.Entry<String, JsonNode> member : json.properties()) {
                    if (text.length() > LONGEST) {
                        return;
                    }
                    quoted(member.getKey(), text.append(between));
                    write(member.getValue(), text.append(':'));
                    between = ",";
                }
                text.append(json.isEmpty() ? "{}" : "}");
            }
            case STRING -> quoted(json.textValue(), text);
            case NUMBER, BOOLEAN, NULL, MISSING, BINARY, POJO -> text.append(json);
        }
    }

    private static void quoted(String words, StringBuilder text) {
        text.append(TextNode.valueOf(Excerpt.beginning(words, LONGEST)));
    }
}
