package dev.glovebox.coder;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Puts the colon at the end of a line that begins a block, and {@code ==} where two are compared.
 */
final class PythonColons implements Rule {

    private static final Pattern BEGINS_BLOCK =
            Pattern.compile(
                    "^[ \t]*(?:async[ \t]+)?(?:if|elif|else|for|while|def|class|try|except|finally|with)\\b.*");
    private static final Pattern CONDITION =
            Pattern.compile("^[ \t]*(?:if|elif|while|assert|return)\\b.*");
    private static final Pattern SINGLE_EQUALS = Pattern.compile("(?<![=<>!:+*/%|&^-])=(?!=)");

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.isPython() || !scene.problem().is("SyntaxError") || scene.line() == 0) {
            return List.of();
        }
        if (scene.problem().says("==")) {
            return comparison(scene);
        }
        if (scene.problem().says("expected ':'")
                || scene.problem().message().equals("invalid syntax")) {
            return colon(scene);
        }
        return List.of();
    }

    private static List<Change> colon(Scene scene) {
        Source source = scene.source();
        int line = scene.line();
        String code = source.codeLine(line).stripTrailing();
        boolean begins = BEGINS_BLOCK.matcher(code).matches();
        boolean said = scene.problem().says("expected ':'");
        if (code.isEmpty() || code.endsWith(":") || (!said && !begins)) {
            return List.of();
        }
        boolean inside = said && scene.column() >= 0 && scene.column() < code.length();
        boolean blockFollows = line < source.lines() && deeper(source, line);
        if (!said && !blockFollows) {
            return List.of();
        }
        String whole = source.line(line);
        char last = code.charAt(code.length() - 1);
        String changed;
        if (last == ';' || last == ',' || last == '{') {
            changed =
                    code.substring(0, code.length() - 1).stripTrailing()
                            + ":"
                            + whole.substring(code.length());
        } else if (inside && !blockFollows) {
            changed =
                    whole.substring(0, scene.column()).stripTrailing()
                            + ": "
                            + whole.substring(scene.column());
        } else {
            changed = whole.substring(0, code.length()) + ":" + whole.substring(code.length());
        }
        return scene.change(
                source.withLine(line, changed),
                Mistake.SYNTAX,
                "A line that begins a block does not end with a colon",
                "Add the colon",
                0.95);
    }

    private static boolean deeper(Source source, int line) {
        for (int i = line + 1; i <= source.lines(); i++) {
            if (!source.isBlank(i)) {
                return source.indent(i).length() > source.indent(line).length();
            }
        }
        return false;
    }

    private static List<Change> comparison(Scene scene) {
        Source line = scene.source().as(scene.source().line(scene.line()));
        if (!CONDITION.matcher(line.code()).matches()) {
            return List.of();
        }
        String changed =
                line.replace(SINGLE_EQUALS, found -> depth(line, found.start()) == 0 ? "==" : "=");
        return scene.change(
                scene.source().withLine(scene.line(), changed),
                Mistake.SYNTAX,
                "A condition assigns where it should compare",
                "Write == instead of =",
                0.9);
    }

    /** Brackets of calls; those around the condition itself do not count. */
    private static int depth(Source line, int position) {
        int depth = 0;
        for (int i = 0; i < position; i++) {
            char c = line.code().charAt(i);
            boolean call = i > 0 && Character.isJavaIdentifierPart(line.code().charAt(i - 1));
            depth += c == '(' && call ? 1 : 0;
            depth -= c == ')' && depth > 0 ? 1 : 0;
        }
        return depth;
    }
}
