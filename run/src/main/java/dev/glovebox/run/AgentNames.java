package dev.glovebox.run;

import java.util.regex.Pattern;

/**
 * What agents, topics, messages and tenants may be called: nothing that a log or a path could
 * misread.
 */
final class AgentNames {

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,63}");
    // Servers of others may name theirs as they like, as far as vendors take it.
    private static final Pattern TOOL = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_.:@+~-]{1,128}");

    private AgentNames() {}

    static String name(String what, String name) {
        return matching(NAME, what, name, "a letter, then up to 63 letters, digits, or _ . -");
    }

    static String tool(String what, String name) {
        return matching(TOOL, what, name, "1 to 64 letters, digits, or _ . -");
    }

    static String key(String what, String key) {
        return matching(KEY, what, key, "1 to 128 letters, digits, or _ . : @ + ~ -");
    }

    private static String matching(Pattern pattern, String what, String given, String rule) {
        if (!pattern.matcher(given).matches()) {
            throw new IllegalArgumentException(
                    "Not a name for "
                            + what
                            + ": \""
                            + printable(given)
                            + "\". It must be "
                            + rule);
        }
        return given;
    }

    private static String printable(String given) {
        String shown = given.length() > 80 ? given.substring(0, 80) + "…" : given;
        return shown.replaceAll("\\p{Cntrl}", "?");
    }
}
