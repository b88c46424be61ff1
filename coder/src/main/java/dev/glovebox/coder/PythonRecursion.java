package dev.glovebox.coder;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Allows a deeper recursion, up to a bound, if the function can end at all: it returns something
 * without calling itself.
 */
final class PythonRecursion implements Rule {

    /** Frames of Python are on the heap; so many of them fit into the memory that a box has. */
    private static final int DEEPEST = 20_000;

    private static final Pattern LIMIT = Pattern.compile("\\bsetrecursionlimit\\(");

    @Override
    public List<Change> changes(Scene scene) {
        Source source = scene.source();
        boolean possible =
                scene.isPython()
                        && scene.problem().is("RecursionError")
                        && scene.line() > 0
                        && !source.has(LIMIT);
        Optional<PythonCode.Function> function =
                possible ? PythonCode.around(source, scene.line()) : Optional.empty();
        if (function.isEmpty() || !ends(source, function.get())) {
            return List.of();
        }
        String text = PythonCode.importing(source, "sys.setrecursionlimit(" + DEEPEST + ")");
        return scene.change(
                PythonCode.importing(source.as(text), "import sys"),
                Mistake.RECURSION,
                "'" + function.get().name() + "' calls itself deeper than Python allows by default",
                "Allow " + DEEPEST + " calls",
                0.6);
    }

    private static boolean ends(Source source, PythonCode.Function function) {
        Pattern itself = Pattern.compile("\\b" + function.name() + "[ \t]*\\(");
        boolean condition = false;
        boolean end = false;
        for (int i = function.line() + 1; i <= PythonCode.blockEnd(source, function.line()); i++) {
            String code = source.codeLine(i).strip();
            condition |= code.matches("(?:if|elif|while|for|try)\\b.*") || code.contains(" if ");
            end |= code.matches("(?:.*:[ \t]*)?return\\b.*") && !itself.matcher(code).find();
            end |= code.contains(" else ") && code.startsWith("return");
        }
        return condition && end;
    }
}
