package dev.glovebox.coder;

import dev.glovebox.agent.Guardrails;
import dev.glovebox.agent.Route;
import dev.glovebox.agent.Spectator;
import dev.glovebox.run.Graph;
import dev.glovebox.run.RecordedRun;
import dev.glovebox.run.spi.GraphSource;
import dev.glovebox.sandbox.Policy;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The graph of recorded pipelines, so that a run can be resumed and replayed by its record. */
public final class CoderGraph implements GraphSource {

    @Override
    public String kind() {
        return Pipeline.KIND;
    }

    @Override
    public Graph<?> graph(RecordedRun run) {
        Work first = run.beginning(Work.class);
        return pipeline(first.settings(), System.getenv(), Spectator.NONE).graph(first);
    }

    /**
     * A pipeline as settings want it.
     *
     * @param environment where the keys of models are, and how pip and npm are configured
     * @param spectator sees programs while they run
     * @throws dev.glovebox.sandbox.InvalidPolicy if the policy cannot be understood here
     */
    public static Pipeline pipeline(
            Settings settings, Map<String, String> environment, Spectator spectator) {
        Policy policy = Policy.parse(settings.policy(), "the policy of the run", Path.of("/"));
        Layers layers = Layers.of(environment);
        SandboxExecutor any = SandboxExecutor.of(policy).watched(spectator).layers(layers);
        SandboxExecutor executor = settings.tier().map(any::tier).orElse(any);
        Debugger rules =
                settings.packages()
                        ? new IndexDebugger(layers, policy, settings.tier())
                        : OfflineDebugger.withoutIndex();
        Function<String, Optional<ModelAccess>> models =
                role ->
                        Optional.of(settings.models(role))
                                .filter(specs -> !specs.isEmpty())
                                .map(specs -> ModelAccess.of(Route.later(specs, environment)))
                                .map(access -> access.guardrails(Guardrails.standard(policy)));
        return new Pipeline(
                models.apply(ModelPlanner.ROLE)
                        .<Planner>map(ModelPlanner::of)
                        .orElseGet(OfflinePlanner::standard),
                models.apply(ModelCoder.ROLE)
                        .<Coder>map(ModelCoder::of)
                        .orElseGet(OfflineCoder::standard),
                executor,
                models.apply(ModelDebugger.ROLE)
                        .map(ModelDebugger::of)
                        .map(model ->
                                settings.memory()
                                        ? model.memory(CoderMemory.of(environment))
                                        : model)
                        .map(model -> rulesFirst(rules, model))
                        .orElse(rules));
    }

    /** What a rule repairs is not worth a model. */
    private static Debugger rulesFirst(Debugger rules, Debugger model) {
        return (trouble, context) -> {
            Debugger.Repair repair = rules.repair(trouble, context);
            return repair.artifact().isPresent() && trouble.refusals() == 0
                    ? repair
                    : model.repair(trouble, context);
        };
    }
}
