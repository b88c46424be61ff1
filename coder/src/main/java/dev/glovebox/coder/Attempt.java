package dev.glovebox.coder;

import java.util.List;
import java.util.Optional;

/**
 * One attempt.
 *
 * @param problems the checks that it did not pass, in words; empty: it is good
 * @param diagnosis of what went wrong, once somebody has looked
 */
public record Attempt(
        CodeArtifact artifact,
        ExecutionReport report,
        List<String> problems,
        Optional<Diagnosis> diagnosis) {

    public Attempt {
        problems = List.copyOf(problems);
    }
}
