package dev.glovebox.agent;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what a model wrote as JSON: anything may come. */
final class JsonText {

    private static final int MOST_CHARACTERS = 1 << 20;
    private static final int MOST_DEPTH = 64;
    private static final int MOST_DIGITS = 100;
    private static final int MOST_TOKENS = 50_000;
    private static final int LONGEST_NAME = 100;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    // Texts are short, and are read where they are: there is nothing to recycle.
                    .recyclerPool(JsonRecyclerPools.nonRecyclingPool())
                    // Nor is it worth while to remember the names that models make up.
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxStringLength(MOST_CHARACTERS)
                                    .maxNestingDepth(MOST_DEPTH)
                                    .maxNumberLength(MOST_DIGITS)
                                    .maxTokenCount(MOST_TOKENS)
                                    .build())
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .build();

    private JsonText() {}

    /** Either of them. */
    sealed interface Read {
        record Tree(JsonNode tree) implements Read {}

        record Wrong(JsonProblem problem) implements Read {}
    }

    static Read read(String text) {
        if (text.length() > MOST_CHARACTERS) {
            return wrong(
                    "at most %d characters".formatted(MOST_CHARACTERS),
                    "%d characters".formatted(text.length()));
        }
        JsonNode tree;
        char[] characters = text.toCharArray();
        try (JsonParser parser = FACTORY.createParser(characters, 0, characters.length)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                return new Read.Wrong(JsonProblem.of("", "JSON", NODES.missingNode()));
            }
            tree = tree(parser, first);
            if (parser.nextToken() != null) {
                throw new JsonParseException(parser, "There is more behind its end");
            }
        } catch (JsonProcessingException e) {
            return wrong("JSON", "no JSON: " + e.getOriginalMessage() + place(e));
        } catch (IOException e) {
            throw new UncheckedIOException("Texts are read without input", e);
        }
        return isFinite(tree)
                ? new Read.Tree(tree)
                : new Read.Wrong(infinite(tree, "").orElseThrow());
    }

    /** What a token begins; so deep at most as the parser goes. */
    private static JsonNode tree(JsonParser parser, @Nullable JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> NODES.textNode(parser.getText());
            case VALUE_NUMBER_INT ->
                    switch (parser.getNumberType()) {
                        case INT -> NODES.numberNode(parser.getIntValue());
                        case LONG -> NODES.numberNode(parser.getLongValue());
                        default -> NODES.numberNode(parser.getBigIntegerValue());
                    };
            case VALUE_NUMBER_FLOAT -> PlainNumbers.read(parser.getText());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NODES.nullNode();
            case null, default -> throw new JsonParseException(parser, "A value is missing");
        };
    }

    private static ObjectNode object(JsonParser parser) throws IOException {
        ObjectNode object = NODES.objectNode();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            if (object.replace(name, tree(parser, parser.nextToken())) != null) {
                // Which one of two would the rules have seen?
                throw new JsonParseException(
                        parser, "The field " + Excerpt.line(name, LONGEST_NAME) + " comes twice");
            }
        }
        return object;
    }

    private static ArrayNode array(JsonParser parser) throws IOException {
        ArrayNode array = NODES.arrayNode();
        for (JsonToken next = parser.nextToken();
                next != JsonToken.END_ARRAY;
                next = parser.nextToken()) {
            array.add(tree(parser, next));
        }
        return array;
    }

    private static String place(JsonProcessingException problem) {
        return problem.getLocation() == null
                ? ""
                : ", line %d, column %d"
                        .formatted(
                                problem.getLocation().getLineNr(),
                                problem.getLocation().getColumnNr());
    }

    private static Read wrong(String expected, String got) {
        return new Read.Wrong(new JsonProblem("", expected, got));
    }

    /** Whether it has no number such as 1e999, which is read as infinity: no JSON can hold that. */
    private static boolean isFinite(JsonNode node) {
        if (node.isContainerNode()) {
            for (JsonNode inner : node) {
                if (!isFinite(inner)) {
                    return false;
                }
            }
            return true;
        }
        return !node.isDouble() || Double.isFinite(node.doubleValue());
    }

    /** Where such a number is. */
    private static Optional<JsonProblem> infinite(JsonNode node, String path) {
        if (node.isDouble() && !Double.isFinite(node.doubleValue())) {
            return Optional.of(
                    new JsonProblem(path, "a number below 1.8e308", "one that is larger"));
        }
        Optional<JsonProblem> found = Optional.empty();
        for (int i = 0; node.isArray() && i < node.size() && found.isEmpty(); i++) {
            found = infinite(node.get(i), path + "/" + i);
        }
        if (node.isObject()) {
            for (Map.Entry<String, JsonNode> member : node.properties()) {
                found = found.or(() -> infinite(member.getValue(), path + "/" + member.getKey()));
            }
        }
        return found;
    }
}
