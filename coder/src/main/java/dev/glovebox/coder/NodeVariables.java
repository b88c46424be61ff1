package dev.glovebox.coder;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lets a variable change that is changed, and declares it once. */
final class NodeVariables implements Rule {

    private static final Pattern TWICE =
            Pattern.compile("^Identifier '(\\w{1,80})' has already been declared$");
    private static final Pattern ASSIGNED =
            Pattern.compile(
                    "(\\w+)[ \t]*(?:[-+*/%&|^]|\\*\\*|<<|>>|\\?\\?|&&|\\|\\|)?=(?!=)|(\\w+)(?:\\+\\+|--)|(?:\\+\\+|--)(\\w+)");

    @Override
    public List<Change> changes(Scene scene) {
        if (!scene.isNode() || scene.line() == 0) {
            return List.of();
        }
        if (scene.problem().is("TypeError")
                && scene.problem().says("Assignment to constant variable")) {
            return variable(scene);
        }
        Matcher twice = TWICE.matcher(scene.problem().message());
        return scene.problem().is("SyntaxError") && twice.matches()
                ? once(scene, twice.group(1))
                : List.of();
    }

    private static List<Change> variable(Scene scene) {
        Source source = scene.source();
        Matcher assigned = ASSIGNED.matcher(source.codeLine(scene.line()));
        while (assigned.find()) {
            String name =
                    assigned.group(1) != null
                            ? assigned.group(1)
                            : assigned.group(2) != null ? assigned.group(2) : assigned.group(3);
            Pattern declared =
                    Pattern.compile(
                            "\\bconst(?=[ \t]+(?:"
                                    + name
                                    + "\\b|\\{[^}\n]*\\b"
                                    + name
                                    + "\\b|\\[[^\\]\n]*\\b"
                                    + name
                                    + "\\b))");
            String text = source.replace(declared, found -> "let");
            if (!text.equals(source.text())) {
                return scene.change(
                        text,
                        Mistake.TYPE,
                        "The constant '" + name + "' is changed",
                        "Declare it with let",
                        0.95);
            }
        }
        return List.of();
    }

    private static List<Change> once(Scene scene, String name) {
        Source source = scene.source();
        Source line = source.as(source.line(scene.line()));
        Pattern again = Pattern.compile("\\b(?:let|const|var)[ \t]+(?=" + name + "\\b[ \t]*=)");
        Source without = source.as(source.withLine(scene.line(), line.replace(again, found -> "")));
        String text =
                without.replace(
                        Pattern.compile("\\bconst(?=[ \t]+" + name + "\\b)"), found -> "let");
        return without.text().equals(source.text())
                ? List.of()
                : scene.change(
                        text,
                        Mistake.NAME,
                        "'" + name + "' is declared twice",
                        "Declare it once",
                        0.8);
    }
}
