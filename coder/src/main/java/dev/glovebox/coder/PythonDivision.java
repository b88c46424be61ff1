package dev.glovebox.coder;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lets the mean of nothing be nothing. Other divisions by zero are left to people. */
final class PythonDivision implements Rule {

    private static final Pattern BY_LENGTH =
            Pattern.compile("^[ \t]*(len\\([\\w.\\[\\]\"' ]{1,80}\\))$");

    @Override
    public List<Change> changes(Scene scene) {
        String marks = scene.marks();
        int from = marks.indexOf('~');
        int operator = marks.indexOf('^');
        int last = marks.lastIndexOf('^');
        int to = marks.lastIndexOf('~') + 1;
        boolean possible =
                scene.isPython()
                        && scene.problem().is("ZeroDivisionError")
                        && scene.line() > 0
                        && from >= 0
                        && from < operator
                        && last < to;
        if (!possible) {
            return List.of();
        }
        String line = scene.source().line(scene.line());
        int indent = Source.indent(line).length();
        if (to + indent > line.length()) {
            return List.of();
        }
        Matcher divisor = BY_LENGTH.matcher(line.substring(last + 1 + indent, to + indent));
        if (!divisor.matches()) {
            return List.of();
        }
        String quotient = line.substring(from + indent, to + indent);
        return scene.change(
                scene.source()
                        .withLine(
                                scene.line(),
                                line.substring(0, from + indent)
                                        + "("
                                        + quotient
                                        + " if "
                                        + divisor.group(1)
                                        + " else 0)"
                                        + line.substring(to + indent)),
                Mistake.DIVISION,
                "Something is divided by the length of what is empty",
                "Let it be 0 then",
                0.7);
    }
}
