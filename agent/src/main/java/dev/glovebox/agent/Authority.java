package dev.glovebox.agent;

import java.util.Locale;

/**
 * The part of a URL that says where to go.
 *
 * @param host in small letters
 * @param port 0: any; negative: it is not one
 */
record Authority(String host, int port) {

    /** In characters. */
    static final int LONGEST = 2048;

    private static final int LONGEST_PORT = 5;

    /** What ends a host in a sentence, but not the name of a user before it. */
    private static final String ENDS = "(){},;[]|!*";

    /**
     * Reads it.
     *
     * <p>The attack: what goes before the last {@code @} is the name of a user, and may look like
     * the host that is allowed, with a port and with more of these signs.
     */
    static Authority of(String written, int standardPort) {
        String place = written.substring(written.lastIndexOf('@') + 1);
        boolean literal = place.startsWith("[");
        int end = literal ? place.indexOf(']') + 1 : 0;
        while (end < place.length() && ENDS.indexOf(place.charAt(end)) < 0) {
            end++;
        }
        String shown = place.substring(0, end);
        int colon = shown.indexOf(':', literal ? shown.indexOf(']') + 1 : 0);
        String host = colon < 0 ? shown : shown.substring(0, colon);
        String port = colon < 0 ? "" : shown.substring(colon + 1);
        return new Authority(
                withoutStop(host).toLowerCase(Locale.ROOT), port(withoutStop(port), standardPort));
    }

    private static String withoutStop(String text) {
        return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    }

    private static int port(String written, int standard) {
        boolean number = written.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!number || written.length() > LONGEST_PORT) {
            return -1;
        }
        return written.isEmpty() ? standard : Integer.parseInt(written);
    }
}
