package dev.glovebox.coder;

import dev.glovebox.run.StopReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How far a task has come: the state of a pipeline.
 *
 * @param next the code to be tried next
 * @param failure why it cannot go on
 */
public record Work(
        Task task,
        Settings settings,
        Optional<ExecutionPlan> plan,
        Optional<CodeArtifact> next,
        List<Attempt> attempts,
        Optional<StopReason> failure) {

    public Work {
        attempts = List.copyOf(attempts);
    }

    /** Begins with a task. */
    public static Work of(Task task, Settings settings) {
        return new Work(
                task, settings, Optional.empty(), Optional.empty(), List.of(), Optional.empty());
    }

    /** Begins with code that somebody has, and what it must do. */
    public static Work of(Task task, Settings settings, ExecutionPlan plan, CodeArtifact code) {
        return new Work(
                task, settings, Optional.of(plan), Optional.of(code), List.of(), Optional.empty());
    }

    /**
     * The attempt that is worth the most: one that is good, or else the latest with the fewest
     * problems.
     */
    public Optional<Attempt> best() {
        return attempts.reversed().stream()
                .min(Comparator.comparingInt(attempt -> attempt.problems().size()));
    }

    /** Whether the last attempt is good. */
    public boolean isDone() {
        return !attempts.isEmpty() && attempts.getLast().problems().isEmpty();
    }

    ExecutionPlan planned() {
        return plan.orElseThrow();
    }

    Work plan(ExecutionPlan made) {
        return new Work(task, settings, Optional.of(made), next, attempts, failure);
    }

    Work next(CodeArtifact code) {
        return new Work(task, settings, plan, Optional.of(code), attempts, failure);
    }

    Work tried(Attempt attempt) {
        List<Attempt> more = new ArrayList<>(attempts);
        more.add(attempt);
        return new Work(task, settings, plan, Optional.empty(), more, failure);
    }

    /** With what is wrong with the last attempt. */
    Work diagnosed(Diagnosis diagnosis) {
        List<Attempt> same = new ArrayList<>(attempts);
        Attempt last = same.removeLast();
        same.add(
                new Attempt(
                        last.artifact(), last.report(), last.problems(), Optional.of(diagnosis)));
        return new Work(task, settings, plan, next, same, failure);
    }

    Work failed(StopReason why) {
        return new Work(task, settings, plan, next, attempts, Optional.of(why));
    }
}
