package dev.glovebox.coder;

import dev.glovebox.agent.Excerpt;
import dev.glovebox.sandbox.Language;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a model wants to be installed: names, with versions at most. A flag, an address or a command
 * would be obeyed by whoever installs it.
 */
final class AnswerDependencies {

    private static final int MOST = 30;
    private static final int LONGEST = 200;
    private static final int LONGEST_QUOTE = 80;

    private static final String VERSION = "[A-Za-z0-9][A-Za-z0-9.*+!_-]{0,40}";

    private static final Pattern PYTHON =
            Pattern.compile(
                    "[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?"
                            + "(?:\\[[A-Za-z0-9._-]{1,50}(?:, ?[A-Za-z0-9._-]{1,50}){0,9}\\])?"
                            + ("(?: ?(?:==|>=|<=|~=|!=|<|>) ?"
                                    + VERSION
                                    + "(?:, ?(?:==|>=|<=|~=|!=|<|>) ?"
                                    + VERSION
                                    + "){0,4})?"));

    private static final Pattern JAVASCRIPT =
            Pattern.compile(
                    "(?:@[A-Za-z0-9][A-Za-z0-9._~-]{0,98}/)?[A-Za-z0-9][A-Za-z0-9._~-]{0,98}"
                            + "(?:@(?:\\^|~|>=|<=|<|>|=)?"
                            + VERSION
                            + ")?");

    private AnswerDependencies() {}

    /** What is wrong with them, for the model to read; empty: nothing. */
    static List<String> problems(Language language, List<String> dependencies) {
        if (dependencies.size() > MOST) {
            return List.of("At most %d packages may be installed".formatted(MOST));
        }
        return switch (language) {
            case PYTHON -> unlike(PYTHON, dependencies, "requests or requests>=2.31");
            case JAVASCRIPT -> unlike(JAVASCRIPT, dependencies, "lodash or lodash@^4.17.0");
            case BASH ->
                    dependencies.isEmpty()
                            ? List.of()
                            : List.of("Nothing can be installed for bash: leave it empty");
        };
    }

    private static List<String> unlike(Pattern name, List<String> dependencies, String example) {
        return dependencies.stream()
                .filter(one -> one.length() > LONGEST || !name.matcher(one).matches())
                .limit(5)
                .map(one ->
                        "'%s' cannot be installed: expected is the name of a package, with a version at most, such as %s; no flags, addresses, paths or commands"
                                .formatted(Excerpt.line(one, LONGEST_QUOTE), example))
                .toList();
    }
}
