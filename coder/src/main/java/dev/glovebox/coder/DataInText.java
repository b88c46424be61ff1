package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Data with a form of its own: matrices, the edges of graphs, puzzles. */
final class DataInText {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String NUMBER = "-?\\d{1,15}(?:\\.\\d{1,9})?";
    private static final String ROW = NUMBER + "(?:(?:\\s*,\\s*|\\s+)" + NUMBER + ")*+";

    /** [[1, 2], [3, 4]], (1 2) (3 4) or 1 2; 3 4. */
    private static final Pattern MATRIX =
            Pattern.compile(
                    "\\[\\s*(?:[\\[(]\\s*%1$s\\s*[\\])]\\s*,?\\s*)++\\]|%1$s(?:\\s*;\\s*%1$s)++"
                            .formatted(ROW));

    private static final Pattern ROWS = Pattern.compile(ROW);
    private static final Pattern NUMBERS = Pattern.compile(NUMBER);
    private static final String END = "(?<![\\p{L}\\p{N}])([\\p{L}\\p{N}_]{1,30})";

    /** A-B 4, A->B: 4, A to B (4), A B 4, and A-B for one step. */
    private static final Pattern EDGE =
            Pattern.compile(
                    END
                            + "\\s*(?:<?->?|→|–|\\bto\\b|,)\\s*"
                            + END
                            + "\\s*(?:[:=(,]|\\b(?:costs?|is|takes|weight|weighs|distance|length|with|of|km|miles|at)\\b|\\s)*+"
                            + "(?<![\\p{L}\\p{N}])(\\d{1,9}(?:\\.\\d{1,6})?)(?![\\p{L}\\p{N}.]*\\s*->?)");

    private static final Pattern STEP =
            Pattern.compile(
                    END + "(?:<?->?|→|–| ?-> ?)" + END + "(?![\\p{L}\\p{N}])(?!\\s*[:=(]?\\s*\\d)");
    private static final Pattern SUDOKU = Pattern.compile("(?<![0-9.])[0-9.]{81}(?![0-9])");

    private DataInText() {}

    /**
     * What was found.
     *
     * @param tokens the pieces of the sentence that it is made of
     */
    record Found(JsonNode value, Set<Integer> tokens) {}

    static Optional<Found> matrix(Sentence sentence, IntPredicate free) {
        Matcher matcher = MATRIX.matcher(sentence.text());
        while (matcher.find()) {
            Set<Integer> tokens = within(sentence, matcher.start(), matcher.end());
            ArrayNode rows = JSON.arrayNode();
            ROWS.matcher(matcher.group()).results().forEach(row -> rows.add(row(row)));
            if (tokens.stream().allMatch(free::test) && isRectangle(rows)) {
                return Optional.of(new Found(rows, tokens));
            }
        }
        return Optional.empty();
    }

    private static ArrayNode row(MatchResult text) {
        ArrayNode row = JSON.arrayNode();
        NUMBERS.matcher(text.group())
                .results()
                .forEach(number -> row.add(ValueReader.number(new BigDecimal(number.group()))));
        return row;
    }

    private static boolean isRectangle(ArrayNode rows) {
        for (JsonNode row : rows) {
            if (row.size() != rows.get(0).size()) {
                return false;
            }
        }
        return !rows.isEmpty();
    }

    static Optional<Found> edges(Sentence sentence, IntPredicate free) {
        ArrayNode edges = JSON.arrayNode();
        Set<Integer> tokens = new HashSet<>();
        collect(EDGE, sentence, free, edges, tokens);
        collect(STEP, sentence, free, edges, tokens);
        return edges.size() < 2 ? Optional.empty() : Optional.of(new Found(edges, tokens));
    }

    private static void collect(
            Pattern pattern,
            Sentence sentence,
            IntPredicate free,
            ArrayNode edges,
            Set<Integer> tokens) {
        Matcher matcher = pattern.matcher(sentence.text());
        while (matcher.find()) {
            Set<Integer> here = within(sentence, matcher.start(), matcher.end());
            if (here.stream().allMatch(place -> free.test(place) && !tokens.contains(place))) {
                BigDecimal weight =
                        matcher.groupCount() > 2
                                ? new BigDecimal(matcher.group(3))
                                : BigDecimal.ONE;
                edges.add(
                        JSON.arrayNode()
                                .add(matcher.group(1))
                                .add(matcher.group(2))
                                .add(ValueReader.number(weight)));
                tokens.addAll(here);
            }
        }
    }

    static Optional<Found> sudoku(Sentence sentence, IntPredicate free) {
        Matcher matcher = SUDOKU.matcher(sentence.text());
        if (!matcher.find()) {
            return Optional.empty();
        }
        Set<Integer> tokens = within(sentence, matcher.start(), matcher.end());
        return tokens.stream().allMatch(free::test)
                ? Optional.of(new Found(JSON.textNode(matcher.group().replace('.', '0')), tokens))
                : Optional.empty();
    }

    private static Set<Integer> within(Sentence sentence, int start, int end) {
        Set<Integer> tokens = new HashSet<>();
        for (int i = 0; i < sentence.tokens().size(); i++) {
            SentenceToken token = sentence.tokens().get(i);
            if (token.start() < end && token.end() > start) {
                tokens.add(i);
            }
        }
        return tokens;
    }
}
