package dev.glovebox.agent;

import static dev.glovebox.agent.SecretFinder.isBlank;
import static dev.glovebox.agent.SecretFinder.isMargin;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Lines as files of environments have them, a name in capitals and its value, which goes on to the
 * next blank, also behind signs that end one elsewhere.
 */
final class EnvironmentLines {

    /** In characters. */
    private static final int LONGEST_NAME = 80;

    private static final List<String> BEFORE = List.of("export ", "set ", "ENV ");
    private static final String QUOTES = "\"'`<>";

    /** What is not the end of a value, but of a command or of a part of a list. */
    private static final String BEHIND = ";,&|\\";

    private static final Pattern CALL = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]{0,80}+[(\\[]");

    private EnvironmentLines() {}

    /**
     * Where a value ends.
     *
     * @param name where the part of the name begins that says that it is secret
     * @param from where the value begins
     * @param end where it ends elsewhere
     */
    static int end(String text, int name, int from, int end) {
        if (end == from || !isLine(text, name, from) || isTemplate(text.substring(from, end))) {
            return end;
        }
        int to = end;
        while (to < text.length()
                && !isBlank(text.charAt(to))
                && QUOTES.indexOf(text.charAt(to)) < 0) {
            to++;
        }
        boolean open = to < text.length() && "\r\n".indexOf(text.charAt(to)) < 0;
        if (isCode(text.substring(from, to), open)) {
            return end;
        }
        while (to > end && BEHIND.indexOf(text.charAt(to - 1)) >= 0) {
            to--;
        }
        return to;
    }

    /** One character may be the first one of anything. */
    private static boolean isTemplate(String begin) {
        return begin.length() > 1 && Templates.is(begin);
    }

    /**
     * Programs have such lines as well.
     *
     * @param open whether it goes on behind a quote or a blank
     */
    private static boolean isCode(String value, boolean open) {
        boolean closed = value.indexOf(')') >= 0 || value.indexOf(']') >= 0;
        return Templates.is(value) || ((open || closed) && CALL.matcher(value).lookingAt());
    }

    private static boolean isLine(String text, int name, int from) {
        for (int i = name; i < from - 1; i++) {
            if (!isOfName(text.charAt(i))) {
                return false;
            }
        }
        int at = name;
        while (at > 0 && name - at < LONGEST_NAME && isOfName(text.charAt(at - 1))) {
            at--;
        }
        for (String word : BEFORE) {
            at = text.startsWith(word, at - word.length()) ? at - word.length() : at;
        }
        int line = at;
        while (at > 0 && line - at < LONGEST_NAME && isMargin(text.charAt(at - 1))) {
            at--;
        }
        return at == 0 || "\r\n".indexOf(text.charAt(at - 1)) >= 0;
    }

    private static boolean isOfName(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }
}
