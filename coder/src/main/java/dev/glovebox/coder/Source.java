package dev.glovebox.coder;

import dev.glovebox.sandbox.Language;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A text and what of it is code: the same text, in which comments and what is in quotes are blank.
 *
 * <p>So an expression that is looked for in the code is not found in words, and is at the same
 * place in the text.
 */
final class Source {

    private static final String OPEN = "([{";
    private static final String CLOSE = ")]}";

    private final Language language;
    private final String text;
    private final String code;
    private final int[] starts;

    private Source(Language language, String text, String code) {
        this.language = language;
        this.text = text;
        this.code = code;
        List<Integer> found = new ArrayList<>();
        found.add(0);
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\n' && i + 1 < text.length()) {
                found.add(i + 1);
            }
        }
        this.starts = found.stream().mapToInt(Integer::intValue).toArray();
    }

    static Source of(Language language, String text) {
        String code =
                switch (language) {
                    case PYTHON -> PythonText.code(text);
                    case JAVASCRIPT -> JavaScriptText.code(text);
                    case BASH -> text;
                };
        return new Source(language, text, code);
    }

    /** As long as a text, and with its lines, but blank. */
    static char[] blank(String text) {
        char[] blank = text.toCharArray();
        for (int i = 0; i < blank.length; i++) {
            blank[i] = blank[i] == '\n' ? '\n' : ' ';
        }
        return blank;
    }

    /** The same text, with blanks for what is no comment. */
    String comments() {
        return switch (language) {
            case PYTHON -> PythonText.comments(text);
            case JAVASCRIPT -> JavaScriptText.comments(text);
            case BASH -> text;
        };
    }

    String text() {
        return text;
    }

    String code() {
        return code;
    }

    int lines() {
        return starts.length;
    }

    /** Where a line begins; lines count from 1. */
    int start(int line) {
        return starts[line - 1];
    }

    /** Where it ends, before the line break. */
    int end(int line) {
        int end = line == starts.length ? text.length() : starts[line] - 1;
        while (end > start(line)
                && (text.charAt(end - 1) == '\r' || text.charAt(end - 1) == '\n')) {
            end--;
        }
        return end;
    }

    String line(int line) {
        return text.substring(start(line), end(line));
    }

    String codeLine(int line) {
        return code.substring(start(line), end(line));
    }

    int lineOf(int position) {
        int found = java.util.Arrays.binarySearch(starts, position);
        return found >= 0 ? found + 1 : -found - 1;
    }

    static String indent(String line) {
        int end = 0;
        while (end < line.length() && (line.charAt(end) == ' ' || line.charAt(end) == '\t')) {
            end++;
        }
        return line.substring(0, end);
    }

    String indent(int line) {
        return indent(line(line));
    }

    boolean isBlank(int line) {
        return codeLine(line).isBlank();
    }

    String withLine(int line, String replacement) {
        return text.substring(0, start(line)) + replacement + text.substring(end(line));
    }

    String withBefore(int line, String more) {
        return text.substring(0, start(line)) + more + "\n" + text.substring(start(line));
    }

    /** The text, with something else between two positions. */
    String with(int from, int to, String replacement) {
        return text.substring(0, from) + replacement + text.substring(to);
    }

    boolean has(Pattern pattern) {
        return pattern.matcher(code).find();
    }

    /** The text, with something else wherever an expression fits the code. */
    String replace(Pattern pattern, Function<Found, String> by) {
        StringBuilder changed = new StringBuilder();
        int[] at = {0};
        pattern.matcher(code)
                .results()
                .forEach(match -> {
                    changed.append(text, at[0], match.start());
                    changed.append(by.apply(new Found(match, text)));
                    at[0] = match.end();
                });
        return changed.append(text, at[0], text.length()).toString();
    }

    /** Where an expression fits the code, read in the text. */
    record Found(MatchResult match, String text) {

        String group(int number) {
            return match.start(number) < 0
                    ? ""
                    : text.substring(match.start(number), match.end(number));
        }

        String whole() {
            return group(0);
        }

        int start() {
            return match.start();
        }
    }

    List<Found> find(Pattern pattern) {
        return pattern.matcher(code).results().map(match -> new Found(match, text)).toList();
    }

    /** Where the bracket closes that opens at a position; -1: nowhere. */
    int closing(int open) {
        List<Character> stack = new ArrayList<>();
        for (int i = open; i < code.length(); i++) {
            char c = code.charAt(i);
            if (OPEN.indexOf(c) >= 0) {
                stack.add(CLOSE.charAt(OPEN.indexOf(c)));
            } else if (CLOSE.indexOf(c) >= 0) {
                if (stack.isEmpty() || stack.removeLast() != c) {
                    return -1;
                }
                if (stack.isEmpty()) {
                    return i;
                }
            }
        }
        return -1;
    }

    /** The first bracket that does not belong to another one; -1: all do. */
    int oddBracket() {
        List<Integer> stack = new ArrayList<>();
        for (int i = 0; i < code.length(); i++) {
            char c = code.charAt(i);
            if (OPEN.indexOf(c) >= 0) {
                stack.add(i);
            } else if (CLOSE.indexOf(c) >= 0) {
                if (stack.isEmpty()
                        || OPEN.indexOf(code.charAt(stack.getLast())) != CLOSE.indexOf(c)) {
                    return i;
                }
                stack.removeLast();
            }
        }
        return stack.isEmpty() ? -1 : stack.getLast();
    }

    boolean isBalanced() {
        return oddBracket() < 0;
    }

    Source as(String changed) {
        return of(language, changed);
    }

    static char closer(char open) {
        return CLOSE.charAt(OPEN.indexOf(open));
    }

    static boolean isOpen(char c) {
        return OPEN.indexOf(c) >= 0;
    }

    static boolean isClose(char c) {
        return CLOSE.indexOf(c) >= 0;
    }
}
