package dev.glovebox.sandbox.microvm;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Of a test with many parameters only some are tried: a machine takes its time for each. */
final class FewOfEach implements ExecutionCondition {

    private static final Pattern INVOCATION =
            Pattern.compile(".*\\[test-template-invocation:#(\\d+)]");
    private static final int FEW = 1;

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Matcher invocation = INVOCATION.matcher(context.getUniqueId());
        boolean more = invocation.matches() && Integer.parseInt(invocation.group(1)) > FEW;
        return more && !Boolean.getBoolean("glovebox.soak")
                ? ConditionEvaluationResult.disabled(
                        "machines take long: more parameters are tried with ./check --soak")
                : ConditionEvaluationResult.enabled("one of the first");
    }
}
