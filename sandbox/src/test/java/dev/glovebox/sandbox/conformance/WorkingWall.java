package dev.glovebox.sandbox.conformance;

import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

/**
 * Skips the tests of a kit where its wall does not work, before anything is made for them: what is
 * to be true after each test need not be where none has begun.
 */
final class WorkingWall implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        // Of tests alone, so that each of them is told as skipped, and not their class once.
        return context.getTestMethod()
                .flatMap(any -> lacking(context.getRequiredTestClass()))
                .map(ConditionEvaluationResult::disabled)
                .orElseGet(() -> ConditionEvaluationResult.enabled("The wall works"));
    }

    private static Optional<String> lacking(Class<?> kit) {
        try {
            return ConformanceKit.lacking(kit);
        } catch (TestAbortedException e) {
            // The wall itself skips, where it cannot even be made.
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
