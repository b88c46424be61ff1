package dev.glovebox.coder;

import java.util.Locale;
import java.util.Set;

/** Words without their endings, so that sorts, sorted and sorting are one. */
final class Stems {

    private static final int SHORTEST = 3;

    /** What looks like a form of another word, and is none. */
    private static final Set<String> WHOLE = Set.of("means", "meaning", "during", "nothing");

    private Stems() {}

    static String of(String word) {
        String stem = word.toLowerCase(Locale.ROOT);
        if (stem.length() <= SHORTEST || WHOLE.contains(stem)) {
            return stem;
        }
        if (stem.endsWith("ies") && stem.length() > SHORTEST + 1) {
            stem = cut(stem, 3) + "y";
        } else if (stem.endsWith("sses") || stem.endsWith("xes") || stem.endsWith("ches")) {
            stem = cut(stem, 2);
        } else if (stem.endsWith("s")
                && !stem.endsWith("ss")
                && !stem.endsWith("us")
                && !stem.endsWith("is")) {
            stem = cut(stem, 1);
        }
        if (stem.endsWith("ing") && stem.length() >= SHORTEST + 3) {
            stem = single(cut(stem, 3));
        } else if (stem.endsWith("ed") && stem.length() >= SHORTEST + 2) {
            stem = single(cut(stem, 2));
        }
        return stem.endsWith("e") && stem.length() > SHORTEST ? cut(stem, 1) : stem;
    }

    private static String cut(String word, int letters) {
        return word.substring(0, word.length() - letters);
    }

    /** Of plan, planned and planning. */
    private static String single(String stem) {
        int last = stem.length() - 1;
        boolean twice = last > 1 && stem.charAt(last) == stem.charAt(last - 1);
        return twice && "lsz".indexOf(stem.charAt(last)) < 0 ? cut(stem, 1) : stem;
    }

    /** Whether one is the other with one letter more, less, other, or exchanged with the next. */
    static boolean nearly(String one, String other) {
        if (Math.abs(one.length() - other.length()) > 1) {
            return false;
        }
        int start = 0;
        int shorter = Math.min(one.length(), other.length());
        while (start < shorter && one.charAt(start) == other.charAt(start)) {
            start++;
        }
        String left = one.substring(start);
        String right = other.substring(start);
        if (left.length() > 1
                && right.length() > 1
                && left.charAt(0) == right.charAt(1)
                && left.charAt(1) == right.charAt(0)
                && left.substring(2).equals(right.substring(2))) {
            return true;
        }
        return switch (Integer.compare(left.length(), right.length())) {
            case 0 -> left.isEmpty() || left.substring(1).equals(right.substring(1));
            case 1 -> left.substring(1).equals(right);
            default -> left.equals(right.substring(1));
        };
    }
}
