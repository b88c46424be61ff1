package dev.glovebox.coder;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts a comma between two values that stand side by side. */
final class PythonCommas implements Rule {

    private static final Pattern SIDE_BY_SIDE =
            Pattern.compile(
                    "([\\w\"')\\]}])[ \t]*\\s+(?=[\\w\"'\\[({])|([\"')\\]}])(?=[\\w\"'\\[({])");

    private static final String WORDS =
            "(?:and|or|not|in|is|if|else|for|lambda|await|yield|from|as|async|return)\\b";
    private static final Pattern VALUE_BEGINS = Pattern.compile("(?!" + WORDS + ")[\\w\"']");
    private static final Pattern VALUE_ENDS =
            Pattern.compile("(?:[\"')\\]}]|\\b(?!" + WORDS + ")\\w+)$");

    @Override
    public List<Change> changes(Scene scene) {
        if (scene.isPython()
                && scene.problem().is("SyntaxError")
                && scene.problem().message().equals("invalid syntax")
                && scene.column() > 0) {
            return between(scene);
        }
        boolean possible =
                scene.isPython()
                        && scene.problem().is("SyntaxError")
                        && scene.problem().says("forgot a comma")
                        && scene.column() >= 0;
        if (!possible) {
            return List.of();
        }
        Source source = scene.source();
        int from = source.start(scene.line()) + scene.column();
        Matcher matcher = SIDE_BY_SIDE.matcher(source.code());
        matcher.region(from, source.end(PythonCode.statementEnd(source, scene.line())));
        while (matcher.find()) {
            int place = matcher.start() + 1;
            boolean string = "\"'".indexOf(source.code().charAt(place - 1)) >= 0;
            if (string && !endsString(source, place - 1)) {
                continue;
            }
            return scene.change(
                    source.with(place, place, ","),
                    Mistake.SYNTAX,
                    "Two values stand side by side without a comma",
                    "Add the comma",
                    0.8);
        }
        return List.of();
    }

    /** The second value is where the error is, and both are within brackets. */
    private static List<Change> between(Scene scene) {
        Source source = scene.source();
        int at = source.start(scene.line()) + scene.column();
        String before = source.code().substring(0, at).stripTrailing();
        boolean values =
                at < source.code().length()
                        && VALUE_BEGINS.matcher(source.code().substring(at)).lookingAt()
                        && VALUE_ENDS
                                .matcher(before.substring(Math.max(0, before.length() - 40)))
                                .find();
        int depth = 0;
        for (int i = 0; i < before.length(); i++) {
            char c = before.charAt(i);
            depth += Source.isOpen(c) ? 1 : Source.isClose(c) ? -1 : 0;
        }
        return values && depth > 0
                ? scene.change(
                        source.with(before.length(), before.length(), ","),
                        Mistake.SYNTAX,
                        "Two values stand side by side without a comma",
                        "Add the comma",
                        0.7)
                : List.of();
    }

    /** Whether the quote at a position is the second of its string, as far as its line tells. */
    private static boolean endsString(Source source, int position) {
        char quote = source.code().charAt(position);
        int count = 0;
        for (int i = source.start(source.lineOf(position)); i <= position; i++) {
            count += source.code().charAt(i) == quote ? 1 : 0;
        }
        return count % 2 == 0;
    }
}
