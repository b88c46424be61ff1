package dev.glovebox.coder;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/** Finds the code in the text of a JavaScript program. */
final class JavaScriptText {

    private static final String BEFORE_EXPRESSION = "(,=:[!&|?{};+-*%<>~^";
    private static final Set<String> WORDS_BEFORE_EXPRESSION =
            Set.of(
                    "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new",
                    "else", "do", "await", "yield");

    private final String text;
    private final char[] code;
    private final char[] comments;

    /** Braces that are open; true: one that began within a template. */
    private final Deque<Boolean> braces = new ArrayDeque<>();

    private int at;
    private int significant = -1;

    private JavaScriptText(String text) {
        this.text = text;
        this.code = text.toCharArray();
        this.comments = Source.blank(text);
    }

    /** The same text, with blanks for comments and for what is in quotes. */
    static String code(String text) {
        JavaScriptText reading = new JavaScriptText(text);
        reading.read();
        return new String(reading.code);
    }

    /** The same text, with blanks for everything else. */
    static String comments(String text) {
        JavaScriptText reading = new JavaScriptText(text);
        reading.read();
        return new String(reading.comments);
    }

    private void read() {
        while (at < code.length) {
            char c = text.charAt(at);
            if (text.startsWith("//", at) || (at == 0 && text.startsWith("#!"))) {
                while (at < code.length && text.charAt(at) != '\n') {
                    comments[at] = text.charAt(at);
                    blank();
                }
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                int stop = end < 0 ? code.length : end + 2;
                while (at < stop) {
                    comments[at] = text.charAt(at);
                    blank();
                }
            } else if (c == '"' || c == '\'') {
                quoted(c, false);
            } else if (c == '`') {
                at++;
                template();
            } else if (c == '/' && beginsExpression()) {
                quoted('/', true);
            } else if (c == '}' && !braces.isEmpty() && braces.pop()) {
                blank();
                template();
            } else {
                if (c == '{') {
                    braces.push(false);
                }
                if (!Character.isWhitespace(c)) {
                    significant = at;
                }
                at++;
            }
        }
    }

    private void quoted(char quote, boolean expression) {
        at++;
        boolean set = false;
        while (at < code.length && text.charAt(at) != '\n') {
            char c = text.charAt(at);
            if (c == quote && !set) {
                break;
            }
            set = expression && (c == '[' || (set && c != ']'));
            blank();
            if (c == '\\' && at < code.length) {
                blank();
            }
        }
        if (at < code.length && text.charAt(at) == quote) {
            significant = at;
            at++;
        }
    }

    private void template() {
        while (at < code.length) {
            char c = text.charAt(at);
            if (c == '`') {
                significant = at;
                at++;
                return;
            }
            if (text.startsWith("${", at)) {
                blank();
                blank();
                significant = -1;
                braces.push(true);
                return;
            }
            blank();
            if (c == '\\' && at < code.length) {
                blank();
            }
        }
    }

    private boolean beginsExpression() {
        if (significant < 0 || BEFORE_EXPRESSION.indexOf(text.charAt(significant)) >= 0) {
            return true;
        }
        int from = significant;
        while (from >= 0
                && significant - from < 10
                && Character.isJavaIdentifierPart(text.charAt(from))) {
            from--;
        }
        return WORDS_BEFORE_EXPRESSION.contains(text.substring(from + 1, significant + 1));
    }

    private void blank() {
        if (text.charAt(at) != '\n') {
            code[at] = ' ';
        }
        at++;
    }
}
