package dev.glovebox.agent;

import java.util.regex.Pattern;

/**
 * Names of tools, and of calls, as all vendors take them.
 *
 * <p>Where one does not, it refuses each prompt that has it, also if a model made it up.
 */
final class ToolName {

    static final int LONGEST = 64;

    private static final Pattern OTHERS = Pattern.compile("[^a-zA-Z0-9_-]");

    private ToolName() {}

    static boolean isFit(String name) {
        return !name.isEmpty()
                && name.length() <= LONGEST
                && name.chars().allMatch(ToolName::isFit);
    }

    private static boolean isFit(int unit) {
        return unit < 0x80 && (Character.isLetterOrDigit(unit) || unit == '_' || unit == '-');
    }

    /** The same, or one that is like it. */
    static String fit(String written) {
        if (isFit(written)) {
            return written;
        }
        String begin = written.substring(0, Math.min(LONGEST, written.length()));
        return begin.isEmpty() ? "_" : OTHERS.matcher(begin).replaceAll("_");
    }
}
