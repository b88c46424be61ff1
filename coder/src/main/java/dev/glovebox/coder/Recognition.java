package dev.glovebox.coder;

import dev.glovebox.coder.SentenceToken.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which recipe a sentence is about.
 *
 * <p>What a recipe answers to speaks for it, the more the fewer other recipes share the word. Words
 * that it does not explain speak against it, and so do those that no recipe can do anything about.
 */
final class Recognition {

    private static final double STRONG = 3;
    private static final double WEAK = 1;
    private static final double PER_FURTHER_WORD = 0.2;
    private static final double AGAINST = 100;
    private static final double FOREIGN = 4;
    private static final double DATA = 0.5;
    private static final double PARAMETER = 0.2;
    private static final double UNEXPLAINED = 0.6;
    private static final double UNEXPLAINED_FURTHER = 0.15;
    private static final int UNEXPLAINED_FULLY = 3;

    /** Who gives no values either speaks of something else, if there are such words. */
    private static final double WITHOUT_VALUES = 2;

    private static final double LEAST = 2;
    private static final double MARGIN = 0.3;

    private final Recipes recipes;
    private final Vocabulary vocabulary;
    private final Map<String, Double> rarity = new HashMap<>();

    Recognition(Recipes recipes, Vocabulary vocabulary) {
        this.recipes = recipes;
        this.vocabulary = vocabulary;
        weigh();
    }

    private void weigh() {
        Map<String, Integer> users = new HashMap<>();
        for (Recipe recipe : recipes.all()) {
            Set<String> stems = new HashSet<>();
            recipe.strong().forEach(phrase -> stems.addAll(phrase.stems()));
            recipe.weak().forEach(phrase -> stems.addAll(phrase.stems()));
            stems.forEach(stem -> users.merge(stem, 1, Integer::sum));
        }
        double all = Math.log(recipes.all().size() + 1.0);
        users.forEach((stem, count) -> rarity.put(stem, 1 - Math.log(count) / all));
    }

    /**
     * How well a recipe fits.
     *
     * @param named whether something in the sentence names it
     * @param left what of the sentence it has no answer to
     */
    record Score(
            Recipe recipe, double points, boolean named, RecipeValues values, List<String> left) {}

    /**
     * What came of it.
     *
     * @param best the one that it is, if one stands out
     * @param near the next ones, best first
     */
    record Ranking(Optional<Score> best, List<Score> near) {}

    Ranking rank(Sentence sentence) {
        Set<Integer> occupied = new HashSet<>();
        vocabulary.languages(sentence).forEach(named -> occupied.addAll(named.words()));
        Set<Integer> foreign = vocabulary.foreign(sentence);
        List<Score> scores = new ArrayList<>();
        for (Recipe recipe : recipes.all()) {
            Evidence evidence = new Evidence(recipe, sentence);
            if (!evidence.cues.isEmpty()) {
                scores.add(score(recipe, sentence, evidence, occupied, foreign));
            }
        }
        scores.sort(Comparator.comparingDouble(Score::points).reversed());
        List<Score> good =
                scores.stream().filter(score -> score.named() && score.points() >= LEAST).toList();
        boolean clear =
                !good.isEmpty()
                        && (good.size() == 1
                                || good.get(0).points() - good.get(1).points() >= MARGIN);
        return new Ranking(
                clear ? Optional.of(good.getFirst()) : Optional.empty(),
                scores.stream().filter(score -> score.points() > 0).limit(3).toList());
    }

    private Score score(
            Recipe recipe,
            Sentence sentence,
            Evidence evidence,
            Set<Integer> occupied,
            Set<Integer> foreign) {
        RecipeValues values =
                RecipeValues.in(sentence, recipe, vocabulary, evidence.first, occupied);
        double points = evidence.points();
        for (ValueType type : values.given()) {
            points += isData(type) ? DATA : PARAMETER;
        }
        for (Phrase phrase : recipe.not()) {
            points -= phrase.in(sentence).isPresent() ? AGAINST : 0;
        }
        Set<Integer> outside = new HashSet<>(foreign);
        outside.removeAll(evidence.covered());
        Set<Integer> explained = evidence.covered();
        explained.addAll(values.explained());
        explained.addAll(occupied);
        boolean bare =
                values.given().stream()
                        .allMatch(type -> type == ValueType.CHOICE || type == ValueType.CHOICES);
        double strictness = bare ? WITHOUT_VALUES : 1;
        points -= strictness * unexplained(sentence, explained) + FOREIGN * outside.size();
        return new Score(
                recipe, points, evidence.named, values, left(recipe, sentence, explained, values));
    }

    /** Words that say something, and values, that the recipe would pass over. */
    private List<String> left(
            Recipe recipe, Sentence sentence, Set<Integer> explained, RecipeValues values) {
        Set<String> known = recipe.stems();
        List<String> left = new ArrayList<>();
        for (int i = 0; i < sentence.tokens().size(); i++) {
            SentenceToken token = sentence.tokens().get(i);
            boolean tells =
                    switch (token.kind()) {
                        case WORD -> !vocabulary.isHarmless(token) && !known.contains(token.stem());
                        case NUMBER -> !isOne(token) && !values.has(token.number());
                        case QUOTED, DATE, FILE, ELSEWHERE -> true;
                        case SYMBOL ->
                                token.text().codePoints().anyMatch(Recognition::counts)
                                        && !known.contains(token.text().replace('*', '×'));
                    };
            if ((tells && !explained.contains(i)) || isPart(token, values)) {
                left.add(token.text());
            }
        }
        return left;
    }

    /** Nothing is calculated in a sentence, and only the digits of ASCII are read. */
    private static boolean counts(int point) {
        return switch (Character.getType(point)) {
            case Character.MATH_SYMBOL -> "=|".indexOf(point) < 0;
            case Character.OTHER_NUMBER, Character.LETTER_NUMBER, Character.DECIMAL_DIGIT_NUMBER ->
                    true;
            default -> "^*/_".indexOf(point) >= 0;
        };
    }

    /** In {@code 1 000} and {@code 1'000} the zeros are no number. */
    private static boolean isPart(SentenceToken token, RecipeValues values) {
        return token.is(Kind.NUMBER)
                && token.text().matches("0\\d+.*")
                && (values.given().contains(ValueType.NUMBERS)
                        || values.given().contains(ValueType.INTEGERS)
                        || values.given().contains(ValueType.ITEMS));
    }

    /** From there most things begin, and so does many a sentence. */
    private static boolean isOne(SentenceToken number) {
        return number.number().compareTo(BigDecimal.ONE) == 0;
    }

    private double unexplained(Sentence sentence, Set<Integer> explained) {
        double against = 0;
        int words = 0;
        for (int i = 0; i < sentence.tokens().size(); i++) {
            SentenceToken token = sentence.tokens().get(i);
            if (explained.contains(i)) {
                continue;
            }
            if (token.is(Kind.ELSEWHERE)) {
                against += FOREIGN;
            } else if (token.is(Kind.FILE)
                    || (token.is(Kind.WORD) && !vocabulary.isHarmless(token))) {
                against += words++ < UNEXPLAINED_FULLY ? UNEXPLAINED : UNEXPLAINED_FURTHER;
            }
        }
        return against;
    }

    private static boolean isData(ValueType type) {
        return switch (type) {
            case NUMBERS,
                    INTEGERS,
                    LABELLED,
                    TEXT,
                    WORDS,
                    ITEMS,
                    FILE,
                    DATE,
                    MATRIX,
                    EDGES,
                    SUDOKU ->
                    true;
            case INTEGER, NUMBER, WORD, CHOICE, CHOICES, MONTH, DIGITS -> false;
        };
    }

    /** What of a sentence speaks for a recipe; each word only once. */
    private final class Evidence {

        private record Cue(Set<Integer> tokens, double weight) {}

        private final List<Cue> cues = new ArrayList<>();
        private final boolean named;

        /** The first of the words that name it. */
        private final int first;

        Evidence(Recipe recipe, Sentence sentence) {
            recipe.strong().forEach(phrase -> add(phrase, sentence, STRONG));
            named = !cues.isEmpty();
            first = covered().stream().min(Integer::compare).orElse(0);
            recipe.weak().forEach(phrase -> add(phrase, sentence, WEAK));
        }

        private void add(Phrase phrase, Sentence sentence, double weight) {
            phrase.in(sentence)
                    .ifPresent(match -> cues.add(new Cue(match.tokens(), weight * rarity(phrase))));
        }

        private double rarity(Phrase phrase) {
            double rarest =
                    phrase.stems().stream()
                            .mapToDouble(stem -> rarity.getOrDefault(stem, 1.0))
                            .max()
                            .orElse(0);
            return rarest * (1 + PER_FURTHER_WORD * (phrase.words() - 1));
        }

        double points() {
            cues.sort(Comparator.comparingDouble(Cue::weight).reversed());
            Set<Integer> counted = new HashSet<>();
            double points = 0;
            for (Cue cue : cues) {
                if (counted.addAll(cue.tokens())) {
                    points += cue.weight();
                }
            }
            return points;
        }

        Set<Integer> covered() {
            Set<Integer> covered = new HashSet<>();
            cues.forEach(cue -> covered.addAll(cue.tokens()));
            return covered;
        }
    }
}
