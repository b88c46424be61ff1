package dev.glovebox.agent;

import dev.glovebox.run.Context;
import dev.glovebox.run.Graph;
import dev.glovebox.run.Node;
import dev.glovebox.run.RecordedEffect;
import dev.glovebox.run.RecordedRun;
import dev.glovebox.run.Stop;
import dev.glovebox.run.StopReason;
import dev.glovebox.run.spi.GraphSource;
import dev.glovebox.sandbox.Outcome;
import java.util.List;

/**
 * One program in one box, as a run. The program is not in the state but in the record of the
 * execution alone, so that there is one place to redact it.
 */
public final class ExecGraph implements GraphSource {

    private static final String KIND = "exec";

    /** How far it has come. */
    public record Progress(boolean done) {

        public static final Progress NONE = new Progress(false);
    }

    /** A run that completes if the program ends with 0. */
    public static Graph<Progress> of(SandboxExec exec) {
        return graph((progress, context) -> {
            Executed executed = context.perform(exec);
            if (!executed.outcome().success()) {
                throw new Stop(reason(executed.outcome(), context));
            }
            return new Progress(true);
        });
    }

    private static StopReason reason(Outcome outcome, Context context) {
        return outcome instanceof Outcome.Cancelled cancelled
                ? new StopReason.Cancelled(cancelled.reason())
                : new StopReason.Failed(context.path(), OutcomeJson.words(outcome));
    }

    private static Graph<Progress> graph(Node<Progress, Progress> node) {
        return Graph.of(KIND, Progress.class).node(KIND, node).edge(KIND, Graph.END).build();
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public Graph<?> graph(RecordedRun run) {
        List<RecordedEffect> effects = run.effects(SandboxExec.KIND);
        if (effects.isEmpty()) {
            return graph((progress, context) -> {
                String why = "It was interrupted before it was on record what to run";
                throw new Stop(new StopReason.Failed(context.path(), why));
            });
        }
        RecordedEffect effect = effects.getFirst();
        StandardInput input =
                effect.result(Executed.class, SandboxExec.APART)
                        .map(StandardInput::recorded)
                        .orElseGet(StandardInput::none);
        return of(SandboxExec.of(effect.arguments(Job.class, SandboxExec.APART), input));
    }
}
