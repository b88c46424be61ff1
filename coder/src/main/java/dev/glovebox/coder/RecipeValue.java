package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * What a recipe takes out of a sentence.
 *
 * @param byDefault what it is if the sentence does not say
 * @param least of a number, or of how many there are
 * @param find where it stands
 * @param options of a choice, and what they answer to
 */
record RecipeValue(
        String name,
        ValueType type,
        JsonNode byDefault,
        double least,
        double most,
        List<Phrase> find,
        SequencedMap<String, List<Phrase>> options) {

    static final double UNBOUNDED = 1e15;
    private static final int LONGEST_TEXT = 4_000;
    private static final int LONGEST_LIST = 1_000;

    static RecipeValue of(JsonNode json) {
        ValueType type = RecipeJson.oneOf(ValueType.class, json, "type");
        RecipeJson.only(json, List.of("name", "type", "default", "min", "max", "find", "options"));
        SequencedMap<String, List<Phrase>> options = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> option : json.path("options").properties()) {
            options.put(option.getKey(), phrases(option.getValue()));
        }
        if (!json.has("default")) {
            throw new IllegalArgumentException("A value has no default: " + json);
        }
        return new RecipeValue(
                RecipeJson.text(json, "name"),
                type,
                json.path("default"),
                json.path("min").asDouble(smallest(type)),
                json.path("max").asDouble(largest(type)),
                phrases(json.path("find")),
                options);
    }

    private static double smallest(ValueType type) {
        return switch (type) {
            case INTEGER, NUMBER -> -UNBOUNDED;
            default -> 1;
        };
    }

    private static double largest(ValueType type) {
        return switch (type) {
            case TEXT, WORD, DIGITS -> LONGEST_TEXT;
            case NUMBERS, INTEGERS, LABELLED, WORDS, ITEMS, EDGES -> LONGEST_LIST;
            default -> UNBOUNDED;
        };
    }

    static List<Phrase> phrases(JsonNode texts) {
        List<Phrase> phrases = new ArrayList<>();
        texts.forEach(text -> phrases.add(Phrase.of(text.asText())));
        return List.copyOf(phrases);
    }
}
