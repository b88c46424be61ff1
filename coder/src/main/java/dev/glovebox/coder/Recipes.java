package dev.glovebox.coder;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.glovebox.sandbox.Language;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * All recipes that there are: folders with {@code recipe.json}, {@code main.py}, {@code main.js}
 * and {@code checks.txt}.
 */
final class Recipes {

    /** Names the folders: those of a jar cannot be listed. */
    static final String INDEX = "index.txt";

    private static final String WORDS = "words.json";
    private static final List<Language> LANGUAGES = List.of(Language.PYTHON, Language.JAVASCRIPT);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Recipe> byName;
    private final JsonNode words;

    private Recipes(Map<String, Recipe> byName, JsonNode words) {
        this.byName = byName;
        this.words = words;
    }

    /** Read once, when they are first wanted. */
    private static final class Standard {
        private static final Recipes ALL = read();

        private static Recipes read() {
            Map<String, Recipe> recipes = new TreeMap<>();
            required(INDEX)
                    .lines()
                    .forEach(name ->
                            recipes.put(name, recipe(name, file -> resource(name + "/" + file))));
            return new Recipes(recipes, json(required(WORDS)));
        }
    }

    /** Those that come with it. */
    static Recipes standard() {
        return Standard.ALL;
    }

    /**
     * And those of a folder, each in a folder of its own. One with the name of another replaces it.
     *
     * @throws IllegalArgumentException if one cannot be used, with its name and the reason
     */
    Recipes with(Path folder) {
        Map<String, Recipe> more = new TreeMap<>(byName);
        try (Stream<Path> folders = Files.list(folder)) {
            for (Path each : folders.filter(Files::isDirectory).sorted().toList()) {
                String name = each.getFileName().toString();
                more.put(name, recipe(name, file -> read(each.resolve(file))));
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("No recipes can be read from " + folder, e);
        }
        return new Recipes(more, words);
    }

    private static Recipe recipe(String name, Function<String, Optional<String>> file) {
        try {
            Map<Language, RecipeTemplate> programs = new EnumMap<>(Language.class);
            for (Language language : LANGUAGES) {
                file.apply(language.filename())
                        .ifPresent(text -> programs.put(language, new RecipeTemplate(text)));
            }
            String description =
                    file.apply("recipe.json")
                            .orElseThrow(
                                    () -> new IllegalArgumentException("There is no recipe.json"));
            RecipeTemplate checks = new RecipeTemplate(file.apply("checks.txt").orElse(""));
            return Recipe.of(name, json(description), programs, checks);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Recipe " + name + ": " + e.getMessage(), e);
        }
    }

    private static Optional<String> read(Path file) {
        try {
            return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
        } catch (IOException e) {
            throw new IllegalArgumentException(file.getFileName() + " cannot be read", e);
        }
    }

    private static String required(String name) {
        return resource(name).orElseThrow();
    }

    private static Optional<String> resource(String name) {
        try (InputStream in = Recipes.class.getResourceAsStream("recipes/" + name)) {
            return in == null
                    ? Optional.empty()
                    : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("It is no JSON: " + e.getOriginalMessage(), e);
        }
    }

    Collection<Recipe> all() {
        return byName.values();
    }

    Optional<Recipe> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    Vocabulary vocabulary() {
        return Vocabulary.of(
                words, all().stream().flatMap(recipe -> recipe.phrases().stream()).toList());
    }
}
