package dev.glovebox.coder;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes a number of what was read as text, where the program calculates with it. */
final class NumbersAsText implements Rule {

    private static final List<Pattern> ERRORS =
            List.of(
                    Pattern.compile(
                            "^unsupported operand type\\(s\\) for \\S{1,12}( or pow\\(\\))?: .*'str'.*$"),
                    Pattern.compile(
                            "^'(?:<|>|<=|>=)' not supported between instances of .*'str'.*$"),
                    Pattern.compile("^'str' object cannot be interpreted as an integer$"),
                    Pattern.compile("^can't multiply sequence by non-int of type '(?:str|float)'$"),
                    Pattern.compile("^must be real number, not str$"),
                    Pattern.compile("^bad operand type for (?:unary [+-]|abs\\(\\)): 'str'$"),
                    Pattern.compile("^not all arguments converted during string formatting$"));
    private static final Pattern READ =
            Pattern.compile(
                    "(?m)^[ \t]*(\\w+)[ \t]*=[ \t]*((?:input\\([^\n]*\\)|sys\\.argv\\[\\d+\\]|[\"'][^\"'\n]*[\"']|[^\n=]*\\.split\\([^\n]*\\)))[ \t]*$");
    private static final Pattern NUMBER = Pattern.compile("[\"']\\s*-?\\d+(\\.\\d+)?\\s*[\"']");

    @Override
    public List<Change> changes(Scene scene) {
        boolean possible =
                scene.isPython()
                        && scene.problem().is("TypeError")
                        && scene.line() > 0
                        && ERRORS.stream()
                                .anyMatch(e -> e.matcher(scene.problem().message()).matches());
        if (!possible) {
            return List.of();
        }
        Source source = scene.source();
        String used = names(source, scene.line());
        String text =
                source.replace(
                        READ,
                        found ->
                                used.contains(" " + found.group(1) + " ")
                                        ? found.whole()
                                                        .substring(
                                                                0,
                                                                found.match().start(2)
                                                                        - found.start())
                                                + number(found.group(2))
                                        : found.whole());
        return scene.change(
                text,
                Mistake.TYPE,
                "The program calculates with what it read as text",
                "Make a number of it",
                0.8);
    }

    /** The names on a line, and those that its own loop takes its values from. */
    private static String names(Source source, int line) {
        StringBuilder names = new StringBuilder(" ");
        Matcher words = Pattern.compile("[A-Za-z_]\\w*").matcher(source.codeLine(line));
        while (words.find()) {
            String word = words.group();
            names.append(word).append(' ');
            Matcher loop =
                    Pattern.compile("\\bfor[ \t]+" + word + "[ \t]+in[ \t]+(\\w+)")
                            .matcher(source.code());
            if (loop.find()) {
                names.append(loop.group(1)).append(' ');
            }
        }
        return names.toString();
    }

    private static String number(String value) {
        Matcher literal = NUMBER.matcher(value);
        if (literal.matches()) {
            return value.substring(1, value.length() - 1).strip();
        }
        if (value.matches("(?s)[\"'].*[\"']") && !value.contains(".split(")) {
            return value;
        }
        if (value.contains(".split(")) {
            boolean fraction = value.matches(".*\\d\\.\\d.*");
            boolean words = value.matches("(?s)[\"'].*[A-Za-z].*[\"']\\.split\\(.*");
            return words
                    ? value
                    : "[" + (fraction ? "float" : "int") + "(value) for value in " + value + "]";
        }
        return "int(" + value + ")";
    }
}
