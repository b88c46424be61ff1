package dev.glovebox.coder;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts a comma between two values that stand side by side. */
final class PythonCommas implements Rule {

    private static final Pattern SIDE_BY_SIDE =
            Pattern.compile(
                    "([\\w\"')\\]}])[ \t]*\\s+(?=[\\w\"'\\[({])|([\"')\\]}])(?=[\\w\"'\\[({])");

    @Override
    public List<Change> changes(Scene scene) {
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
