package dev.glovebox.coder;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Uses the other quotes, and no backslash, within the fields of an f-string. */
final class FormatStrings implements Rule {

    private static final Pattern START = Pattern.compile("(?<![\\w])(?:[fF][rR]?|[rR][fF])([\"'])");
    private static final Pattern NEW_LINE = Pattern.compile("([\"'])\\\\(n|t)\\1");

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.isPython() || !scene.problem().is("SyntaxError") || scene.line() == 0) {
            return List.of();
        }
        String line = scene.source().line(scene.line());
        if (scene.problem().says("cannot include a backslash")) {
            return withoutBackslash(scene, line);
        }
        Matcher start = START.matcher(line);
        int from = 0;
        StringBuilder changed = new StringBuilder(line);
        while (start.find(from)) {
            from = otherQuotes(changed, start.end(), start.group(1).charAt(0));
            if (from >= changed.length()) {
                break;
            }
        }
        return scene.change(
                scene.source().withLine(scene.line(), changed.toString()),
                Mistake.SYNTAX,
                "A field of an f-string has the quotes of the f-string itself",
                "Use the other quotes in it",
                0.9);
    }

    /** Changes quotes within fields; says where the f-string ends. */
    private static int otherQuotes(StringBuilder line, int from, char quote) {
        char other = quote == '"' ? '\'' : '"';
        int depth = 0;
        for (int i = from; i < line.length(); i++) {
            char c = line.charAt(i);
            if (depth == 0 && c == quote) {
                return i + 1;
            }
            if (c == '{' && i + 1 < line.length() && line.charAt(i + 1) == '{' && depth == 0) {
                i++;
            } else if (c == '{') {
                depth++;
            } else if (c == '}' && depth > 0) {
                depth--;
            } else if (c == quote) {
                boolean closes = line.indexOf("}", i) >= 0;
                if (!closes) {
                    return i + 1;
                }
                line.setCharAt(i, other);
            }
        }
        return line.length();
    }

    private static List<Change> withoutBackslash(Scene scene, String line) {
        Matcher literal = NEW_LINE.matcher(line);
        Source source = scene.source();
        while (literal.find()) {
            String before = line.substring(0, literal.start());
            boolean field = before.lastIndexOf('{') > before.lastIndexOf('}');
            String name = literal.group(2).equals("n") ? "new_line" : "tabulator";
            if (field && !source.text().contains(name)) {
                String all = line.replace(literal.group(), name);
                return scene.change(
                        source.withLine(
                                scene.line(),
                                Source.indent(line)
                                        + name
                                        + " = \"\\"
                                        + literal.group(2)
                                        + "\"\n"
                                        + all),
                        Mistake.SYNTAX,
                        "A field of an f-string has a backslash",
                        "Give what it stands for a name",
                        0.85);
            }
        }
        return List.of();
    }
}
