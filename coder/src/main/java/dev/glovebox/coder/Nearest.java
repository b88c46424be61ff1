package dev.glovebox.coder;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the word that was meant. */
final class Nearest {

    private static final int LONGEST = 60;
    private static final int MOST = 5000;

    private Nearest() {}

    /** The one word that differs least, and by little; empty: there is none, or several. */
    static Optional<String> to(String word, Collection<String> words) {
        int allowed = word.length() <= 3 ? 1 : word.length() <= 7 ? 2 : 3;
        return within(allowed, word, words);
    }

    static Optional<String> within(int allowed, String word, Collection<String> words) {
        if (word.length() < 2 || word.length() > LONGEST) {
            return Optional.empty();
        }
        record Candidate(String word, int distance) {}
        var candidates =
                words.stream()
                        .limit(MOST)
                        .filter(other -> !other.equals(word) && other.length() > 1)
                        .filter(other -> Math.abs(other.length() - word.length()) <= allowed)
                        .map(other -> new Candidate(other, distance(word, other)))
                        .filter(c -> c.distance() <= allowed && c.distance() < word.length() - 1)
                        .sorted(Comparator.comparingInt(Candidate::distance))
                        .limit(2)
                        .toList();
        boolean clear =
                candidates.size() == 1
                        || (candidates.size() == 2
                                && candidates.get(0).distance() < candidates.get(1).distance());
        return clear ? Optional.of(candidates.getFirst().word()) : Optional.empty();
    }

    /**
     * Letters to insert, leave out, replace or swap with the next; other case counts as nothing but
     * one.
     */
    static int distance(String a, String b) {
        if (a.equalsIgnoreCase(b)) {
            return 1;
        }
        int[][] steps = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    steps[i][j] = i + j;
                    continue;
                }
                int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                int least =
                        Math.min(
                                Math.min(steps[i - 1][j], steps[i][j - 1]) + 1,
                                steps[i - 1][j - 1] + same);
                if (i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    least = Math.min(least, steps[i - 2][j - 2] + 1);
                }
                steps[i][j] = least;
            }
        }
        return steps[a.length()][b.length()];
    }
}
