package dev.glovebox.coder;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts one side of an operation whose sides do not fit: text and numbers, lists and values. */
final class PythonTypes implements Rule {

    private static final Pattern CONCATENATE =
            Pattern.compile("^can only concatenate (str|list) \\(not \"(\\w{1,40})\"\\) to \\1$");
    private static final Pattern OPERANDS =
            Pattern.compile(
                    "^unsupported operand type\\(s\\) for (\\+=?): '(int|float)' and 'str'$");
    private static final Pattern AUGMENTED =
            Pattern.compile("^([ \t]*)(\\S+)[ \t]*\\+=[ \t]*(.*\\S)[ \t]*$");
    private static final Pattern JOIN = Pattern.compile("\\.join\\(");

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.isPython() || !scene.problem().is("TypeError") || scene.line() == 0) {
            return List.of();
        }
        String message = scene.problem().message();
        Matcher concatenate = CONCATENATE.matcher(message);
        if (concatenate.matches()) {
            return concatenated(scene, concatenate.group(1), concatenate.group(2));
        }
        if (OPERANDS.matcher(message).matches()) {
            return textAfterNumber(scene);
        }
        if (message.startsWith("sequence item ") && message.contains("expected str instance")) {
            return joined(scene);
        }
        return List.of();
    }

    /** The two sides of the operation that the marks point at, as positions of the line. */
    private record Sides(int from, int operator, int to) {}

    private static List<Sides> sides(Scene scene) {
        String marks = scene.marks();
        int from = marks.indexOf('~');
        int operator = marks.indexOf('^');
        int to = marks.lastIndexOf('~') + 1;
        int indent = scene.source().indent(scene.line()).length();
        boolean whole =
                from >= 0
                        && from < operator
                        && operator < to
                        && to + indent <= scene.source().line(scene.line()).length();
        return whole
                ? List.of(new Sides(from + indent, operator + indent, to + indent))
                : List.of();
    }

    private static List<Change> concatenated(Scene scene, String left, String right) {
        String open =
                left.equals("str")
                        ? "str("
                        : List.of(
                                                "tuple",
                                                "set",
                                                "range",
                                                "dict_keys",
                                                "dict_values",
                                                "map",
                                                "filter",
                                                "generator")
                                        .contains(right)
                                ? "list("
                                : "[";
        String close = open.equals("[") ? "]" : ")";
        String line = scene.source().line(scene.line());
        Matcher augmented = AUGMENTED.matcher(scene.source().codeLine(scene.line()));
        for (Sides sides : sides(scene)) {
            String rest = line.substring(sides.operator() + 1, sides.to());
            int blank = rest.length() - rest.stripLeading().length();
            int at = sides.operator() + 1 + blank;
            return converted(
                    scene,
                    line.substring(0, at)
                            + open
                            + line.substring(at, sides.to())
                            + close
                            + line.substring(sides.to()));
        }
        if (augmented.matches()) {
            int at = augmented.start(3);
            int end = augmented.end(3);
            return converted(
                    scene,
                    line.substring(0, at)
                            + open
                            + line.substring(at, end)
                            + close
                            + line.substring(end));
        }
        return List.of();
    }

    private static List<Change> converted(Scene scene, String line) {
        return scene.change(
                scene.source().withLine(scene.line(), line),
                Mistake.TYPE,
                "Two things of different types are added: " + scene.problem().message(),
                "Convert one of them",
                0.85);
    }

    /**
     * A number and a text: a text that is written there stays one, what is read may be a number.
     */
    private static List<Change> textAfterNumber(Scene scene) {
        String line = scene.source().line(scene.line());
        Matcher augmented = AUGMENTED.matcher(scene.source().codeLine(scene.line()));
        if (augmented.matches()) {
            String value = line.substring(augmented.start(3), augmented.end(3));
            boolean item =
                    value.matches("[\\w.]+(?:\\[[^\\]\n]+\\])?") && !value.matches("[\"'].*");
            return item
                    ? converted(
                            scene,
                            line.substring(0, augmented.start(3))
                                    + "float("
                                    + value
                                    + ")"
                                    + line.substring(augmented.end(3)))
                    : List.of();
        }
        List<Change> changes = new ArrayList<>();
        for (Sides sides : sides(scene)) {
            String right = line.substring(sides.operator() + 1, sides.to()).strip();
            String left = line.substring(sides.from(), sides.operator()).stripTrailing();
            boolean written = right.matches("[fFrRbB]?[\"'].*");
            boolean printed =
                    line.substring(0, sides.from()).contains("print(")
                            || line.substring(sides.to()).contains("+");
            if (written || printed || right.startsWith("str(")) {
                changes.addAll(
                        converted(
                                scene,
                                line.substring(0, sides.from())
                                        + "str("
                                        + left
                                        + ")"
                                        + line.substring(sides.from() + left.length())));
            }
        }
        return changes;
    }

    private static List<Change> joined(Scene scene) {
        Source line = scene.source().as(scene.source().line(scene.line()));
        for (Source.Found found : line.find(JOIN)) {
            int open = found.match().end() - 1;
            int close = line.closing(open);
            String inside = close < 0 ? "" : line.text().substring(open + 1, close);
            if (!inside.isBlank() && !inside.startsWith("map(str") && !inside.startsWith("str(")) {
                boolean generator = line.code().substring(open, close).contains(" for ");
                String values = generator ? "(" + inside + ")" : inside;
                return converted(scene, line.with(open + 1, close, "map(str, " + values + ")"));
            }
        }
        return List.of();
    }
}
