package dev.glovebox.coder;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes the kind of value that is wanted: a list of a view, a whole number of a quotient. */
final class PythonValues implements Rule {

    private static final Pattern VIEW =
            Pattern.compile(
                    "^(?:'(dict_keys|dict_values|dict_items|map|filter|zip|range|generator|reversed)' object (?:is not subscriptable|has no attribute '(?:sort|append|reverse|remove|pop|index|extend)'|does not support item assignment)|object of type '(map|filter|zip|generator|reversed)' has no len\\(\\)).*$");
    private static final Pattern MADE =
            Pattern.compile(
                    "\\b(?:map|filter|zip|range|reversed)\\(|[\\w.]+\\.(?:keys|values|items)\\(\\)");
    private static final Pattern FRACTION =
            Pattern.compile(
                    "^(?:'float' object cannot be interpreted as an integer|(?:list|tuple|string) indices must be integers or slices, not float|slice indices must be integers or None or have an __index__ method|(?:list|tuple|string|range object) indices must be integers.*float.*|can't multiply sequence by non-int of type 'float')$");
    private static final Pattern DIVISION = Pattern.compile("(?<!/)/(?![/=])");
    private static final Pattern NOTHING =
            Pattern.compile(
                    "^(?:'NoneType' object .*|object of type 'NoneType' .*|argument of type 'NoneType' .*|unsupported operand .*'NoneType'.*)$");
    private static final Pattern IN_PLACE =
            Pattern.compile(
                    "(?m)^([ \t]*)(\\w+)[ \t]*=[ \t]*(\\w+)\\.(sort|reverse|append|extend|insert|update|add|remove|clear)(\\([^\n]*\\))[ \t]*$");
    private static final Pattern JSON =
            Pattern.compile("^Object of type (\\w{1,40}) is not JSON serializable$");

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.isPython()
                || scene.line() == 0
                || !scene.problem().is("TypeError", "AttributeError")) {
            return List.of();
        }
        String message = scene.problem().message();
        if (VIEW.matcher(message).matches()) {
            return listed(scene);
        }
        if (FRACTION.matcher(message).matches()) {
            return whole(scene);
        }
        if (NOTHING.matcher(message).matches()) {
            return inPlace(scene);
        }
        Matcher json = JSON.matcher(message);
        if (json.matches()) {
            return serialized(scene, json.group(1));
        }
        return List.of();
    }

    private static List<Change> listed(Scene scene) {
        Source source = scene.source();
        String code = source.codeLine(scene.line());
        Matcher names = Pattern.compile("([A-Za-z_]\\w*)[ \t]*(?:\\[|\\.\\w|\\))").matcher(code);
        String text = wrapped(source, scene.line());
        while (text.equals(source.text()) && names.find()) {
            Pattern assigned = Pattern.compile("(?m)^[ \t]*" + names.group(1) + "[ \t]*=(?!=)");
            for (Source.Found found : source.find(assigned)) {
                String changed = wrapped(source, source.lineOf(found.match().end()));
                text = changed;
            }
        }
        return scene.change(
                text, Mistake.TYPE, "What is used as a list is not one", "Make a list of it", 0.85);
    }

    private static String wrapped(Source source, int line) {
        Matcher made = MADE.matcher(source.code());
        made.region(source.start(line), source.end(line));
        if (!made.find()) {
            return source.text();
        }
        boolean view = made.group().endsWith("()");
        int end = view ? made.end() : source.closing(made.end() - 1) + 1;
        boolean done = source.code().substring(0, made.start()).endsWith("list(");
        return end <= 0 || done
                ? source.text()
                : source.with(
                        made.start(),
                        end,
                        "list(" + source.text().substring(made.start(), end) + ")");
    }

    /** The division is on the line itself, or made the value of a name on it. */
    private static List<Change> whole(Scene scene) {
        Source source = scene.source();
        Source line = source.as(source.line(scene.line()));
        String text = source.withLine(scene.line(), line.replace(DIVISION, found -> "//"));
        if (text.equals(source.text())) {
            Matcher names = Pattern.compile("[A-Za-z_]\\w*").matcher(line.code());
            while (names.find() && text.equals(source.text())) {
                Pattern assigned =
                        Pattern.compile("(?m)^[ \t]*" + names.group() + "[ \t]*=(?!=)[^\n]*$");
                text =
                        source.replace(
                                assigned,
                                found -> source.as(found.whole()).replace(DIVISION, slash -> "//"));
            }
        }
        return scene.change(
                text,
                Mistake.TYPE,
                "A quotient is used where a whole number is wanted",
                "Divide without a fraction",
                0.85);
    }

    private static List<Change> inPlace(Scene scene) {
        Source source = scene.source();
        String text =
                source.replace(
                        IN_PLACE,
                        found -> {
                            String same =
                                    found.group(1)
                                            + found.group(3)
                                            + "."
                                            + found.group(4)
                                            + found.group(5);
                            return found.group(2).equals(found.group(3))
                                    ? same
                                    : found.group(4).equals("sort")
                                            ? found.group(1)
                                                    + found.group(2)
                                                    + " = sorted("
                                                    + found.group(3)
                                                    + (found.group(5).equals("()")
                                                            ? ")"
                                                            : ", " + found.group(5).substring(1))
                                            : found.group(4).equals("reverse")
                                                    ? found.group(1)
                                                            + found.group(2)
                                                            + " = "
                                                            + found.group(3)
                                                            + "[::-1]"
                                                    : found.whole();
                        });
        return scene.change(
                text,
                Mistake.TYPE,
                "A method that changes a list gives nothing back, and that is used",
                "Use the list itself",
                0.9);
    }

    private static List<Change> serialized(Scene scene, String type) {
        String how =
                switch (type) {
                    case "set", "frozenset", "dict_keys", "dict_values", "map", "range", "deque" ->
                            "list";
                    case "datetime",
                            "date",
                            "time",
                            "timedelta",
                            "Decimal",
                            "UUID",
                            "PosixPath",
                            "Fraction" ->
                            "str";
                    default -> "";
                };
        Source source = scene.source();
        if (how.isEmpty()) {
            return List.of();
        }
        Source line = source.as(source.line(scene.line()));
        for (Source.Found found : line.find(Pattern.compile("\\bjson\\.dumps?\\("))) {
            int close = line.closing(found.match().end() - 1);
            if (close > 0 && !line.code().contains("default=")) {
                return scene.change(
                        source.withLine(scene.line(), line.with(close, close, ", default=" + how)),
                        Mistake.TYPE,
                        "JSON has no " + type,
                        "Write it as a " + (how.equals("str") ? "text" : "list"),
                        0.8);
            }
        }
        return List.of();
    }
}
