package dev.glovebox.agent;

import java.util.Locale;
import java.util.Set;

/** What stands where a secret would stand. */
final class Templates {

    private static final Set<String> WORDS =
            Set.of(
                    "string",
                    "text",
                    "password",
                    "passwd",
                    "secret",
                    "token",
                    "none",
                    "null",
                    "undefined",
                    "true",
                    "false",
                    "required",
                    "invalid",
                    "missing",
                    "hidden",
                    "redacted",
                    "removed",
                    "changeme",
                    "example",
                    "optional",
                    "number",
                    "value");

    private Templates() {}

    static boolean is(String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        return value.isEmpty()
                || "$<{[%*".indexOf(value.charAt(0)) >= 0
                || value.contains("${")
                || value.contains("{{")
                || value.contains("[secret: ")
                || value.chars().distinct().count() <= 1
                || lower.startsWith("your")
                || lower.startsWith("xxx")
                || lower.startsWith("...")
                || WORDS.contains(lower);
    }
}
