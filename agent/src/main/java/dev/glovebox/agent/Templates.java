package dev.glovebox.agent;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** What stands where a secret would stand. */
final class Templates {

    private static final Set<String> WORDS =
            Set.of(
                    "string",
                    "text",
                    "bytes",
                    "object",
                    "unknown",
                    "password",
                    "passwd",
                    "secret",
                    "token",
                    "none",
                    "null",
                    "undefined",
                    "true",
                    "false",
                    "always",
                    "never",
                    "enabled",
                    "disabled",
                    "required",
                    "invalid",
                    "missing",
                    "empty",
                    "blank",
                    "hidden",
                    "masked",
                    "filtered",
                    "redacted",
                    "removed",
                    "changeme",
                    "example",
                    "optional",
                    "default",
                    "number",
                    "value",
                    "prompt",
                    "input",
                    "stdin",
                    "self",
                    "this",
                    "await",
                    "lambda",
                    "lambda:",
                    "function");

    /** Of shells and their kin: $NAME, $env:NAME, $this->name, $DIR/name. */
    private static final Pattern VARIABLE =
            Pattern.compile(
                    "\\$[A-Za-z_][A-Za-z0-9_]{0,80}+(?:[.:/>-]{1,3}+[A-Za-z0-9_]{1,80}+){0,9}+[.:/>-]{0,3}+");

    /** Of formats: %s, %(name)s, %NAME%. */
    private static final Pattern FORMAT =
            Pattern.compile("%(?:[a-zA-Z@]|\\([A-Za-z0-9_]{1,80}+\\)[a-z]|[A-Za-z0-9_]{1,80}+%)");

    private static final String OPENING = "<{[";
    private static final String CLOSING = ">}]";

    /** Where the secret is, not what it is. */
    private static final Set<String> ELSEWHERE = Set.of("env:", "file:", "vault:", "op:");

    private Templates() {}

    static boolean is(String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        return value.chars().allMatch(c -> c == value.charAt(0))
                || isPlace(value)
                || value.contains("[secret: ")
                || value.contains("***")
                || isYours(lower)
                || lower.startsWith("xxx")
                || lower.startsWith("...")
                || ELSEWHERE.stream().anyMatch(lower::startsWith)
                || WORDS.contains(lower);
    }

    /**
     * Whether something else will be put there. A sign at the beginning is not enough: passwords
     * begin with a dollar as well.
     */
    private static boolean isPlace(String value) {
        int bracket = OPENING.indexOf(value.charAt(0));
        return (bracket >= 0 && value.charAt(value.length() - 1) == CLOSING.charAt(bracket))
                || value.contains("${")
                || value.contains("$(")
                || value.contains("#{")
                || value.contains("{{")
                || VARIABLE.matcher(value).matches()
                || FORMAT.matcher(value).matches();
    }

    private static boolean isYours(String lower) {
        return lower.startsWith("your")
                && (!Randomness.hasDigit(lower)
                        || (lower.length() > 4 && "_- ".indexOf(lower.charAt(4)) >= 0));
    }
}
