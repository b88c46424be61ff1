package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Moves the bound of a loop by one where an index runs past the end. */
final class Bounds implements Rule {

    private record Off(Pattern pattern, String by) {

        static Off of(String pattern, String by) {
            return new Off(Pattern.compile(pattern), by);
        }
    }

    private static final String LENGTH = "(len\\([\\w.\\[\\]]{1,80}\\))";

    private static final List<Off> IN_PYTHON =
            List.of(
                    Off.of("\\brange\\([ \t]*" + LENGTH + "[ \t]*\\+[ \t]*1[ \t]*\\)", "range($1)"),
                    Off.of(
                            "\\brange\\([ \t]*0[ \t]*,[ \t]*"
                                    + LENGTH
                                    + "[ \t]*\\+[ \t]*1[ \t]*\\)",
                            "range($1)"),
                    Off.of(
                            "\\brange\\([ \t]*1[ \t]*,[ \t]*"
                                    + LENGTH
                                    + "[ \t]*\\+[ \t]*1[ \t]*\\)",
                            "range($1)"),
                    Off.of(
                            "\\brange\\([ \t]*"
                                    + LENGTH
                                    + "[ \t]*,[ \t]*(-1|0)[ \t]*,[ \t]*-1[ \t]*\\)",
                            "range($1 - 1, $2, -1)"),
                    Off.of("<=[ \t]*" + LENGTH + "(?![ \t]*[-+])", "< $1"),
                    Off.of("(?<![\\w.])([\\w.]+)\\[[ \t]*len\\(\\1\\)[ \t]*\\]", "$1[-1]"));

    private static final Pattern NEXT = Pattern.compile("\\[[ \t]*(\\w+)[ \t]*\\+[ \t]*1[ \t]*\\]");

    private static final List<Off> IN_NODE =
            List.of(
                    Off.of("<=[ \t]*([\\w.]{1,80}\\.length)(?![ \t]*-)", "< $1"),
                    Off.of(
                            "=[ \t]*([\\w.]{1,80}\\.length)(?=[ \t]*;[ \t]*\\w+[ \t]*>=?)",
                            "= $1 - 1"),
                    Off.of(
                            "(?<![\\w.])([\\w.]+)\\[[ \t]*\\1\\.length[ \t]*\\]",
                            "$1[$1.length - 1]"));

    @Override
    public List<Change> changes(Scene scene) {
        Problem problem = scene.problem();
        boolean python =
                scene.isPython() && problem.is("IndexError") && problem.says("out of range");
        boolean node = scene.isNode() && problem.is("TypeError") && problem.says("of undefined");
        if ((!python && !node) || scene.line() == 0) {
            return List.of();
        }
        List<Change> changes = new ArrayList<>();
        // The loop is the line itself or one before it, and the nearest one first.
        int first = Math.max(1, scene.line() - 30);
        for (int line = scene.line(); line >= first; line--) {
            for (Off off : python ? IN_PYTHON : IN_NODE) {
                changes.addAll(moved(scene, line, off));
            }
            if (python && changes.isEmpty()) {
                changes.addAll(next(scene, line));
            }
            if (!changes.isEmpty()) {
                return changes;
            }
        }
        return changes;
    }

    private static List<Change> moved(Scene scene, int line, Off off) {
        Source at = scene.source().as(scene.source().line(line));
        String text =
                at.replace(
                        off.pattern(),
                        found -> {
                            String by = off.by().replace("$1", found.group(1));
                            return found.match().groupCount() > 1
                                    ? by.replace("$2", found.group(2))
                                    : by;
                        });
        return said(scene, scene.source().withLine(line, text));
    }

    /** The loop reads the element after each one, and the last one has none. */
    private static List<Change> next(Scene scene, int line) {
        Matcher next = NEXT.matcher(scene.source().codeLine(scene.line()));
        if (!next.find()) {
            return List.of();
        }
        Pattern loop =
                Pattern.compile(
                        "\\bfor[ \t]+"
                                + next.group(1)
                                + "[ \t]+in[ \t]+range\\([ \t]*((?:0[ \t]*,[ \t]*)?)"
                                + LENGTH
                                + "[ \t]*\\)");
        Source at = scene.source().as(scene.source().line(line));
        String text =
                at.replace(
                        loop,
                        found ->
                                "for "
                                        + next.group(1)
                                        + " in range("
                                        + found.group(1)
                                        + found.group(2)
                                        + " - 1)");
        return said(scene, scene.source().withLine(line, text));
    }

    private static List<Change> said(Scene scene, String text) {
        return scene.change(
                text, Mistake.INDEX, "An index runs past the end", "Let it end one earlier", 0.8);
    }
}
