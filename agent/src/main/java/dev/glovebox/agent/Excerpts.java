package dev.glovebox.agent;

/** As much of a text as a model needs to see of it. */
final class Excerpts {

    private static final int LONGEST = 200;

    private Excerpts() {}

    /** Its beginning, in one line. */
    static String of(String text) {
        int end = Math.min(text.length(), LONGEST);
        boolean half = end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
        String start = text.substring(0, half ? end - 1 : end);
        return start.replaceAll("\\R", " ") + (end < text.length() ? "…" : "");
    }

    /** Its end: that is where programs say what went wrong. */
    static String last(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int start = text.length() - most;
        boolean half = Character.isLowSurrogate(text.charAt(start));
        return "…" + text.substring(half ? start + 1 : start);
    }
}
