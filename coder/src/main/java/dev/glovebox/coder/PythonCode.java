package dev.glovebox.coder;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What several rules want to know of a Python program, and do to it. */
final class PythonCode {

    static final Pattern DEF =
            Pattern.compile("(?m)^([ \t]*)((?:async[ \t]+)?)def[ \t]+(\\w+)[ \t]*\\(");
    private static final Pattern STRING = Pattern.compile("^[a-zA-Z]{0,2}(\"\"\"|'''|\"|').*");
    private static final Pattern FUTURE = Pattern.compile("^from[ \t]+__future__[ \t].*");

    private PythonCode() {}

    /** The text with one more statement at its top, below its description. */
    static String importing(Source source, String statement) {
        if (source.text().lines().anyMatch(statement::equals)) {
            return source.text();
        }
        int line = 1;
        int place = 1;
        while (line <= source.lines()) {
            String code = source.codeLine(line).strip();
            Matcher string = STRING.matcher(code);
            if (code.isEmpty()) {
                // A comment at the very top stays there: it may name the interpreter or encoding.
                boolean comment = !source.line(line).isBlank();
                place = comment && place == line ? line + 1 : place;
                line++;
            } else if (FUTURE.matcher(code).matches()) {
                place = ++line;
            } else if (place <= line && string.matches() && isDescription(source, line)) {
                line = descriptionEnd(source, line, string.group(1)) + 1;
                place = line;
            } else {
                break;
            }
        }
        return place > source.lines()
                ? source.text() + (source.text().endsWith("\n") ? "" : "\n") + statement + "\n"
                : source.withBefore(place, statement);
    }

    private static boolean isDescription(Source source, int line) {
        for (int i = 1; i < line; i++) {
            if (!source.isBlank(i)) {
                return false;
            }
        }
        return true;
    }

    private static int descriptionEnd(Source source, int line, String quote) {
        int open = source.code().indexOf(quote, source.start(line));
        int close = source.code().indexOf(quote, open + quote.length());
        return close < 0 ? line : source.lineOf(close);
    }

    /** A function, by where it is. */
    record Function(int line, String name, boolean async, String indent) {}

    /** The innermost function that a line is in. */
    static Optional<Function> around(Source source, int line) {
        int inner = source.isBlank(line) ? Integer.MAX_VALUE : source.indent(line).length();
        for (int i = line - 1; i >= 1; i--) {
            if (source.isBlank(i)) {
                continue;
            }
            String indent = source.indent(i);
            if (indent.length() >= inner) {
                continue;
            }
            Optional<Function> found = function(source, i);
            if (found.isPresent()) {
                return found;
            }
            inner = indent.length();
            if (inner == 0) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    static Optional<Function> function(Source source, int line) {
        Matcher def = DEF.matcher(source.codeLine(line));
        return def.find()
                ? Optional.of(
                        new Function(line, def.group(3), !def.group(2).isBlank(), def.group(1)))
                : Optional.empty();
    }

    /** The last line of the block that a line begins. */
    static int blockEnd(Source source, int header) {
        int indent = source.indent(header).length();
        int last = header;
        for (int i = header + 1; i <= source.lines(); i++) {
            if (source.isBlank(i)) {
                continue;
            }
            if (source.indent(i).length() <= indent) {
                break;
            }
            last = i;
        }
        return last;
    }

    /** The line on which the statement that a line begins ends, with all its brackets. */
    static int statementEnd(Source source, int line) {
        int depth = 0;
        for (int i = line; i <= source.lines(); i++) {
            String code = source.codeLine(i);
            for (int j = 0; j < code.length(); j++) {
                depth +=
                        Source.isOpen(code.charAt(j)) ? 1 : Source.isClose(code.charAt(j)) ? -1 : 0;
            }
            if (depth <= 0 && !code.stripTrailing().endsWith("\\")) {
                return i;
            }
        }
        return line;
    }

    /** The first line of what a function does, below its description. */
    static int bodyStart(Source source, Function function) {
        int line = statementEnd(source, function.line()) + 1;
        while (line <= source.lines() && source.isBlank(line)) {
            line++;
        }
        if (line > source.lines()) {
            return 0;
        }
        Matcher string = STRING.matcher(source.codeLine(line).strip());
        boolean described = string.matches() && source.codeLine(line).strip().length() > 1;
        return described ? descriptionEnd(source, line, string.group(1)) + 1 : line;
    }
}
