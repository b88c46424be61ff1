package dev.glovebox.agent;

import dev.glovebox.run.Context;
import dev.glovebox.run.EffectFailed;
import dev.glovebox.run.Failure;
import dev.glovebox.run.Stop;
import dev.glovebox.run.StopReason;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an agent with a memory learns from its tasks: an episode of each, however it ended. */
final class Lessons {

    private static final Logger LOG = LoggerFactory.getLogger(Lessons.class);

    /**
     * How many of the same task may be before that of a run is taken for missing; what is looked at
     * counts as used.
     */
    private static final int MOST_ALIKE = 10;

    private final Optional<Memory> memory;
    private final String agent;

    Lessons(Agent.Builder parts) {
        this.memory = parts.memory;
        this.agent = parts.name;
    }

    /** What an agent was given to do. */
    static String task(Conversation talk) {
        return talk.task().map(Message::text).orElse("");
    }

    /** The task, for {@link #during}; empty if nothing is to be learned from it. */
    String about(Conversation talk) {
        // What begins with nothing is no task that could come again.
        return memory.isEmpty() || task(talk).isBlank()
                ? ""
                : Excerpt.ends(task(talk), Episode.MOST_BYTES);
    }

    /**
     * Learns from a task that is over, well or badly.
     *
     * @param problem what is wrong with the last answer
     */
    void over(Conversation talk, Optional<String> problem, Context context) {
        String task = about(talk);
        if (task.isEmpty()) {
            return;
        }
        StopReason stop = talk.failure().orElseGet(StopReason.Completed::new);
        String fix = talk.failure().isPresent() ? "" : talk.answer();
        String error = problem.or(() -> why(stop)).orElseGet(() -> lastProblem(talk));
        learn(new Episode(task, error, fix, stop.word(), context.run()), context);
    }

    /**
     * Does something for a task, and learns if that stops the run: since a budget is used up, the
     * same was done again and again, a person said no, or a policy cannot be enforced.
     */
    <T> T during(String task, Context context, Supplier<T> work) {
        try {
            return work.get();
        } catch (Stop e) {
            stopped(task, e.reason(), context);
            throw e;
        } catch (EffectFailed e) {
            if (e.code().equals(Failure.NOT_ENFORCEABLE)) {
                stopped(task, new StopReason.NotEnforceable(e.getMessage()), context);
            }
            throw e;
        }
    }

    private void stopped(String task, StopReason stop, Context context) {
        try {
            if (!task.isEmpty()) {
                learn(episode(task, stop, context.run()), context);
            }
        } catch (Stop again) {
            // Whoever stops the run may stop this as well; the first reason counts.
        }
    }

    private void learn(Episode episode, Context context) {
        new Experience(memory.orElseThrow(), agent).learn(episode, context);
    }

    /**
     * Learns from a run that was stopped from outside, behind its end: within it nothing can be
     * done, or recorded, any more. What has learned just before that does not do so again.
     */
    void behind(TaskResult result) {
        String task = about(result.conversation());
        boolean outside =
                result.stop() instanceof StopReason.Cancelled
                        || result.stop() instanceof StopReason.TimedOut;
        if (!outside || task.isEmpty()) {
            return;
        }
        try {
            if (!hasLearned(task, result.run())) {
                var _ = memory.orElseThrow().learn(episode(task, result.stop(), result.run()));
            }
        } catch (RuntimeException e) {
            LOG.warn("The episode of the run {} was not kept: {}", result.run(), e.getMessage());
        }
    }

    private boolean hasLearned(String task, String run) {
        return memory.orElseThrow().similar(task, "", MOST_ALIKE).stream()
                .map(Recalled::what)
                .anyMatch(episode -> episode.run().equals(run) && episode.task().equals(task));
    }

    private static Episode episode(String task, StopReason stop, String run) {
        return new Episode(task, why(stop).orElse(""), "", stop.word(), run);
    }

    /** What of a reason is worth knowing the next time. */
    private static Optional<String> why(StopReason stop) {
        return switch (stop) {
            case StopReason.ModelFailed model -> Optional.of(model.problem());
            case StopReason.ToolFailed tool -> Optional.of(tool.tool() + ": " + tool.problem());
            case StopReason.GuardrailTripped rail ->
                    Optional.of(rail.guardrail() + ": " + rail.why());
            case StopReason.BudgetExhausted budget ->
                    Optional.of(
                            "The budget of %d %s was used up"
                                    .formatted(budget.limit(), budget.which().unit()));
            case StopReason.TimedOut late -> Optional.of("It took longer than " + late.limit());
            case StopReason.Cancelled halt -> Optional.of("It was cancelled by " + halt.by());
            case StopReason.ApprovalDenied no ->
                    Optional.of("Not approved by %s: %s".formatted(no.by(), no.question()));
            case StopReason.LoopDetected loop -> Optional.of(loop.what());
            case StopReason.NotEnforceable policy -> Optional.of(policy.what());
            case StopReason.NeedsInput input -> Optional.of(input.what());
            case StopReason.Completed _,
                    StopReason.AttemptsExhausted _,
                    StopReason.Failed _,
                    StopReason.Diverged _ ->
                    Optional.empty();
        };
    }

    /** What a tool, or whoever looked at an answer, said last that was wrong. */
    private static String lastProblem(Conversation talk) {
        boolean repaired = talk.progress().repairs() > 0;
        return talk.sinceItBegan().reversed().stream()
                .filter(message ->
                        switch (message) {
                            case Message.ToolResult result -> result.isError();
                            case Message.User user -> repaired;
                            case Message.Assistant assistant -> false;
                        })
                .map(Message::text)
                .findFirst()
                .orElse("");
    }
}
