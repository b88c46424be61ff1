package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Words in a row, as recipes write them: {@code first|initial <> number}.
 *
 * <p>A word stands for all its forms, {@code a|b} for one of the two, {@code *} for up to {@value
 * #WIDEST_GAP} others, {@code <>} for a value, {@code <...>} for all that comes then. Between words
 * there may be articles and the like.
 */
final class Phrase {

    private static final int WIDEST_GAP = 5;
    private static final int MOST_SKIPPED = 2;
    private static final Set<String> SKIPPED =
            Set.of(
                    "a",
                    "an",
                    "the",
                    "of",
                    "my",
                    "our",
                    "your",
                    "this",
                    "thi",
                    "these",
                    "those",
                    "that",
                    "all",
                    "some",
                    "given",
                    "following",
                    "follow",
                    "its",
                    "their",
                    ":",
                    ",",
                    "(",
                    "=",
                    "-",
                    "is",
                    "are",
                    "be",
                    "to",
                    "about",
                    "just",
                    "exactly",
                    "th");

    private final String text;
    private final List<Element> elements;

    private Phrase(String text, List<Element> elements) {
        this.text = text;
        this.elements = elements;
    }

    private sealed interface Element {}

    private record Word(Set<String> stems) implements Element {}

    private record Gap() implements Element {}

    private record Hole(boolean rest) implements Element {}

    /**
     * Where it was found.
     *
     * @param tokens the numbers of those that are its words
     * @param hole the number of the first value, or -1
     * @param rest whether the value goes on to the end
     */
    record Match(Set<Integer> tokens, int hole, boolean rest) {}

    static Phrase of(String text) {
        List<Element> elements = new ArrayList<>();
        for (String part : text.strip().split("\\s+")) {
            elements.add(
                    switch (part) {
                        case "*" -> new Gap();
                        case "<>" -> new Hole(false);
                        case "<...>" -> new Hole(true);
                        default ->
                                new Word(
                                        Arrays.stream(part.split("\\|"))
                                                .map(Stems::of)
                                                .collect(Collectors.toUnmodifiableSet()));
                    });
        }
        return new Phrase(text, List.copyOf(elements));
    }

    /** Whether there is more to it than the value. */
    boolean anchored() {
        return elements.stream().anyMatch(Word.class::isInstance);
    }

    /** How many words there are in it. */
    int words() {
        return (int) elements.stream().filter(Word.class::isInstance).count();
    }

    /** All that its words may be. */
    Set<String> stems() {
        Set<String> stems = new HashSet<>();
        for (Element element : elements) {
            if (element instanceof Word word) {
                stems.addAll(word.stems());
            }
        }
        return stems;
    }

    /** The first place where it is found, with whatever value. */
    Optional<Match> in(Sentence sentence) {
        return in(
                sentence,
                place ->
                        switch (sentence.tokens().get(place).kind()) {
                            case NUMBER, QUOTED, DATE, FILE -> true;
                            case WORD, ELSEWHERE, SYMBOL -> false;
                        });
    }

    /** The first place where it is found, with a value that will do. */
    Optional<Match> in(Sentence sentence, Predicate<Integer> value) {
        // Most phrases are not in most sentences, and that is quickly seen.
        for (Element element : elements) {
            if (element instanceof Word word
                    && Collections.disjoint(word.stems(), sentence.stems())) {
                return Optional.empty();
            }
        }
        for (int i = 0; i < sentence.tokens().size(); i++) {
            Optional<Match> match = at(sentence.tokens(), i, value);
            if (match.isPresent()) {
                return match;
            }
        }
        return Optional.empty();
    }

    private Optional<Match> at(List<SentenceToken> tokens, int start, Predicate<Integer> value) {
        int[] places = new int[elements.size()];
        if (!follows(0, start, tokens, value, places)) {
            return Optional.empty();
        }
        Set<Integer> words = new HashSet<>();
        int hole = -1;
        boolean rest = false;
        for (int i = 0; i < places.length; i++) {
            switch (elements.get(i)) {
                case Word word -> words.add(places[i]);
                case Hole place -> {
                    if (hole < 0) {
                        hole = places[i];
                        rest = place.rest();
                    }
                }
                case Gap gap -> {}
            }
        }
        return Optional.of(new Match(words, hole, rest));
    }

    private boolean follows(
            int element,
            int at,
            List<SentenceToken> tokens,
            Predicate<Integer> value,
            int[] places) {
        if (element == elements.size()) {
            return true;
        }
        if (elements.get(element) instanceof Gap) {
            for (int wide = 0; wide <= WIDEST_GAP; wide++) {
                if (follows(element + 1, at + wide, tokens, value, places)) {
                    return true;
                }
            }
            return false;
        }
        for (int skipped = 0; at + skipped < tokens.size(); skipped++) {
            int here = at + skipped;
            places[element] = here;
            boolean fits =
                    elements.get(element) instanceof Word word
                            ? word.stems().contains(tokens.get(here).stem())
                            : value.test(here);
            if (fits && follows(element + 1, here + 1, tokens, value, places)) {
                return true;
            }
            boolean passable = element > 0 && SKIPPED.contains(tokens.get(here).stem());
            if (!passable || skipped == MOST_SKIPPED) {
                return false;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return text;
    }
}
