package dev.glovebox.coder;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.agent.Excerpt;
import dev.glovebox.run.Context;
import java.util.Map;
import java.util.Optional;

/** Writes code with a model, which is told the plan and nothing else. */
public final class ModelCoder implements Coder {

    /** Its name in traces. */
    public static final String ROLE = "coder";

    private static final JsonMapper JSON = new JsonMapper();
    private static final int LONGEST_WHY = 2_000;

    private final ModelAccess access;

    private ModelCoder(ModelAccess access) {
        this.access = access;
    }

    public static ModelCoder of(ModelAccess access) {
        return new ModelCoder(access);
    }

    /**
     * Asks for code.
     *
     * @throws dev.glovebox.run.Stop if the models fail
     */
    @Override
    public Coded code(ExecutionPlan plan, Context context) {
        AnswerCode answer =
                access.ask(
                        ROLE,
                        PromptText.CODER,
                        "The plan:\n\n" + told(plan),
                        AnswerCode.class,
                        code ->
                                code.isStuck()
                                        ? Optional.empty()
                                        : code.program().problem(plan.language(), Map.of()),
                        context);
        return answer.isStuck()
                ? new Coded.Stuck(Excerpt.line(answer.stuck(), LONGEST_WHY))
                : new Coded.Code(answer.program().artifact(plan.language(), Map.of()));
    }

    /** A plan, as a model reads it. */
    static String told(ExecutionPlan plan) {
        ObjectNode json = JSON.valueToTree(plan);
        json.remove("family");
        return json.toPrettyString();
    }
}
