package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.coder.ExecutionPlan.OutputKind;
import dev.glovebox.sandbox.Language;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A kind of task that can be done without a model.
 *
 * @param title in a few words, for people
 * @param task what is done, with places for values
 * @param strong what names it; one of them must be there
 * @param weak what speaks for it
 * @param not what speaks against it
 * @param programs by their language
 * @param checks expressions, one a line, that what is printed must match
 */
record Recipe(
        String name,
        String title,
        RecipeTemplate task,
        OutputKind output,
        List<Phrase> strong,
        List<Phrase> weak,
        List<Phrase> not,
        List<RecipeValue> values,
        Map<Language, RecipeTemplate> programs,
        RecipeTemplate checks) {

    static Recipe of(
            String name,
            JsonNode json,
            Map<Language, RecipeTemplate> programs,
            RecipeTemplate checks) {
        RecipeJson.only(
                json, List.of("title", "task", "output", "strong", "weak", "not", "values"));
        List<RecipeValue> values = new ArrayList<>();
        json.path("values").forEach(value -> values.add(RecipeValue.of(value)));
        Recipe recipe =
                new Recipe(
                        name,
                        RecipeJson.text(json, "title"),
                        new RecipeTemplate(RecipeJson.text(json, "task")),
                        RecipeJson.oneOf(OutputKind.class, json, "output"),
                        RecipeValue.phrases(json.path("strong")),
                        RecipeValue.phrases(json.path("weak")),
                        RecipeValue.phrases(json.path("not")),
                        List.copyOf(values),
                        Map.copyOf(programs),
                        checks);
        recipe.check();
        return recipe;
    }

    /** All words that it has an answer to. */
    Set<String> stems() {
        Set<String> stems = new HashSet<>();
        Stream.concat(
                        Stream.concat(strong.stream(), weak.stream()),
                        values.stream()
                                .flatMap(value ->
                                        Stream.concat(
                                                value.find().stream(),
                                                value.options().values().stream()
                                                        .flatMap(List::stream))))
                .forEach(phrase -> stems.addAll(phrase.stems()));
        return stems;
    }

    private void check() {
        if (strong.isEmpty()) {
            throw new IllegalArgumentException("Nothing names it: 'strong' is empty");
        }
        if (programs.isEmpty()) {
            throw new IllegalArgumentException("There is no program in any language");
        }
        Set<String> unknown = new TreeSet<>(task.names());
        unknown.addAll(checks.names());
        programs.values().forEach(program -> unknown.addAll(program.names()));
        unknown.removeAll(values.stream().map(RecipeValue::name).collect(Collectors.toSet()));
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("Nobody says what the values " + unknown + " are");
        }
    }

    /** All that it knows of words. */
    List<Phrase> phrases() {
        List<Phrase> phrases = new ArrayList<>(strong);
        phrases.addAll(weak);
        phrases.addAll(not);
        for (RecipeValue value : values) {
            phrases.addAll(value.find());
            value.options().values().forEach(phrases::addAll);
        }
        return phrases;
    }

    /** What its programs must do with these values. */
    List<Check> checks(JsonNode inputs) {
        List<Check> all = new ArrayList<>();
        all.add(new Check.Exits(0));
        checks.fill(inputs, value -> Pattern.quote(plain(value)))
                .lines()
                .filter(line -> !line.isBlank())
                .forEach(line -> all.add(new Check.Matches(line)));
        return all;
    }

    String describe(JsonNode inputs) {
        return task.fill(inputs, Recipe::plain).strip();
    }

    /** For people. */
    static String plain(JsonNode value) {
        if (value.isNumber()) {
            return value.decimalValue().toPlainString();
        }
        if (!value.isArray()) {
            return value.asText();
        }
        List<String> items = new ArrayList<>();
        value.forEach(item -> items.add(item.isArray() ? "[" + plain(item) + "]" : plain(item)));
        return String.join(", ", items);
    }
}
