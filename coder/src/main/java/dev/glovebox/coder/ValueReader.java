package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.coder.SentenceToken.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads values of a type out of a sentence, each piece at most once. */
final class ValueReader {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Set<String> BETWEEN =
            Set.of(",", ";", "and", "&", "[", "]", "(", ")", "{", "}", "|", ":", "then", "or");
    private static final Set<String> LABEL_ENDS = Set.of(":", "=", "(");
    private static final Set<String> SCRIPTS = Set.of("py", "js", "mjs", "sh");

    private final Sentence sentence;
    private final Vocabulary vocabulary;
    private final int named;
    private final Set<Integer> occupied;
    private final Set<Integer> taken = new HashSet<>();

    ValueReader(Sentence sentence, Vocabulary vocabulary, int named, Set<Integer> occupied) {
        this.sentence = sentence;
        this.vocabulary = vocabulary;
        this.named = named;
        this.occupied = occupied;
    }

    Set<Integer> taken() {
        return taken;
    }

    private SentenceToken token(int place) {
        return sentence.tokens().get(place);
    }

    private boolean free(int place) {
        return !taken.contains(place) && !occupied.contains(place);
    }

    /** Whether a value may stand there, if it is expected there. */
    boolean fits(ValueType type, int place) {
        SentenceToken token = token(place);
        return free(place)
                && switch (type) {
                    case INTEGER -> token.whole();
                    case NUMBER -> token.is(Kind.NUMBER);
                    case NUMBERS, INTEGERS ->
                            token.is(Kind.NUMBER) || BETWEEN.contains(token.stem());
                    case TEXT ->
                            token.is(Kind.QUOTED)
                                    || (noneQuoted() && (token.is(Kind.NUMBER) || isName(place)));
                    case WORD, WORDS, ITEMS ->
                            token.is(Kind.QUOTED) || token.is(Kind.NUMBER) || isName(place);
                    case FILE -> isData(token);
                    case DATE -> token.is(Kind.DATE);
                    case MONTH -> month(place) > 0;
                    case DIGITS -> isDigits(token);
                    case LABELLED, MATRIX, EDGES, SUDOKU, CHOICE, CHOICES -> false;
                };
    }

    private boolean noneQuoted() {
        return sentence.indexes(Kind.QUOTED).noneMatch(this::free);
    }

    /** In {@code a, b and c} the first is no article. */
    private boolean isName(int place) {
        SentenceToken token = token(place);
        boolean listed =
                place + 1 < sentence.tokens().size() && token(place + 1).text().equals(",");
        boolean letter =
                token.text().length() == 1
                        && (listed || Character.isUpperCase(token.text().charAt(0)));
        return token.is(Kind.WORD) && (letter || !vocabulary.isFiller(token));
    }

    private static boolean isData(SentenceToken token) {
        String name = token.text().toLowerCase(Locale.ROOT);
        return token.is(Kind.FILE) && !SCRIPTS.contains(name.substring(name.lastIndexOf('.') + 1));
    }

    private static boolean isDigits(SentenceToken token) {
        return (token.whole() && token.number().signum() >= 0)
                || (token.is(Kind.WORD) && token.text().matches("(?i)(0[xbo])?[0-9a-f]+"));
    }

    /** The verb may is not the month. */
    private int month(int place) {
        SentenceToken token = token(place);
        boolean verb = token.text().equals("may") || place == 0;
        return token.is(Kind.WORD) && !verb ? SpokenDate.month(token.text()) : 0;
    }

    /** What stands in a place where it is expected. */
    Optional<JsonNode> at(ValueType type, int place, boolean rest) {
        return switch (type) {
            case NUMBERS, INTEGERS -> numbers(place, 1);
            case WORDS -> words(place);
            case ITEMS -> numbers(place, 2).or(() -> items(place, rest));
            case TEXT -> Optional.of(rest ? remaining(place) : single(type, place));
            default -> Optional.of(single(type, place));
        };
    }

    private JsonNode single(ValueType type, int place) {
        taken.add(place);
        SentenceToken token = token(place);
        return switch (type) {
            case INTEGER, NUMBER -> number(token.number());
            case MONTH -> JSON.numberNode(month(place));
            default -> JSON.textNode(token.text());
        };
    }

    static JsonNode number(BigDecimal value) {
        return value.stripTrailingZeros().scale() <= 0
                ? JSON.numberNode(value.toBigInteger())
                : JSON.numberNode(value);
    }

    /** Told by what it is, wherever it stands. */
    Optional<JsonNode> anywhere(ValueType type, boolean single) {
        return switch (type) {
            case NUMBERS, INTEGERS -> longest();
            case LABELLED -> labelled();
            case WORDS -> quoted(1);
            case ITEMS ->
                    longest()
                            .or(() -> quoted(2))
                            .or(() -> first(Kind.QUOTED).map(text -> split(text.asText())));
            case TEXT -> first(Kind.QUOTED).or(this::afterColon);
            case FILE, DATE -> firstThatFits(type);
            case MATRIX -> range(DataInText.matrix(sentence, this::free));
            case EDGES -> range(DataInText.edges(sentence, this::free));
            case SUDOKU -> range(DataInText.sudoku(sentence, this::free));
            case INTEGER, NUMBER, WORD, MONTH, DIGITS ->
                    single ? firstThatFits(type) : Optional.empty();
            case CHOICE, CHOICES -> Optional.empty();
        };
    }

    private Optional<JsonNode> range(Optional<DataInText.Found> found) {
        found.ifPresent(data -> taken.addAll(data.tokens()));
        return found.map(DataInText.Found::value);
    }

    private Optional<JsonNode> firstThatFits(ValueType type) {
        for (int i = 0; i < sentence.tokens().size(); i++) {
            if (fits(type, i)) {
                return Optional.of(single(type, i));
            }
        }
        return Optional.empty();
    }

    private Optional<JsonNode> first(Kind kind) {
        return sentence.indexes(kind)
                .filter(this::free)
                .mapToObj(place -> single(ValueType.TEXT, place))
                .findFirst();
    }

    /** Whatever somebody says about a thing and then gives it. */
    private Optional<JsonNode> afterColon() {
        for (int i = named + 1; i + 1 < sentence.tokens().size(); i++) {
            if (token(i).text().equals(":")) {
                return Optional.of(remaining(i + 1));
            }
        }
        return Optional.empty();
    }

    /** Up to the end, or to the name of a language. */
    private JsonNode remaining(int place) {
        int end = place;
        while (end < sentence.tokens().size() && !occupied.contains(end)) {
            taken.add(end++);
        }
        String text = sentence.text().substring(token(place).start(), token(end - 1).end());
        if (end < sentence.tokens().size()) {
            text = text.replaceFirst("(?i)[\\s,(]*\\b(in|with|using|by|as)$", "");
        }
        return JSON.textNode(
                token(place).is(Kind.QUOTED) && end == place + 1
                        ? token(place).text()
                        : text.replaceFirst("[.?!]+$", "").strip());
    }

    /** Numbers in a row from there on, if there are so many. */
    private Optional<JsonNode> numbers(int start, int least) {
        List<Integer> run = run(start);
        if (run.size() < least) {
            return Optional.empty();
        }
        taken.addAll(run);
        ArrayNode list = JSON.arrayNode();
        run.forEach(place -> list.add(number(token(place).number())));
        return Optional.of(list);
    }

    private List<Integer> run(int start) {
        List<Integer> run = new ArrayList<>();
        for (int i = start; i < sentence.tokens().size(); i++) {
            if (token(i).is(Kind.NUMBER) && free(i)) {
                run.add(i);
            } else if (!BETWEEN.contains(token(i).stem())) {
                break;
            }
        }
        return run;
    }

    private Optional<JsonNode> longest() {
        int best = -1;
        int most = 1;
        for (int i = 0; i < sentence.tokens().size(); i++) {
            if (token(i).is(Kind.NUMBER) && free(i)) {
                int size = run(i).size();
                if (size > most) {
                    best = i;
                    most = size;
                }
                i += size - 1;
            }
        }
        return best < 0 ? Optional.empty() : numbers(best, 2);
    }

    private Optional<JsonNode> labelled() {
        ArrayNode pairs = JSON.arrayNode();
        Set<Integer> places = new HashSet<>();
        for (int i = 0; i + 1 < sentence.tokens().size(); i++) {
            boolean label = token(i).is(Kind.QUOTED) || isName(i);
            int value = LABEL_ENDS.contains(token(i + 1).text()) ? i + 2 : i + 1;
            boolean number = value < sentence.tokens().size() && token(value).is(Kind.NUMBER);
            if (label && number && free(i) && free(value)) {
                pairs.add(JSON.arrayNode().add(token(i).text()).add(number(token(value).number())));
                places.addAll(List.of(i, value));
            }
        }
        if (pairs.size() > 1) {
            taken.addAll(places);
            return Optional.of(pairs);
        }
        return longest().map(ValueReader::numbered);
    }

    private static JsonNode numbered(JsonNode numbers) {
        ArrayNode pairs = JSON.arrayNode();
        for (JsonNode number : numbers) {
            pairs.add(JSON.arrayNode().add(String.valueOf(pairs.size() + 1)).add(number));
        }
        return pairs;
    }

    private Optional<JsonNode> quoted(int least) {
        List<Integer> places = sentence.indexes(Kind.QUOTED).filter(this::free).boxed().toList();
        if (places.size() < least) {
            return Optional.empty();
        }
        taken.addAll(places);
        ArrayNode list = JSON.arrayNode();
        places.forEach(place -> list.add(token(place).text()));
        return Optional.of(places.size() == 1 ? parts(list.get(0).asText()) : list);
    }

    /** Of what somebody quoted as a whole. */
    private static ArrayNode parts(String text) {
        ArrayNode list = JSON.arrayNode();
        for (String part : text.split("[,;\\s]+")) {
            if (!part.isEmpty()) {
                list.add(part);
            }
        }
        return list;
    }

    /** A list such as pear, fig and plum; without commas, as many words as may be names. */
    private Optional<JsonNode> words(int start) {
        List<Integer> places = listed(start);
        if (places.size() < 2) {
            return token(start).is(Kind.QUOTED) ? quoted(1) : Optional.empty();
        }
        taken.addAll(places);
        ArrayNode list = JSON.arrayNode();
        places.forEach(place -> list.add(token(place).text()));
        return Optional.of(list);
    }

    private List<Integer> listed(int start) {
        List<Integer> places = new ArrayList<>();
        boolean last = false;
        for (int i = start; i < sentence.tokens().size(); i++) {
            SentenceToken token = token(i);
            boolean between = BETWEEN.contains(token.stem());
            boolean item = token.is(Kind.QUOTED) || token.is(Kind.NUMBER) || isName(i);
            if (between) {
                last |= token.is(Kind.WORD);
            } else if (item && free(i)) {
                places.add(i);
                if (last) {
                    break;
                }
            } else {
                break;
            }
        }
        return places;
    }

    /** A single word is its letters, unless a list was expected. */
    private Optional<JsonNode> items(int place, boolean list) {
        if (listed(place).size() > 1) {
            return words(place);
        }
        return list && !token(place).is(Kind.QUOTED)
                ? Optional.empty()
                : Optional.of(split(single(ValueType.TEXT, place).asText()));
    }

    private static ArrayNode split(String text) {
        return text.matches(".*[,\\s].*") ? parts(text) : letters(text);
    }

    private static ArrayNode letters(String word) {
        ArrayNode list = JSON.arrayNode();
        word.codePoints()
                .mapToObj(Character::toString)
                .collect(Collectors.toList())
                .forEach(list::add);
        return list;
    }
}
