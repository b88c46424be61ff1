package dev.glovebox.coder;

import dev.glovebox.run.Context;
import java.util.List;
import java.util.Optional;

/**
 * Repairs the mistakes that can be told from the error alone, by rules and without a model.
 *
 * <p>It changes code only for a reason that it found in the error, and never proposes what was
 * tried before. Where no rule applies, it says so.
 */
public final class OfflineDebugger implements Debugger {

    /** As much as is looked at of what a program said, half of it from each end. */
    private static final int MOST_SAID = 64 * 1024;

    /** Nobody writes longer programs by hand, and rules read them more than once. */
    private static final int LONGEST_CODE = 256 * 1024;

    private final List<Rule> rules;

    private OfflineDebugger(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    /** Modules that are missing are added to what is installed. */
    public static OfflineDebugger standard() {
        return new OfflineDebugger(Rules.all(true));
    }

    /** Nothing can be installed: modules that are missing are replaced where that can be done. */
    public static OfflineDebugger withoutIndex() {
        return new OfflineDebugger(Rules.all(false));
    }

    @Override
    public Repair repair(Trouble trouble, Context context) {
        return repair(trouble);
    }

    Repair repair(Trouble trouble) {
        Attempt last = trouble.last();
        Optional<Diagnosis> stopped = Verdict.ofOutcome(last.report().outcome());
        if (stopped.isPresent()) {
            return new Repair(stopped.get(), Optional.empty());
        }
        if (last.artifact().files().values().stream().anyMatch(t -> t.length() > LONGEST_CODE)) {
            return new Repair(
                    new Diagnosis(
                            Mistake.UNKNOWN.word(),
                            "The code is too long to be repaired by rules",
                            "Somebody has to look at it",
                            0.1),
                    Optional.empty());
        }
        Scene scene =
                new Scene(
                        trouble.plan(),
                        last.artifact(),
                        last.report(),
                        ends(last.report().stderr()));
        List<CodeArtifact> tried = trouble.attempts().stream().map(Attempt::artifact).toList();
        for (Rule rule : rules) {
            for (Rule.Change change : changes(rule, scene)) {
                if (!tried.contains(change.artifact())) {
                    return new Repair(change.diagnosis(), Optional.of(change.artifact()));
                }
            }
        }
        return new Repair(Verdict.of(scene), Optional.empty());
    }

    /**
     * A rule that stumbles over a program or an error that somebody made for that is passed over:
     * expressions overflow the stack on long lines.
     */
    private static List<Rule.Change> changes(Rule rule, Scene scene) {
        try {
            return rule.changes(scene);
        } catch (StackOverflowError | RuntimeException e) {
            return List.of();
        }
    }

    private static String ends(String said) {
        int half = MOST_SAID / 2;
        return said.length() <= MOST_SAID
                ? said
                : said.substring(0, half) + "\n" + said.substring(said.length() - half);
    }
}
