package dev.glovebox.run;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Duration;

/** Why a run ended. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(StopReason.Completed.class),
    @JsonSubTypes.Type(StopReason.AttemptsExhausted.class),
    @JsonSubTypes.Type(StopReason.BudgetExhausted.class),
    @JsonSubTypes.Type(StopReason.TimedOut.class),
    @JsonSubTypes.Type(StopReason.Cancelled.class),
    @JsonSubTypes.Type(StopReason.ApprovalDenied.class),
    @JsonSubTypes.Type(StopReason.GuardrailTripped.class),
    @JsonSubTypes.Type(StopReason.LoopDetected.class),
    @JsonSubTypes.Type(StopReason.NotEnforceable.class),
    @JsonSubTypes.Type(StopReason.ModelFailed.class),
    @JsonSubTypes.Type(StopReason.ToolFailed.class),
    @JsonSubTypes.Type(StopReason.NeedsInput.class),
    @JsonSubTypes.Type(StopReason.Failed.class),
    @JsonSubTypes.Type(StopReason.Diverged.class)
})
public sealed interface StopReason {

    /** Its name in traces, such as {@code budget-exhausted}. */
    default String word() {
        return getClass().getAnnotation(JsonTypeName.class).value();
    }

    /** It reached its end. */
    @JsonTypeName("completed")
    record Completed() implements StopReason {}

    /** All attempts were made, and none succeeded. */
    @JsonTypeName("attempts-exhausted")
    record AttemptsExhausted(int attempts) implements StopReason {}

    /**
     * The next effect did not fit into the budget.
     *
     * @param which of the limits
     * @param limit how much there was of it, in the unit of the resource
     */
    @JsonTypeName("budget-exhausted")
    record BudgetExhausted(Resource which, long limit) implements StopReason {}

    /** It was worked on for as long as it may be. */
    @JsonTypeName("timed-out")
    record TimedOut(Duration limit) implements StopReason {}

    @JsonTypeName("cancelled")
    record Cancelled(String by) implements StopReason {}

    /** Somebody was asked whether something may be done, and said no, or nothing in time. */
    @JsonTypeName("approval-denied")
    record ApprovalDenied(String question, String by) implements StopReason {}

    @JsonTypeName("guardrail-tripped")
    record GuardrailTripped(String guardrail, String why) implements StopReason {}

    /** The same was done again and again. */
    @JsonTypeName("loop-detected")
    record LoopDetected(String what) implements StopReason {}

    /** What a policy demands cannot be enforced here. */
    @JsonTypeName("not-enforceable")
    record NotEnforceable(String what) implements StopReason {}

    @JsonTypeName("model-failed")
    record ModelFailed(String model, String problem) implements StopReason {}

    @JsonTypeName("tool-failed")
    record ToolFailed(String tool, String problem) implements StopReason {}

    /** It cannot go on without something that only the user has. */
    @JsonTypeName("needs-input")
    record NeedsInput(String what) implements StopReason {}

    /** A node threw an exception, which is a mistake in the program and not in the world. */
    @JsonTypeName("failed")
    record Failed(String path, String problem) implements StopReason {}

    /** The program does something else than it did when the run was recorded. */
    @JsonTypeName("diverged")
    record Diverged(String what) implements StopReason {}
}
