package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Reads the description of a recipe, strictly: a misspelt field is an error. */
final class RecipeJson {

    private RecipeJson() {}

    static String text(JsonNode json, String field) {
        JsonNode value = json.path(field);
        if (!value.isTextual() || value.asText().isBlank()) {
            throw new IllegalArgumentException("There is no text '" + field + "' in " + json);
        }
        return value.asText();
    }

    static <E extends Enum<E>> E oneOf(Class<E> type, JsonNode json, String field) {
        String name = text(json, field);
        for (E constant : type.getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(name)) {
                return constant;
            }
        }
        throw new IllegalArgumentException(
                "'%s' is '%s', and not one of %s"
                        .formatted(field, name, Arrays.toString(type.getEnumConstants())));
    }

    static void only(JsonNode json, List<String> fields) {
        List<String> others = new ArrayList<>();
        json.fieldNames().forEachRemaining(others::add);
        others.removeAll(fields);
        if (!others.isEmpty()) {
            throw new IllegalArgumentException("Nobody reads " + others + "; there are " + fields);
        }
    }
}
