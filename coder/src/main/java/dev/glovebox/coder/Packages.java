package dev.glovebox.coder;

import dev.glovebox.sandbox.Language;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Packages of a language's index, by name and perhaps version, such as {@code numpy} or {@code
 * left-pad@1.3.0}.
 *
 * <p>Whoever wrote the names may want something else than a package: a flag, an address, a file. So
 * a name is what the index calls a name, and nothing else.
 *
 * @param requirements sorted, and none of them twice
 */
public record Packages(Language language, List<String> requirements) {

    private static final int MOST = 50;
    private static final int LONGEST = 200;

    private static final String VERSION = "[A-Za-z0-9][A-Za-z0-9.*+!-]{0,40}";
    private static final Pattern PYTHON =
            Pattern.compile(
                    "([A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?)"
                            + "((?:\\[[A-Za-z0-9][A-Za-z0-9._,-]{0,98}\\])?"
                            + "(?:(?:===?|>=|<=|~=|!=|<|>)VERSION(?:,(?:==|>=|<=|~=|!=|<|>)VERSION){0,5})?)"
                                    .replace("VERSION", VERSION));
    private static final Pattern JAVASCRIPT =
            Pattern.compile(
                    "(?:@[a-z0-9][a-z0-9._~-]{0,98}/)?[a-z0-9][a-z0-9._~-]{0,98}"
                            + "(?:@(?:[\\^~]|>=|<=)?VERSION)?".replace("VERSION", VERSION));

    // What pip and npm take for files instead.
    private static final Pattern ARCHIVE =
            Pattern.compile(".*\\.(whl|zip|tar|tgz|tbz|txz|tlz|gz|bz2|xz|lz|lzma)", Pattern.DOTALL);

    public Packages {
        requirements =
                requirements.stream()
                        .map(name -> checked(language, name))
                        .sorted()
                        .distinct()
                        .toList();
        if (requirements.isEmpty()) {
            throw new IllegalArgumentException("There are no packages to be installed");
        }
        if (requirements.size() > MOST) {
            throw new IllegalArgumentException(
                    "%d packages are too many; %d are allowed"
                            .formatted(requirements.size(), MOST));
        }
    }

    private static String checked(Language language, String name) {
        Optional<String> good =
                name.length() > LONGEST || ARCHIVE.matcher(name).matches()
                        ? Optional.empty()
                        : switch (language) {
                            case PYTHON -> python(name);
                            case JAVASCRIPT ->
                                    Optional.of(name).filter(JAVASCRIPT.asMatchPredicate());
                            case BASH ->
                                    throw new IllegalArgumentException(
                                            "There are no packages for " + language);
                        };
        return good.orElseThrow(() ->
                new IllegalArgumentException(
                        "'%s' is not the name of a %s package, with or without a version"
                                .formatted(shown(name), language)));
    }

    /** The index knows one name in many spellings. */
    private static Optional<String> python(String name) {
        Matcher matcher = PYTHON.matcher(name);
        return matcher.matches()
                ? Optional.of(
                        matcher.group(1).toLowerCase(Locale.ROOT).replaceAll("[-_.]+", "-")
                                + matcher.group(2))
                : Optional.empty();
    }

    private static String shown(String name) {
        String all = name.replaceAll("\\p{Cntrl}", " ");
        return all.length() > LONGEST ? all.substring(0, LONGEST) + "…" : all;
    }
}
