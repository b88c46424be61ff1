package dev.glovebox.coder;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** Finds the code in the text of a Python program. */
final class PythonText {

    private final String text;
    private final char[] code;
    private final char[] comments;
    private int at;

    private PythonText(String text) {
        this.text = text;
        this.code = text.toCharArray();
        this.comments = Source.blank(text);
    }

    /** The same text, with blanks for comments and for what is in quotes. */
    static String code(String text) {
        PythonText reading = new PythonText(text);
        reading.read();
        return new String(reading.code);
    }

    /** The same text, with blanks for everything else. */
    static String comments(String text) {
        PythonText reading = new PythonText(text);
        reading.read();
        return new String(reading.comments);
    }

    private void read() {
        while (at < code.length) {
            char c = text.charAt(at);
            if (c == '#') {
                while (at < code.length && text.charAt(at) != '\n') {
                    comments[at] = text.charAt(at);
                    code[at++] = ' ';
                }
            } else if (c == '"' || c == '\'') {
                string(c);
            } else {
                at++;
            }
        }
    }

    private String prefix() {
        int from = at;
        while (from > 0 && at - from < 3 && Character.isLetter(text.charAt(from - 1))) {
            from--;
        }
        boolean word = from > 0 && Character.isJavaIdentifierPart(text.charAt(from - 1));
        return word ? "" : text.substring(from, at).toLowerCase(Locale.ROOT);
    }

    private void string(char quote) {
        String prefix = prefix();
        boolean fields = prefix.contains("f");
        boolean three = text.startsWith(String.valueOf(quote).repeat(3), at);
        at += three ? 3 : 1;
        // Brackets that are open within a field of an f-string; empty: it is not in a field.
        Deque<Character> open = new ArrayDeque<>();
        boolean spec = false;
        while (at < code.length) {
            char c = text.charAt(at);
            boolean ends =
                    three ? text.startsWith(String.valueOf(quote).repeat(3), at) : c == quote;
            if (ends) {
                at += three ? 3 : 1;
                return;
            }
            if (c == '\n' && !three) {
                return;
            }
            if (c == '\\' && open.isEmpty()) {
                blank();
                if (at < code.length) {
                    blank();
                }
                continue;
            }
            if (fields && open.isEmpty() && c == '{' && !text.startsWith("{{", at)) {
                open.push('}');
                spec = false;
                blank();
                continue;
            }
            if (open.isEmpty()) {
                if (fields && text.startsWith("{{", at)) {
                    blank();
                }
                blank();
                continue;
            }
            spec = field(c, open, spec);
        }
    }

    /** One character of a field; what is quoted in it, and how it is printed, is no code. */
    private boolean field(char c, Deque<Character> open, boolean spec) {
        if (c == '"' || c == '\'') {
            at++;
            while (at < code.length && text.charAt(at) != c && text.charAt(at) != '\n') {
                blank();
            }
            if (at < code.length && text.charAt(at) == c) {
                at++;
            }
            return spec;
        }
        boolean outside = open.size() == 1;
        boolean begins = outside && (c == ':' || (c == '!' && !text.startsWith("!=", at)));
        if (Source.isOpen(c)) {
            open.push(Source.closer(c));
        } else if (c == open.peek()) {
            open.pop();
        }
        if (open.isEmpty() || begins || spec) {
            blank();
        } else {
            at++;
        }
        return spec || begins;
    }

    private void blank() {
        if (text.charAt(at) != '\n') {
            code[at] = ' ';
        }
        at++;
    }
}
