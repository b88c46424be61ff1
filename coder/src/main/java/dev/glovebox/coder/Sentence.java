package dev.glovebox.coder;

import dev.glovebox.coder.SentenceToken.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What somebody said, in pieces.
 *
 * @param stems of all pieces
 */
record Sentence(String text, List<SentenceToken> tokens, Set<String> stems) {

    /** Longer ones are not read: recognition takes time that grows with them. */
    static final int LONGEST = 8_000;

    private static final String ENDINGS =
            "csv|tsv|json|txt|text|log|md|dat|ini|xml|html?|ya?ml|png|jpe?g|pdf|xlsx?|docx?|db|sqlite"
                    + "|py|js|mjs|sh|zip|mp3|mp4";
    private static final Pattern PIECE =
            Pattern.compile(
                    "\"(?<double>[^\"]*)\"|[“„«](?<curly>[^”“»]*)[”“»]|`(?<back>[^`]*)`"
                            + "|(?<![\\p{L}\\p{N}])['‘](?<single>[^'’]*(?:['’](?=\\p{L})[^'’]*)*)['’](?![\\p{L}\\p{N}])"
                            + "|(?<elsewhere>\\p{L}+://\\S+|www\\.\\S+|(?<![\\p{L}\\p{N}<)])~?(?:\\.\\.)?/[\\p{L}\\p{N}_.*/-]*)"
                            + "|(?<file>(?<![\\p{L}\\p{N}])[\\p{L}\\p{N}_][\\p{L}\\p{N}_/.-]{0,100}\\.(?:"
                            + ENDINGS
                            + ")\\b)"
                            + "|(?<date>"
                            + SpokenDate.EXPRESSION
                            + ")"
                            + "|(?<![\\p{L}\\p{N}])(?<rolls>\\d{0,4})d(?<sides>\\d{1,3})(?![\\p{L}\\p{N}])"
                            + "|(?<based>0[xXbBoO][0-9a-fA-F]+)"
                            + "|(?<number>(?:(?<![\\p{L}\\p{N})])[-−+])?(?:\\d{1,3}(?:,\\d{3}){0,4},000(?![\\d,])"
                            + "|(?<![\\d,\\[(]|[,\\[(] )\\d{1,3},\\d{3}(?!\\d|,)(?! ?,|, ?\\d)|\\d+)(?:\\.\\d+)?)(?<nth>st|nd|rd|th)?"
                            + "|(?<word>(?<!\\p{L})c(?:\\+\\+|#)|(?<=\\d)x(?=\\d)|\\p{L}[\\p{L}\\p{N}]*(?:['’]\\p{L}+)*)"
                            + "|(?<symbol>->|→|<->|[^\\s])",
                    Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

    Sentence {
        tokens = List.copyOf(tokens);
        stems = Set.copyOf(stems);
    }

    static Sentence of(String text, Vocabulary vocabulary) {
        List<SentenceToken> pieces = new ArrayList<>();
        Matcher matcher = PIECE.matcher(text);
        while (matcher.find()) {
            pieces.addAll(pieces(matcher, vocabulary));
        }
        List<SentenceToken> tokens = joined(pieces);
        return new Sentence(
                text, tokens, tokens.stream().map(SentenceToken::stem).collect(Collectors.toSet()));
    }

    private static List<SentenceToken> pieces(Matcher found, Vocabulary vocabulary) {
        for (String quotes : List.of("double", "curly", "back", "single")) {
            if (found.group(quotes) != null) {
                return List.of(piece(found, Kind.QUOTED, found.group(quotes), ""));
            }
        }
        if (found.group("elsewhere") != null) {
            return List.of(elsewhere(found));
        }
        if (found.group("file") != null) {
            String name = found.group();
            if (name.contains("..") || name.contains("//")) {
                return List.of(elsewhere(found));
            }
            String ending = name.substring(name.lastIndexOf('.')).toLowerCase(Locale.ROOT);
            return List.of(piece(found, Kind.FILE, name, ending));
        }
        if (found.group("date") != null) {
            return List.of(piece(found, Kind.DATE, SpokenDate.of(found), ""));
        }
        if (found.group("sides") != null) {
            String rolls = found.group("rolls");
            return List.of(
                    number(found, rolls.isEmpty() ? "1" : rolls),
                    piece(found, Kind.WORD, "dice", Stems.of("dice")),
                    number(found, found.group("sides")),
                    piece(found, Kind.WORD, "sided", Stems.of("sided")));
        }
        if (found.group("based") != null) {
            String prefix = found.group().substring(0, 2).toLowerCase(Locale.ROOT);
            return List.of(piece(found, Kind.WORD, found.group(), prefix));
        }
        if (found.group("number") != null) {
            String digits = found.group("number").replace(",", "").replace('−', '-');
            return found.group("nth") == null
                    ? List.of(number(found, digits))
                    : List.of(number(found, digits), piece(found, Kind.WORD, "th", "th"));
        }
        if (found.group("word") != null) {
            String word = found.group().replaceFirst("(?i)['’]s$", "");
            return List.of(piece(found, Kind.WORD, word, vocabulary.stem(word)));
        }
        return List.of(piece(found, Kind.SYMBOL, found.group(), found.group()));
    }

    private static SentenceToken number(Matcher found, String digits) {
        BigDecimal value = new BigDecimal(digits);
        return new SentenceToken(
                Kind.NUMBER, digits, value.toPlainString(), value, found.start(), found.end());
    }

    /** Recognised as what it is, and not by what it says. */
    private static SentenceToken elsewhere(Matcher found) {
        boolean address = found.group().contains("://") || found.group().startsWith("www.");
        return piece(found, Kind.ELSEWHERE, found.group(), address ? "/address" : "/path");
    }

    private static SentenceToken piece(Matcher found, Kind kind, String text, String stem) {
        return new SentenceToken(kind, text, stem, BigDecimal.ZERO, found.start(), found.end());
    }

    /** With numbers made of the words that say them. */
    private static List<SentenceToken> joined(List<SentenceToken> pieces) {
        List<SentenceToken> joined = new ArrayList<>();
        for (int i = 0; i < pieces.size(); ) {
            List<String> words = words(pieces, i);
            NumberWords.Found found = NumberWords.at(words);
            if (found.words() == 0) {
                joined.add(pieces.get(i++));
                continue;
            }
            int end = i;
            for (int word = 0; word < found.words(); end++) {
                word += pieces.get(end).is(Kind.WORD) ? 1 : 0;
            }
            BigDecimal value = BigDecimal.valueOf(found.value());
            joined.add(
                    new SentenceToken(
                            Kind.NUMBER,
                            value.toPlainString(),
                            value.toPlainString(),
                            value,
                            pieces.get(i).start(),
                            pieces.get(end - 1).end()));
            i = end;
        }
        return joined;
    }

    private static final int MOST_WORDS_OF_A_NUMBER = 12;

    /** From there on; the hyphen of twenty-five does not part them. */
    private static List<String> words(List<SentenceToken> pieces, int from) {
        List<String> words = new ArrayList<>();
        for (int i = from; i < pieces.size() && words.size() < MOST_WORDS_OF_A_NUMBER; i++) {
            SentenceToken piece = pieces.get(i);
            if (piece.is(Kind.WORD)) {
                words.add(piece.text().toLowerCase(Locale.ROOT));
            } else if (i == from || !piece.text().equals("-")) {
                break;
            }
        }
        return words;
    }

    IntStream indexes(Kind kind) {
        return IntStream.range(0, tokens.size()).filter(i -> tokens.get(i).is(kind));
    }
}
