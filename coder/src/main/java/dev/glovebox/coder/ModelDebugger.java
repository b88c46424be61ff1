package dev.glovebox.coder;

import dev.glovebox.agent.Episode;
import dev.glovebox.agent.Experience;
import dev.glovebox.agent.Guarded;
import dev.glovebox.agent.Guardrail;
import dev.glovebox.agent.Memory;
import dev.glovebox.run.Context;
import java.util.List;
import java.util.Optional;

/**
 * Repairs code with a model. The first repair is asked of the smallest one, and each one after a
 * repair that did not help of the next larger.
 */
public final class ModelDebugger implements Debugger {

    /** Its name in traces. */
    public static final String ROLE = "debugger";

    private static final int MOST_SIMILAR = 3;

    private final ModelAccess access;
    private final Optional<Experience> experience;

    private ModelDebugger(ModelAccess access, Optional<Experience> experience) {
        this.access = access;
        this.experience = experience;
    }

    public static ModelDebugger of(ModelAccess access) {
        return new ModelDebugger(access, Optional.empty());
    }

    /** Tells the model of similar mistakes, and what was done about them. */
    public ModelDebugger memory(Memory past) {
        return new ModelDebugger(access, Optional.of(new Experience(past, ROLE)));
    }

    /**
     * Asks for a repair.
     *
     * @throws dev.glovebox.run.Stop if the models fail
     */
    @Override
    public Repair repair(Trouble trouble, Context context) {
        CodeArtifact last = trouble.last().artifact();
        String similar =
                experience
                        .map(past ->
                                past.similar(
                                        task(trouble.plan()),
                                        PromptTrouble.error(trouble.last()),
                                        MOST_SIMILAR,
                                        context))
                        .map(found -> guarded(found, context))
                        .orElse("");
        AnswerRepair answer =
                access.from(trouble.attempts().size() - 1 + trouble.refusals())
                        .ask(
                                ROLE,
                                PromptText.DEBUGGER,
                                PromptTrouble.told(trouble, similar, access.guardrails(), context),
                                AnswerRepair.class,
                                repair ->
                                        repair.isHelpless(last)
                                                ? Optional.empty()
                                                : repair.program()
                                                        .problem(last.language(), last.files()),
                                context);
        return new Repair(
                answer.diagnosis(),
                answer.isHelpless(last)
                        ? Optional.empty()
                        : Optional.of(answer.program().artifact(last.language(), last.files())));
    }

    /**
     * What programs said in other runs is no more to be trusted than what this one said; but
     * whoever got something into a memory must not be able to stop all that comes after.
     */
    private String guarded(String similar, Context context) {
        if (similar.isEmpty()) {
            return similar;
        }
        Guarded guarded =
                access.guardrails()
                        .check(
                                new Guardrail.Passage(
                                        Guardrail.Point.TOOL_RESULT, ROLE, "memory", similar));
        guarded.findings().forEach(finding -> context.note(finding.sentence()));
        return guarded.text();
    }

    /**
     * Remembers what helped, for when something similar goes wrong again; to be called once the
     * last attempt is good.
     */
    public void learn(ExecutionPlan plan, List<Attempt> attempts, Context context) {
        experience.ifPresent(past ->
                lesson(plan, attempts, context.run())
                        .ifPresent(episode -> past.learn(episode, context)));
    }

    /**
     * What is to be learned from attempts: what went wrong last, and what was done about it.
     *
     * @param run by which it can be forgotten
     * @return empty if nothing went wrong, or nothing helped
     */
    public static Optional<Episode> lesson(ExecutionPlan plan, List<Attempt> attempts, String run) {
        if (attempts.size() < 2 || !attempts.getLast().problems().isEmpty()) {
            return Optional.empty();
        }
        Attempt failed = attempts.get(attempts.size() - 2);
        return failed.diagnosis()
                .map(why ->
                        new Episode(
                                task(plan),
                                PromptTrouble.error(failed),
                                why.category() + ": " + why.cause() + "\n" + why.fix(),
                                "completed",
                                run));
    }

    private static String task(ExecutionPlan plan) {
        return plan.task().isBlank() ? "A program in " + plan.language() : plan.task();
    }
}
