package dev.glovebox.coder;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Translates what only Python 2 understood, all of it at once: where one is, there are more. */
final class PythonTwoSyntax implements Rule {

    private record Idiom(Pattern pattern, Function<Source.Found, String> now) {

        static Idiom of(String pattern, String template) {
            return new Idiom(
                    Pattern.compile(pattern),
                    found -> {
                        String text = template;
                        for (int i = 1; i <= found.match().groupCount(); i++) {
                            text = text.replace("$" + i, found.group(i));
                        }
                        return text;
                    });
        }
    }

    private static final Pattern STATEMENT =
            Pattern.compile(
                    "(?m)(?:^[ \t]*|[:;][ \t]*)(print|exec)(?=[ \t]*$|[ \t]*[;#]|[ \t]+[^ \t=(.,)\\]]|[ \t]+\\([^\n]*\\)[ \t]*[,%][^\n]*$)");

    private static final List<Idiom> IDIOMS =
            List.of(
                    Idiom.of(
                            "except[ \t]+(\\w[\\w.]*|\\([^()\n]*\\))[ \t]*,[ \t]*(\\w+)[ \t]*:",
                            "except $1 as $2:"),
                    Idiom.of(
                            "(?m)\\braise[ \t]+(\\w[\\w.]*)[ \t]*,[ \t]*([^\n]*[^\\s])[ \t]*$",
                            "raise $1($2)"),
                    Idiom.of("`([^`\n]+)`", "repr($1)"),
                    Idiom.of("<>", "!="),
                    Idiom.of("(?<![\\w.])0([0-7]+)(?![\\w.])", "0o$1"),
                    Idiom.of("(?<![\\w.])(\\d+|0[xX][0-9a-fA-F]+)[lL]\\b", "$1"),
                    Idiom.of("\\b[uU][rR](?=[\"'])", "r"));

    /** Harmless where they are not Python 2's: nobody calls a function of his own so. */
    private static final List<Idiom> ALSO =
            List.of(
                    Idiom.of("\\bxrange(?=\\()", "range"),
                    Idiom.of("\\braw_input(?=\\()", "input"),
                    Idiom.of("\\bunicode(?=\\()", "str"),
                    Idiom.of("\\bbasestring\\b", "str"),
                    Idiom.of("\\.iter(items|keys|values)(?=\\(\\))", ".$1"));

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.isPython() || !scene.problem().is("SyntaxError") || scene.line() == 0) {
            return List.of();
        }
        Source line = scene.source().as(scene.source().line(scene.line()) + "\n");
        boolean old =
                IDIOMS.stream().anyMatch(idiom -> line.has(idiom.pattern()))
                        || scene.problem().says("Missing parentheses in call to")
                        || line.has(STATEMENT);
        if (!old) {
            return List.of();
        }
        Source source = scene.source().as(calls(scene.source()));
        for (Idiom idiom : IDIOMS) {
            source = source.as(source.replace(idiom.pattern(), idiom.now()));
        }
        if (source.text().equals(scene.source().text())) {
            return List.of();
        }
        for (Idiom idiom : ALSO) {
            source = source.as(source.replace(idiom.pattern(), idiom.now()));
        }
        return scene.change(
                source.text(),
                Mistake.PYTHON_2,
                "It is written for Python 2",
                "Write it as Python 3 wants it",
                0.9);
    }

    /** With brackets around what the statements of Python 2 print or execute. */
    private static String calls(Source source) {
        StringBuilder changed = new StringBuilder();
        Matcher matcher = STATEMENT.matcher(source.code());
        int at = 0;
        while (matcher.find()) {
            if (matcher.start(1) < at) {
                continue;
            }
            int from = matcher.end(1);
            int to = end(source, from);
            String what = source.text().substring(from, to).strip();
            changed.append(source.text(), at, from);
            changed.append('(').append(arguments(matcher.group(1), what, source)).append(')');
            at = to;
        }
        return changed.append(source.text(), at, source.text().length()).toString();
    }

    private static int end(Source source, int from) {
        int last = source.end(PythonCode.statementEnd(source, source.lineOf(from)));
        int depth = 0;
        int end = from;
        for (int i = from; i < last; i++) {
            char c = source.code().charAt(i);
            depth += Source.isOpen(c) ? 1 : Source.isClose(c) ? -1 : 0;
            if (c == ';' && depth == 0) {
                break;
            }
            if (!Character.isWhitespace(c)) {
                end = i + 1;
            }
        }
        return end;
    }

    private static String arguments(String word, String what, Source source) {
        if (word.equals("exec")) {
            Matcher in = Pattern.compile("^(.*\\S)\\s+in\\s+(\\w+)$").matcher(what);
            return in.matches() ? in.group(1) + ", " + in.group(2) : what;
        }
        if (what.startsWith(">>")) {
            int comma = source.as(what).code().indexOf(',');
            String stream = comma < 0 ? what.substring(2) : what.substring(2, comma);
            String rest = comma < 0 ? "" : what.substring(comma + 1).strip() + ", ";
            return rest + "file=" + stream.strip();
        }
        return what.endsWith(",") ? what + " end=\" \"" : what;
    }
}
