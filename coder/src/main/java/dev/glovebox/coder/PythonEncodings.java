package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says in which encoding a file or the output is. */
final class PythonEncodings implements Rule {

    private static final Pattern OPEN =
            Pattern.compile("(?<![\\w])(?:open|read_text|write_text)\\(");
    private static final Pattern READ =
            Pattern.compile(
                    "^'([\\w-]{1,20})' codec can't decode bytes? (?:0x([0-9a-f]{2}) )?in position (\\d+).*$");
    private static final Pattern MODE = Pattern.compile("[\"'][rwax]?b[rwax+]?[\"']");
    private static final Pattern PATH =
            Pattern.compile("(?<![\\w\\\\])([\"'])([A-Za-z]:)?(\\\\|[^\"'\n]*\\\\)[^\"'\n]*\\1");

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.isPython()) {
            return List.of();
        }
        Problem problem = scene.problem();
        if (problem.is("UnicodeDecodeError") && scene.line() > 0) {
            return decoded(scene);
        }
        if (problem.is("UnicodeEncodeError") && scene.line() > 0) {
            return encoded(scene);
        }
        if (problem.is("SyntaxError") && problem.says("(unicode error)") && scene.line() > 0) {
            return raw(scene);
        }
        if (problem.is("SyntaxError")
                && (problem.says("unknown encoding") || problem.says("encoding problem"))) {
            return undeclared(scene);
        }
        return List.of();
    }

    private static List<Change> decoded(Scene scene) {
        Matcher said = READ.matcher(scene.problem().message());
        if (!said.matches()) {
            return List.of();
        }
        String first = String.valueOf(said.group(2));
        boolean mark = (first.equals("ff") || first.equals("fe")) && said.group(3).equals("0");
        List<String> encodings =
                mark
                        ? List.of("utf-16", "latin-1")
                        : said.group(1).equals("ascii")
                                ? List.of("utf-8", "latin-1")
                                : List.of("latin-1");
        List<Change> changes = new ArrayList<>();
        for (String encoding : encodings) {
            changes.addAll(opened(scene, encoding));
        }
        return changes;
    }

    /** At the nearest place before the error where a file is opened. */
    private static List<Change> opened(Scene scene, String encoding) {
        Source source = scene.source();
        for (int line = scene.line(); line >= 1; line--) {
            for (Source.Found found : source.as(source.line(line)).find(OPEN)) {
                Source at = source.as(source.line(line));
                int close = at.closing(found.match().end() - 1);
                if (close < 0) {
                    continue;
                }
                String inside = at.text().substring(found.match().end(), close);
                if (MODE.matcher(inside).find()) {
                    continue;
                }
                String asked = "encoding=\"" + encoding + "\"";
                Matcher old =
                        Pattern.compile("encoding[ \t]*=[ \t]*[\"'][\\w-]+[\"']").matcher(inside);
                String now =
                        old.find()
                                ? old.replaceFirst(asked)
                                : inside.isBlank() ? asked : inside + ", " + asked;
                return scene.change(
                        source.withLine(line, at.with(found.match().end(), close, now)),
                        Mistake.ENCODING,
                        "A file is in another encoding than it is read or written in",
                        "Open it as " + encoding,
                        encoding.equals("latin-1") ? 0.6 : 0.85);
            }
        }
        return List.of();
    }

    private static List<Change> encoded(Scene scene) {
        String line = scene.source().codeLine(scene.line());
        if (!line.contains("print(") && !line.contains("stdout")) {
            return opened(scene, "utf-8");
        }
        if (scene.problem().says("surrogates not allowed")) {
            return List.of();
        }
        Source source = scene.source();
        String statement = "sys.stdout.reconfigure(encoding=\"utf-8\")";
        String text = PythonCode.importing(source, statement);
        return scene.change(
                PythonCode.importing(source.as(text), "import sys"),
                Mistake.ENCODING,
                "The output cannot take a character that is printed",
                "Print in UTF-8",
                0.9);
    }

    /** A path with backslashes: they are no escapes. */
    private static List<Change> raw(Scene scene) {
        String line = scene.source().line(scene.line());
        return scene.change(
                scene.source()
                        .withLine(
                                scene.line(),
                                PATH.matcher(line)
                                        .replaceAll(match ->
                                                Matcher.quoteReplacement("r" + match.group()))),
                Mistake.ENCODING,
                "Backslashes of a path are read as the beginning of a character",
                "Take the text as it is written",
                0.9);
    }

    private static List<Change> undeclared(Scene scene) {
        Source source = scene.source();
        for (int line = 1; line <= Math.min(2, source.lines()); line++) {
            if (source.line(line).matches("[ \t\f]*#.{0,200}coding[:=].{0,200}")) {
                return scene.change(
                        source.withLine(line, "#"),
                        Mistake.ENCODING,
                        "The code names an encoding that does not exist",
                        "It is UTF-8, as all code is here",
                        0.95);
            }
        }
        return List.of();
    }
}
