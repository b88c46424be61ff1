package dev.glovebox.coder;

import dev.glovebox.agent.Excerpt;
import java.util.Arrays;
import java.util.List;

/**
 * A diagnosis and the code that is changed, as a model gives them.
 *
 * @param files those that change, complete; none: nobody knows what to change
 */
record AnswerRepair(
        String category,
        String cause,
        String fix,
        double confidence,
        List<AnswerFile> files,
        String entry,
        List<String> dependencies,
        List<String> arguments) {

    private static final int LONGEST = 2_000;

    AnswerProgram program() {
        return new AnswerProgram(files, entry, dependencies, arguments);
    }

    /** Whether nothing is changed; whoever has nothing to say may also leave the rest empty. */
    boolean isHelpless(CodeArtifact last) {
        return files.isEmpty()
                && (entry.isBlank() || entry.equals(last.entry()))
                && (dependencies.isEmpty() || dependencies.equals(last.dependencies()))
                && (arguments.isEmpty() || arguments.equals(last.arguments()));
    }

    /** Words that nobody counts failures by are none. */
    Diagnosis diagnosis() {
        boolean known =
                Arrays.stream(Mistake.values()).anyMatch(one -> one.word().equals(category));
        return new Diagnosis(
                known ? category : Mistake.UNKNOWN.word(),
                Excerpt.line(cause, LONGEST),
                Excerpt.line(fix, LONGEST),
                Math.clamp(confidence, 0, 1));
    }
}
