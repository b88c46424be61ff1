package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.sandbox.Language;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Words whatever the recipe: those that say nothing, those that say that it is none, and the names
 * of languages.
 */
final class Vocabulary {

    /** Shorter words have too many neighbours. */
    private static final int SHORTEST_TYPO = 5;

    private final Set<String> filler;
    private final Set<String> nouns;
    private final List<Phrase> foreign;
    private final Map<String, List<Phrase>> reasons;
    private final Map<String, List<Phrase>> languages;
    private final Map<String, List<String>> byLetter = new HashMap<>();
    private final Set<String> known = new HashSet<>();

    private Vocabulary(
            Set<String> filler,
            Set<String> nouns,
            List<Phrase> foreign,
            Map<String, List<Phrase>> reasons,
            Map<String, List<Phrase>> languages) {
        this.filler = filler;
        this.nouns = nouns;
        this.foreign = foreign;
        this.reasons = reasons;
        this.languages = languages;
    }

    static Vocabulary of(JsonNode description, Collection<Phrase> phrases) {
        Set<String> filler = stems(description.path("filler"));
        Set<String> nouns = stems(description.path("nouns"));
        List<Phrase> foreign = RecipeValue.phrases(description.path("foreign"));
        Map<String, List<Phrase>> reasons = phrases(description.path("reasons"));
        Map<String, List<Phrase>> languages = phrases(description.path("languages"));
        Vocabulary vocabulary = new Vocabulary(filler, nouns, foreign, reasons, languages);
        filler.forEach(vocabulary::know);
        nouns.forEach(vocabulary::know);
        phrases.forEach(phrase -> phrase.stems().forEach(vocabulary::know));
        foreign.forEach(phrase -> phrase.stems().forEach(vocabulary::know));
        languages.values().stream()
                .flatMap(List::stream)
                .forEach(phrase -> phrase.stems().forEach(vocabulary::know));
        return vocabulary;
    }

    private static Map<String, List<Phrase>> phrases(JsonNode description) {
        Map<String, List<Phrase>> phrases = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : description.properties()) {
            phrases.put(entry.getKey(), RecipeValue.phrases(entry.getValue()));
        }
        return phrases;
    }

    private static Set<String> stems(JsonNode lines) {
        Set<String> stems = new HashSet<>();
        for (JsonNode line : lines) {
            for (String word : line.asText().split(" ")) {
                stems.add(Stems.of(word));
            }
        }
        return stems;
    }

    private void know(String stem) {
        if (known.add(stem) && stem.length() >= SHORTEST_TYPO - 1) {
            byLetter.computeIfAbsent(stem.substring(0, 1), letter -> new ArrayList<>()).add(stem);
        }
    }

    /** Of a word, or of the only one that it can be a misspelling of. */
    String stem(String word) {
        String stem = Stems.of(word);
        if (known.contains(stem) || word.length() < SHORTEST_TYPO || !isPlain(word)) {
            return stem;
        }
        List<String> near =
                byLetter.getOrDefault(stem.substring(0, 1), List.of()).stream()
                        .filter(other -> Stems.nearly(stem, other))
                        .toList();
        return near.size() == 1 ? near.getFirst() : stem;
    }

    private static boolean isPlain(String word) {
        return word.chars().allMatch(Character::isLetter);
    }

    /** Whether it says nothing of what is to be done, and nobody calls a thing so. */
    boolean isFiller(SentenceToken token) {
        return filler.contains(Stems.of(token.text()));
    }

    /** Whether it says nothing of what is to be done. */
    boolean isHarmless(SentenceToken token) {
        return filler.contains(token.stem()) || nouns.contains(token.stem());
    }

    /** The words that no recipe can do anything about. */
    Set<Integer> foreign(Sentence sentence) {
        Set<Integer> words = new HashSet<>();
        foreign.forEach(
                phrase -> phrase.in(sentence).ifPresent(match -> words.addAll(match.tokens())));
        return words;
    }

    /** Why no recipe can do it, where that is known. */
    List<String> reasons(Sentence sentence) {
        return reasons.entrySet().stream()
                .filter(entry ->
                        entry.getValue().stream()
                                .anyMatch(phrase -> phrase.in(sentence).isPresent()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * A language that was named.
     *
     * @param language empty: one that there are no recipes in
     * @param words which name it
     */
    record Named(String name, Optional<Language> language, Set<Integer> words) {}

    /** In the order of the sentence. */
    List<Named> languages(Sentence sentence) {
        List<Named> named = new ArrayList<>();
        languages.forEach((name, phrases) -> {
            Set<Integer> words = new HashSet<>();
            phrases.forEach(
                    phrase -> phrase.in(sentence).ifPresent(match -> words.addAll(match.tokens())));
            if (!words.isEmpty()) {
                named.add(new Named(name, language(name), words));
            }
        });
        for (int i = 0; i < sentence.tokens().size(); i++) {
            SentenceToken token = sentence.tokens().get(i);
            String lower = token.text().toLowerCase(Locale.ROOT);
            if (token.is(SentenceToken.Kind.FILE) && lower.matches(".*\\.(py|m?js)")) {
                String name = lower.endsWith(".py") ? "python" : "javascript";
                named.add(new Named(name, language(name), Set.of(i)));
            }
        }
        named.sort((one, other) ->
                Integer.compare(
                        one.words().stream().min(Integer::compare).orElse(0),
                        other.words().stream().min(Integer::compare).orElse(0)));
        return named;
    }

    private static Optional<Language> language(String name) {
        for (Language language : Language.values()) {
            if (language.toString().equals(name)) {
                return Optional.of(language);
            }
        }
        return Optional.empty();
    }
}
