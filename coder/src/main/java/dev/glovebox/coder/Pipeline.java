package dev.glovebox.coder;

import dev.glovebox.run.Context;
import dev.glovebox.run.Graph;
import dev.glovebox.run.Stop;
import dev.glovebox.run.StopReason;
import java.util.Optional;

/**
 * Four roles in a row: one understands the task, one writes code, one runs it, and one repairs it
 * until it does what the plan says, or all attempts are made.
 *
 * @param planner sees what somebody said
 * @param coder sees the plan only
 * @param executor is the only one that touches a box, and does not judge
 * @param debugger sees the plan and all attempts
 */
public record Pipeline(Planner planner, Coder coder, Executor executor, Debugger debugger) {

    /** The kind of its runs. */
    public static final String KIND = "coder";

    static final String PLAN = "plan";
    static final String CODE = "code";
    static final String EXECUTE = "execute";
    static final String DEBUG = "debug";
    static final String GIVE_UP = "give-up";

    // Whoever proposes the same again when told so has nothing else.
    private static final int MOST_REFUSALS = 2;

    /** What it does, to be run, resumed or replayed. */
    public Graph<Work> graph() {
        Graph.Builder<Work> graph =
                Graph.of(KIND, Work.class)
                        .node(PLAN, this::plan)
                        .node(CODE, this::code)
                        .choose(PLAN, work -> unlessFailed(work, CODE), CODE, GIVE_UP)
                        .choose(CODE, work -> unlessFailed(work, EXECUTE), EXECUTE, GIVE_UP);
        return executed(graph);
    }

    /** The same; with code that there is already it starts at the executor. */
    public Graph<Work> graph(Work first) {
        return first.next().isPresent() ? executed(Graph.of(KIND, Work.class)) : graph();
    }

    private Graph<Work> executed(Graph.Builder<Work> graph) {
        return graph.node(EXECUTE, this::execute)
                .node(DEBUG, this::debug)
                .node(
                        GIVE_UP,
                        (work, context) -> {
                            throw new Stop(work.failure().orElseThrow());
                        })
                .choose(EXECUTE, Pipeline::judged, DEBUG, GIVE_UP, Graph.END)
                .choose(DEBUG, work -> unlessFailed(work, EXECUTE), EXECUTE, GIVE_UP)
                .edge(GIVE_UP, Graph.END)
                .build();
    }

    private static String unlessFailed(Work work, String next) {
        return work.failure().isPresent() ? GIVE_UP : next;
    }

    /** What is accepted is nobody's opinion: the plan says it. */
    private static String judged(Work work) {
        return work.isDone() ? Graph.END : unlessFailed(work, DEBUG);
    }

    private Work plan(Work work, Context context) {
        if (work.plan().isPresent()) {
            return work;
        }
        return switch (planner.plan(work.task(), context)) {
            case Planner.Planned.Plan planned -> work.plan(planned.plan());
            case Planner.Planned.Unclear unclear ->
                    work.failed(new StopReason.NeedsInput(unclear.why()));
        };
    }

    private Work code(Work work, Context context) {
        if (work.next().isPresent()) {
            return work;
        }
        return switch (coder.code(work.planned().withoutSecrets(), context)) {
            case Coder.Coded.Code code -> work.next(code.artifact());
            case Coder.Coded.Stuck stuck -> work.failed(new StopReason.NeedsInput(stuck.why()));
        };
    }

    private Work execute(Work work, Context context) {
        CodeArtifact code = work.next().orElseThrow();
        int number = work.attempts().size() + 1;
        ExecutionReport report = executor.execute(code, work.planned(), number, context);
        Attempt attempt =
                new Attempt(
                        code,
                        report,
                        Acceptance.problems(work.planned().checks(), report),
                        Optional.empty());
        return work.tried(attempt);
    }

    private Work debug(Work work, Context context) {
        Debugger.Trouble trouble =
                new Debugger.Trouble(work.planned().withoutSecrets(), work.attempts());
        int made = work.attempts().size();
        if (made >= work.settings().attempts()) {
            // Nobody tries it again, so it is not worth a model.
            Diagnosis last = OfflineDebugger.withoutIndex().repair(trouble, context).diagnosis();
            return work.diagnosed(last).failed(new StopReason.AttemptsExhausted(made));
        }
        Debugger.Repair repair = debugger.repair(trouble, context);
        for (int i = 1; i <= MOST_REFUSALS && isKnown(work, repair); i++) {
            trouble = trouble.refused();
            repair = debugger.repair(trouble, context);
        }
        Work known = work.diagnosed(repair.diagnosis());
        if (repair.artifact().isEmpty() || isKnown(work, repair)) {
            return known.failed(new StopReason.NeedsInput(helpless(repair)));
        }
        return known.next(repair.artifact().get());
    }

    private static boolean isKnown(Work work, Debugger.Repair repair) {
        return repair.artifact()
                .filter(next ->
                        work.attempts().stream().anyMatch(one -> one.artifact().equals(next)))
                .isPresent();
    }

    private static String helpless(Debugger.Repair repair) {
        return "Nobody here knows how to repair it: %s. A model may: see --model"
                .formatted(repair.diagnosis().cause());
    }
}
