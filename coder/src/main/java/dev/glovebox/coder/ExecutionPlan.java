package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.sandbox.Language;
import java.util.List;

/**
 * What is to be done, as a planner understood it: all that a coder sees.
 *
 * @param dependencies what is needed beside the standard library, by the names of its index
 * @param shell whether the program starts others
 * @param family the recipe that it is; empty: it is none
 * @param inputs values that the task names, by their names
 * @param checks that what the program did must pass, all of them
 */
public record ExecutionPlan(
        Language language,
        List<String> dependencies,
        boolean shell,
        String task,
        String family,
        JsonNode inputs,
        OutputKind output,
        List<Check> checks) {

    public ExecutionPlan {
        dependencies = List.copyOf(dependencies);
        checks = List.copyOf(checks);
    }

    /** As whoever writes and repairs code sees it: without judges. */
    ExecutionPlan withoutSecrets() {
        List<Check> seen =
                checks.stream()
                        .filter(check -> !(check instanceof Check.Passes test) || !test.isJudge())
                        .toList();
        return new ExecutionPlan(language, dependencies, shell, task, family, inputs, output, seen);
    }

    /** What somebody gets in the end. */
    public enum OutputKind {
        TEXT,
        JSON,
        TABLE,
        FILES
    }
}
