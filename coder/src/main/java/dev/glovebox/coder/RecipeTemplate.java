package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text with places for values.
 *
 * <p>{@code {{name}}} is the value. Lines from {@code {% if name option option %}} to {@code {% end
 * %}} are there only if the value is one of the options, or holds one.
 */
final class RecipeTemplate {

    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");
    private static final Pattern IF = Pattern.compile("\\s*\\{% if (\\w+)((?: [\\w-]+)+) %}\\s*");
    private static final Pattern END = Pattern.compile("\\s*\\{% end %}\\s*");

    private final String text;

    RecipeTemplate(String text) {
        this.text = text;
        check();
    }

    private void check() {
        int depth = 0;
        for (String line : text.split("\n", -1)) {
            if (IF.matcher(line).matches()) {
                depth++;
            } else if (END.matcher(line).matches()) {
                depth--;
            } else if (line.contains("{%")) {
                throw new IllegalArgumentException("Neither an if nor an end: " + line.strip());
            }
            if (depth < 0) {
                throw new IllegalArgumentException("There is an end without an if");
            }
        }
        if (depth > 0) {
            throw new IllegalArgumentException("There is an if without an end");
        }
    }

    /** All values that it asks for. */
    Set<String> names() {
        Set<String> names = new HashSet<>();
        PLACE.matcher(text).results().forEach(place -> names.add(place.group(1)));
        text.lines()
                .map(IF::matcher)
                .filter(Matcher::matches)
                .forEach(line -> names.add(line.group(1)));
        return names;
    }

    /** Those that matter, as the others are: what decides on lines, and what is in those kept. */
    Set<String> names(JsonNode inputs) {
        Set<String> names = new HashSet<>();
        text.lines()
                .map(IF::matcher)
                .filter(Matcher::matches)
                .forEach(line -> names.add(line.group(1)));
        for (String line : kept(inputs)) {
            PLACE.matcher(line).results().forEach(place -> names.add(place.group(1)));
        }
        return names;
    }

    /**
     * With values.
     *
     * @param inputs by name
     * @param written how one is written
     */
    String fill(JsonNode inputs, Function<JsonNode, String> written) {
        StringBuilder out = new StringBuilder();
        for (String line : kept(inputs)) {
            // In one pass: a value that looks like a place stays what it is.
            out.append(PLACE.matcher(line).replaceAll(place -> written(place, inputs, written)))
                    .append('\n');
        }
        return out.toString();
    }

    private static String written(
            MatchResult place, JsonNode inputs, Function<JsonNode, String> written) {
        return Matcher.quoteReplacement(written.apply(inputs.path(place.group(1))));
    }

    private List<String> kept(JsonNode inputs) {
        List<String> lines = new ArrayList<>();
        Deque<Boolean> kept = new ArrayDeque<>();
        for (String line : text.strip().split("\n", -1)) {
            Matcher condition = IF.matcher(line);
            if (condition.matches()) {
                kept.push(holds(inputs.path(condition.group(1)), condition.group(2)));
            } else if (END.matcher(line).matches()) {
                kept.pop();
            } else if (!kept.contains(false)) {
                lines.add(line);
            }
        }
        return lines;
    }

    private static boolean holds(JsonNode value, String options) {
        Set<String> wanted = Set.of(options.strip().split(" "));
        if (!value.isArray()) {
            return wanted.contains(value.asText());
        }
        for (JsonNode item : value) {
            if (wanted.contains(item.asText())) {
                return true;
            }
        }
        return false;
    }
}
