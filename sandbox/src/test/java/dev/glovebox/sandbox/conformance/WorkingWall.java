package dev.glovebox.sandbox.conformance;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips the tests of a kit where its wall does not work, before anything is made for them: what is
 * to be true after each test need not be where none has begun.
 */
final class WorkingWall implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        // Of tests alone, so that each of them is told as skipped, and not their class once.
        return context.getTestMethod()
                .flatMap(any -> ConformanceKit.lacking(context.getRequiredTestClass()))
                .map(ConditionEvaluationResult::disabled)
                .orElseGet(() -> ConditionEvaluationResult.enabled("The wall works"));
    }
}
