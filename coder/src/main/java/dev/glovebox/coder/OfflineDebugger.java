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
    private static final int LONGEST_CODE = 64 * 1024;

    private static final int LONGEST_LINE = 1000;

    private static final String NO_INDEX =
            "the policy does not let the install step reach a package index";

    private final List<Rule> rules;
    private final Optional<String> noIndex;

    private OfflineDebugger(Optional<String> noIndex) {
        this.rules = List.copyOf(Rules.all(noIndex.isEmpty()));
        this.noIndex = noIndex;
    }

    /** Modules that are missing are added to what is installed. */
    public static OfflineDebugger standard() {
        return new OfflineDebugger(Optional.empty());
    }

    /** Nothing can be installed: modules that are missing are replaced where that can be done. */
    public static OfflineDebugger withoutIndex() {
        return withoutIndex(NO_INDEX);
    }

    /** The same, with a reason. */
    static OfflineDebugger withoutIndex(String why) {
        return new OfflineDebugger(Optional.of(why));
    }

    @Override
    public Repair repair(Trouble trouble, Context context) {
        return repair(trouble);
    }

    Repair repair(Trouble trouble) {
        Attempt last = trouble.last();
        boolean installing = last.report().step() == ExecutionReport.Step.INSTALL;
        // What could not be installed may be replaced.
        Optional<Diagnosis> stopped =
                installing ? Optional.empty() : Verdict.ofOutcome(last.report().outcome());
        if (stopped.isPresent()) {
            return new Repair(stopped.get(), Optional.empty());
        }
        if (isTooLong(last.artifact())) {
            return new Repair(
                    new Diagnosis(
                            Mistake.UNKNOWN.word(),
                            "The code is too long to be repaired by rules",
                            "Somebody has to look at it",
                            0.1),
                    Optional.empty());
        }
        List<CodeArtifact> tried = trouble.attempts().stream().map(Attempt::artifact).toList();
        Scene scene = scene(trouble.plan(), last);
        return rules.stream()
                .flatMap(rule -> changes(rule, scene).stream())
                .filter(change -> !tried.contains(change.artifact()))
                .findFirst()
                .or(() -> instead(trouble, tried))
                .map(change -> new Repair(change.diagnosis(), Optional.of(change.artifact())))
                .orElseGet(() -> new Repair(verdict(scene), Optional.empty()));
    }

    private Diagnosis verdict(Scene scene) {
        Diagnosis known = Verdict.of(scene);
        boolean missing = known.category().equals(Mistake.MISSING_MODULE.word());
        return noIndex.filter(why -> missing)
                .map(why ->
                        new Diagnosis(
                                known.category(),
                                known.cause() + "; and nothing can be installed: " + why,
                                known.fix(),
                                known.confidence()))
                .orElse(known);
    }

    private static boolean isTooLong(CodeArtifact artifact) {
        return artifact.files().values().stream()
                .anyMatch(text ->
                        text.length() > LONGEST_CODE
                                || text.lines().anyMatch(l -> l.length() > LONGEST_LINE));
    }

    /** What else could have been done where something was, and did not help. */
    private Optional<Rule.Change> instead(Trouble trouble, List<CodeArtifact> tried) {
        Attempt last = trouble.last();
        if (last.problems().isEmpty() && last.report().outcome().success()) {
            return Optional.empty();
        }
        for (Attempt earlier : trouble.attempts().reversed().subList(1, tried.size())) {
            Scene scene = scene(trouble.plan(), earlier);
            for (Rule rule : rules) {
                List<Rule.Change> changes = changes(rule, scene);
                boolean done = changes.stream().anyMatch(c -> tried.contains(c.artifact()));
                Optional<Rule.Change> other =
                        changes.stream().filter(c -> !tried.contains(c.artifact())).findFirst();
                if (done && other.isPresent()) {
                    return other;
                }
            }
        }
        return Optional.empty();
    }

    private static Scene scene(ExecutionPlan plan, Attempt attempt) {
        return new Scene(
                plan, attempt.artifact(), attempt.report(), ends(attempt.report().stderr()));
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
