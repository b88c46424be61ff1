package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.coder.SentenceToken.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a sentence says of the values of a recipe.
 *
 * <p>First those that stand where the recipe expects them, then those that can be told by what they
 * are. No part of a sentence is two values.
 */
final class RecipeValues {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Recipe recipe;
    private final Sentence sentence;
    private final ValueReader reader;
    private final Map<String, JsonNode> found = new LinkedHashMap<>();
    private final Set<Integer> words = new HashSet<>();
    private final List<String> torn = new ArrayList<>();

    private RecipeValues(Recipe recipe, Sentence sentence, ValueReader reader) {
        this.recipe = recipe;
        this.sentence = sentence;
        this.reader = reader;
    }

    /**
     * Looks for them.
     *
     * @param named the first of the words that name the recipe
     * @param occupied pieces that mean something else, such as the name of a language
     */
    static RecipeValues in(
            Sentence sentence,
            Recipe recipe,
            Vocabulary vocabulary,
            int named,
            Set<Integer> occupied) {
        ValueReader reader = new ValueReader(sentence, vocabulary, named, occupied);
        RecipeValues values = new RecipeValues(recipe, sentence, reader);
        values.look();
        return values;
    }

    private void look() {
        for (RecipeValue value : recipe.values()) {
            if (value.type() == ValueType.CHOICE || value.type() == ValueType.CHOICES) {
                choose(value);
            } else {
                expected(value);
            }
        }
        for (RecipeValue value : recipe.values()) {
            if (!found.containsKey(value.name()) && value.options().isEmpty()) {
                boolean bare = value.find().stream().anyMatch(phrase -> !phrase.anchored());
                reader.anywhere(value.type(), bare)
                        .ifPresent(read -> found.put(value.name(), read));
            }
        }
    }

    private void expected(RecipeValue value) {
        for (Phrase phrase : value.find()) {
            Optional<Phrase.Match> match =
                    phrase.anchored()
                            ? phrase.in(sentence, place -> reader.fits(value.type(), place))
                            : Optional.empty();
            if (match.isPresent()) {
                Optional<JsonNode> read =
                        reader.at(value.type(), match.get().hole(), match.get().rest());
                if (read.isPresent()) {
                    found.put(value.name(), read.get());
                    words.addAll(match.get().tokens());
                    return;
                }
            }
        }
    }

    /** Of several that are named, the one with most words counts, and of those the first. */
    private void choose(RecipeValue value) {
        ArrayNode all = JSON.arrayNode();
        Map<String, Set<Integer>> places = new LinkedHashMap<>();
        String best = "";
        int most = 0;
        int first = Integer.MAX_VALUE;
        for (Map.Entry<String, List<Phrase>> option : value.options().entrySet()) {
            boolean named = false;
            for (Phrase phrase : option.getValue()) {
                Optional<Phrase.Match> match = phrase.in(sentence);
                if (match.isEmpty()) {
                    continue;
                }
                named = true;
                words.addAll(match.get().tokens());
                places.computeIfAbsent(option.getKey(), key -> new HashSet<>())
                        .addAll(match.get().tokens());
                int start = match.get().tokens().stream().min(Integer::compare).orElse(0);
                if (phrase.words() > most || (phrase.words() == most && start < first)) {
                    best = option.getKey();
                    most = phrase.words();
                    first = start;
                }
            }
            if (named) {
                all.add(option.getKey());
            }
        }
        if (!all.isEmpty()) {
            found.put(value.name(), value.type() == ValueType.CHOICES ? all : JSON.textNode(best));
        }
        if (value.type() == ValueType.CHOICE) {
            lookForOthers(best, places);
        }
    }

    /** Only one can be chosen: what else is asked for would not be done. */
    private void lookForOthers(String best, Map<String, Set<Integer>> places) {
        Set<Integer> chosen = places.getOrDefault(best, Set.of());
        places.forEach((option, there) -> {
            if (Collections.disjoint(there, chosen)) {
                torn.add("both %s and %s are asked for".formatted(best, option));
            }
        });
    }

    /** Whether a number is a value, or one of several. */
    boolean has(BigDecimal number) {
        return found.values().stream().anyMatch(value -> has(value, number));
    }

    private static boolean has(JsonNode value, BigDecimal number) {
        return value.isNumber()
                ? value.decimalValue().compareTo(number) == 0
                : value.valueStream().anyMatch(inner -> has(inner, number));
    }

    /** By name, in the order of the recipe. */
    ObjectNode inputs() {
        ObjectNode inputs = JSON.objectNode();
        for (RecipeValue value : recipe.values()) {
            inputs.set(value.name(), found.getOrDefault(value.name(), value.byDefault()));
        }
        return inputs;
    }

    /** Those that matter, and that the sentence does not say. */
    List<String> assumed() {
        Set<String> matter = recipe.task().names(inputs());
        return recipe.values().stream()
                .map(RecipeValue::name)
                .filter(name -> matter.contains(name) && !found.containsKey(name))
                .toList();
    }

    /** The types of those that it says. */
    List<ValueType> given() {
        return recipe.values().stream()
                .filter(value -> found.containsKey(value.name()))
                .map(RecipeValue::type)
                .toList();
    }

    /** All pieces of the sentence that are values, or lead to one. */
    Set<Integer> explained() {
        Set<Integer> explained = new HashSet<>(words);
        explained.addAll(reader.taken());
        return explained;
    }

    /** What is too large or too small for the recipe, in words. */
    List<String> problems() {
        List<String> problems = new ArrayList<>(torn);
        for (RecipeValue value : recipe.values()) {
            JsonNode read = found.get(value.name());
            if (read == null) {
                continue;
            }
            double size =
                    switch (value.type()) {
                        case INTEGER, NUMBER, MONTH -> read.asDouble();
                        case TEXT, WORD, DIGITS -> read.asText().length();
                        case NUMBERS, INTEGERS, LABELLED, WORDS, ITEMS, MATRIX, EDGES ->
                                read.size();
                        case CHOICE, CHOICES, FILE, DATE, SUDOKU -> value.least();
                    };
            if (size < value.least() || size > value.most()) {
                problems.add(
                        "'%s' is %s%s here; the recipe takes %s to %s"
                                .formatted(
                                        value.name(),
                                        read.isNumber() ? "" : "of length ",
                                        number(size),
                                        number(value.least()),
                                        number(value.most())));
            }
        }
        for (RecipeValue value : recipe.values()) {
            JsonNode read = found.get(value.name());
            if (value.type() == ValueType.INTEGERS && read != null && hasFraction(read)) {
                problems.add("'%s' must be whole numbers".formatted(value.name()));
            }
        }
        boolean noSuchDay =
                sentence.indexes(Kind.DATE)
                        .anyMatch(place -> sentence.tokens().get(place).text().isEmpty());
        if (noSuchDay) {
            problems.add("there is no such day in the calendar");
        }
        return problems;
    }

    private static boolean hasFraction(JsonNode numbers) {
        for (JsonNode number : numbers) {
            if (!number.isIntegralNumber()) {
                return true;
            }
        }
        return false;
    }

    private static String number(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }
}
