package dev.glovebox.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What can be said of a whole installation.
 *
 * @param leaves how many the log has
 * @param runs how many were checked, with those that are missing
 * @param problems what is wrong with the log itself
 * @param findings the verdicts of all runs that are not intact
 */
public record Audit(
        long leaves, long runs, List<String> problems, SortedMap<String, Verdict> findings) {

    public Audit {
        problems = List.copyOf(problems);
        findings = Collections.unmodifiableSortedMap(new TreeMap<>(findings));
    }

    /** As of a {@link Verdict}: the worst that was found. */
    public int exitCode() {
        boolean tampered =
                !problems.isEmpty()
                        || findings.values().stream()
                                .anyMatch(verdict -> verdict instanceof Verdict.Tampered);
        return tampered ? 1 : findings.isEmpty() ? 0 : 3;
    }

    /** One for each thing that is not as it should be; one if there is none. */
    public List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        problems.forEach(problem -> sentences.add("Tampered with: " + problem + "."));
        findings.forEach((run, verdict) -> sentences.add(run + ": " + verdict.sentence()));
        if (sentences.isEmpty()) {
            sentences.add("Intact: %,d runs, %,d leaves of the log.".formatted(runs, leaves));
        }
        return sentences;
    }
}
