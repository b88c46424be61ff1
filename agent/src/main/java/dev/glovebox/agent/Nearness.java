package dev.glovebox.agent;

import java.util.Locale;

/** How much two names are alike. */
final class Nearness {

    private Nearness() {}

    /**
     * How many letters must be put in, taken out or replaced; how words are joined is no matter.
     */
    static int distance(String one, String two) {
        String from = plain(one);
        String to = plain(two);
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
                int least = Math.min(Math.min(row[j], row[j - 1]) + 1, diagonal + change);
                diagonal = row[j];
                row[j] = least;
            }
        }
        return row[to.length()];
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_. ]", "");
    }
}
