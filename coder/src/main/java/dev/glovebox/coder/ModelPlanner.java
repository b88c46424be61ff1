package dev.glovebox.coder;

import dev.glovebox.agent.Excerpt;
import dev.glovebox.run.Context;

/** Plans with a model. */
public final class ModelPlanner implements Planner {

    /** Its name in traces. */
    public static final String ROLE = "planner";

    private static final int LONGEST_TASK = 32 * 1024;
    private static final int LONGEST_WHY = 2_000;

    private final ModelAccess access;

    private ModelPlanner(ModelAccess access) {
        this.access = access;
    }

    public static ModelPlanner of(ModelAccess access) {
        return new ModelPlanner(access);
    }

    /**
     * Asks for a plan.
     *
     * @throws dev.glovebox.run.Stop if the models fail
     */
    @Override
    public Planned plan(Task task, Context context) {
        String sentence = task.sentence();
        if (sentence.isBlank()) {
            return new Planned.Unclear(
                    "There is no task: it is empty. Say in a sentence what a program is to do.");
        }
        if (sentence.length() > LONGEST_TASK) {
            return new Planned.Unclear(
                    "The task has %,d characters; at most %,d are read. Put long data into a file."
                            .formatted(sentence.length(), LONGEST_TASK));
        }
        String question =
                task.language().map(one -> "The language must be " + one.name() + ".\n").orElse("")
                        + "The task:\n\n"
                        + sentence;
        AnswerPlan answer =
                access.ask(
                        ROLE,
                        PromptText.PLANNER,
                        question,
                        AnswerPlan.class,
                        plan -> plan.problem(task.language()),
                        context);
        return answer.isUnclear()
                ? new Planned.Unclear(Excerpt.line(answer.unclear(), LONGEST_WHY))
                : new Planned.Plan(answer.plan());
    }
}
