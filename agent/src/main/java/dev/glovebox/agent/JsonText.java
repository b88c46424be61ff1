package dev.glovebox.agent;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.trace.Buffers;
import java.util.Map;
import java.util.Optional;

/** Reads what a model wrote as JSON: anything may come. */
final class JsonText {

    private static final int MOST_CHARACTERS = 1 << 20;
    private static final int MOST_DEPTH = 64;
    private static final int MOST_DIGITS = 100;
    private static final int MOST_TOKENS = 50_000;

    private static final ObjectReader READER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .recyclerPool(Buffers.SHARED)
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxStringLength(MOST_CHARACTERS)
                                                    .maxNestingDepth(MOST_DEPTH)
                                                    .maxNumberLength(MOST_DIGITS)
                                                    .maxTokenCount(MOST_TOKENS)
                                                    .build())
                                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                                    .build())
                    // Which one of two would the rules have seen?
                    .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build()
                    .reader();

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
        try {
            tree = READER.readTree(text);
        } catch (JsonProcessingException e) {
            return wrong("JSON", "no JSON: " + e.getOriginalMessage() + place(e));
        }
        if (tree.isMissingNode()) {
            return new Read.Wrong(JsonProblem.of("", "JSON", tree));
        }
        return isFinite(tree)
                ? new Read.Tree(tree)
                : new Read.Wrong(infinite(tree, "").orElseThrow());
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
