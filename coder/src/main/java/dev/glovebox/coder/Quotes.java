package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Closes a string, or quotes it with the other quotes if it has an apostrophe in it. */
final class Quotes implements Rule {

    private static final int MOST = 20;
    private static final Pattern APOSTROPHE =
            Pattern.compile(
                    "'([^'\"\\\\\n]{0,500}[A-Za-z])'((?:s|t|re|ve|ll|d|m)\\b[^'\"\\\\\n]{0,500})'");
    private static final Pattern UNOPENED =
            Pattern.compile("([(=,\\[{+:][ \t]*)([^\"'(=,\\[{+ \t][^\"'(=,\\[{]{0,200})$");

    /** A string beside a name; the letters are those that may stand before a quote. */
    private static final Pattern BESIDE =
            Pattern.compile(
                    "(?:\\b(?!(?:[fFrRbBuU]{1,2}|and|or|not|in|is|if|else|return|print|import|from|case|yield|await|typeof|of|raise|throw|assert|lambda|elif|while|new)\\b)\\w+|[)\\]}])[ \t]*\""
                            + "|\"[ \t]*(?!(?:and|or|not|in|is|if|else|for|as|of|instanceof)\\b)[\\w(]");

    @Override
    public List<Change> changes(Scene scene) {
        Problem problem = scene.problem();
        if (!problem.is("SyntaxError")) {
            return List.of();
        }
        if ((scene.isNode() && problem.says("Unexpected end of input"))
                || problem.says("Unterminated template")) {
            return template(scene);
        }
        if (scene.line() == 0) {
            return List.of();
        }
        Source source = scene.source();
        String line = source.line(scene.line());
        Set<String> lines = new LinkedHashSet<>();
        Matcher apostrophe = APOSTROPHE.matcher(line);
        if (apostrophe.find()) {
            lines.add(
                    line.substring(0, apostrophe.start())
                            + '"'
                            + apostrophe.group(1)
                            + "'"
                            + apostrophe.group(2)
                            + '"'
                            + line.substring(apostrophe.end()));
        }
        if (problem.says("unterminated triple-quoted")) {
            return triple(scene);
        }
        boolean unclosed =
                problem.says("unterminated string literal")
                        || problem.says("unterminated f-string literal")
                        || problem.says("Invalid or unexpected token");
        if (unclosed) {
            int quote = quote(line, scene.column());
            if (quote >= 0) {
                unopened(line, line.charAt(quote), lines);
                closed(source, scene.line(), quote, lines);
            }
        }
        List<Change> changes = new ArrayList<>();
        lines.stream()
                .sorted(
                        Comparator.comparing((String changed) -> !isPlausible(source, changed))
                                .thenComparing(changed ->
                                        !source.as(source.withLine(scene.line(), changed))
                                                .isBalanced()))
                .forEach(changed ->
                        changes.addAll(changed(scene, source.withLine(scene.line(), changed))));
        return changes;
    }

    private static List<Change> changed(Scene scene, String text) {
        return scene.change(
                text,
                Mistake.SYNTAX,
                "A string does not end where it should",
                "Put the quotes right",
                0.7);
    }

    private static int quote(String line, int column) {
        for (int i = Math.max(column, 0);
                column >= 0 && i < line.length() && i <= column + 2;
                i++) {
            if ("\"'".indexOf(line.charAt(i)) >= 0) {
                return i;
            }
        }
        return -1;
    }

    /** One of the quotes of the line may be the last one of a string that has no first one. */
    private static void unopened(String line, char quote, Set<String> lines) {
        int count = 0;
        for (int at = line.indexOf(quote);
                at >= 0 && count++ < MOST;
                at = line.indexOf(quote, at + 1)) {
            Matcher words = UNOPENED.matcher(line.substring(0, at));
            if (words.find()) {
                lines.add(
                        line.substring(0, words.start(2)) + quote + line.substring(words.start(2)));
            }
        }
    }

    /** Whether nothing stands beside a string that could not. */
    private static boolean isPlausible(Source source, String line) {
        String code = source.as(line).code();
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < code.length(); i++) {
            char c = code.charAt(i);
            if (c == '"' || c == '\'' || c == '`') {
                int end = code.indexOf(c, i + 1);
                if (end < 0) {
                    return false;
                }
                plain.append('"');
                i = end;
            } else {
                plain.append(c);
            }
        }
        return !BESIDE.matcher(plain).find();
    }

    private static void closed(Source source, int number, int quote, Set<String> lines) {
        String line = source.line(number);
        int end = line.stripTrailing().length();
        int shortest = end;
        while (shortest > quote + 1
                && end - shortest < MOST
                && ")]};:, ".indexOf(line.charAt(shortest - 1)) >= 0) {
            shortest--;
        }
        List<String> found = new ArrayList<>();
        for (int i = shortest; i <= end; i++) {
            found.add(line.substring(0, i) + line.charAt(quote) + line.substring(i));
        }
        found.stream()
                .sorted(
                        Comparator.comparing(changed ->
                                !source.as(source.withLine(number, changed)).isBalanced()))
                .forEach(lines::add);
    }

    private static List<Change> triple(Scene scene) {
        Source source = scene.source();
        String line = source.line(scene.line());
        int at = Math.max(scene.column(), 0);
        int one = line.indexOf("\"\"\"", at);
        int open = one >= 0 ? one : line.indexOf("'''", at);
        if (open < 0) {
            return List.of();
        }
        String quote = line.substring(open, open + 3);
        List<Change> changes = new ArrayList<>();
        // A line that ends with one or two quotes was meant to end with three.
        for (int i = scene.line(); i <= source.lines(); i++) {
            String text = source.line(i).stripTrailing();
            boolean rest = i > scene.line() || text.length() > open + 4;
            if (rest && text.endsWith(quote.substring(0, 1)) && !text.endsWith(quote)) {
                int end = text.length();
                while (end > 0 && text.charAt(end - 1) == quote.charAt(0)) {
                    end--;
                }
                changes.addAll(changed(scene, source.withLine(i, text.substring(0, end) + quote)));
                return changes;
            }
        }
        if (line.strip().length() > 3) {
            changes.addAll(
                    changed(scene, source.withLine(scene.line(), line.stripTrailing() + quote)));
        }
        return changes;
    }

    /** A template that goes on to the end of the program was meant to end with its line. */
    private static List<Change> template(Scene scene) {
        Source source = scene.source();
        for (int i = 1; i <= source.lines(); i++) {
            String line = source.line(i);
            int first = line.indexOf('`');
            boolean odd = line.chars().filter(c -> c == '`').count() % 2 == 1;
            if (!odd) {
                continue;
            }
            Set<String> lines = new LinkedHashSet<>();
            closed(source, i, first, lines);
            for (String text : lines) {
                String changed = source.withLine(i, text);
                if (source.as(changed).isBalanced()) {
                    return changed(scene, changed);
                }
            }
        }
        return List.of();
    }
}
