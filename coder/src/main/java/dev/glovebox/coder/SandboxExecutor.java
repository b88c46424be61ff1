package dev.glovebox.coder;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.agent.Executed;
import dev.glovebox.agent.Launch;
import dev.glovebox.agent.LayerMount;
import dev.glovebox.agent.SandboxExec;
import dev.glovebox.agent.Spectator;
import dev.glovebox.agent.Wall;
import dev.glovebox.run.Context;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Runs code in boxes, a fresh one for each step of each attempt. */
public final class SandboxExecutor implements Executor {

    private final Policy policy;
    private final Optional<String> tier;
    private final Spectator spectator;
    private final Layers layers;

    private SandboxExecutor(
            Policy policy, Optional<String> tier, Spectator spectator, Layers layers) {
        this.policy = policy;
        this.tier = tier;
        this.spectator = spectator;
        this.layers = layers;
    }

    /** In the fastest box that satisfies a policy. */
    public static SandboxExecutor of(Policy policy) {
        return new SandboxExecutor(
                policy, Optional.empty(), Spectator.NONE, Layers.of(System.getenv()));
    }

    /** In boxes of the wall of that name. */
    public SandboxExecutor tier(String name) {
        return new SandboxExecutor(policy, Optional.of(name), spectator, layers);
    }

    /** Lets somebody see the program while it runs. */
    public SandboxExecutor watched(Spectator by) {
        return new SandboxExecutor(policy, tier, by, layers);
    }

    /** With what programs depend on from there. */
    public SandboxExecutor layers(Layers from) {
        return new SandboxExecutor(policy, tier, spectator, from);
    }

    @Override
    public ExecutionReport execute(
            CodeArtifact code, ExecutionPlan plan, int attempt, Context context) {
        if (code.dependencies().isEmpty()) {
            return execute(code, plan, attempt, List.of(), context);
        }
        Packages packages;
        try {
            packages = new Packages(code.language(), code.dependencies());
        } catch (IllegalArgumentException e) {
            return notInstalled(attempt, String.valueOf(e.getMessage()), Optional.empty());
        }
        return switch (layers.prepare(packages, policy, tier, context)) {
            case Layers.Prepared.Ready(LayerMount mount) ->
                    execute(code, plan, attempt, List.of(mount), context);
            case Layers.Prepared.Failed(String why, Optional<Executed> ran) ->
                    notInstalled(attempt, why, ran);
        };
    }

    private ExecutionReport execute(
            CodeArtifact code,
            ExecutionPlan plan,
            int attempt,
            List<LayerMount> mounts,
            Context context) {
        Executed ran = run(code, code.entry(), mounts, context);
        if (!Acceptance.isEndWanted(plan.checks(), ran.outcome())) {
            return report(attempt, ExecutionReport.Step.RUN, ran);
        }
        for (Check check : plan.checks()) {
            if (check instanceof Check.Passes test) {
                Check.Passes proving = proving(test, code, context);
                Executed tested = test(code, proving, mounts, context);
                if (!proving.isPassed(tested.outcome(), text(tested.stdout()))) {
                    return report(attempt, ExecutionReport.Step.TEST, tested);
                }
            }
        }
        return report(attempt, ExecutionReport.Step.RUN, ran);
    }

    /** A test that does not prove by itself that it came to its end is made to. */
    private static Check.Passes proving(Check.Passes test, CodeArtifact code, Context context) {
        return test.isJudge()
                ? test
                : TestEnd.of(code.language())
                        .addedTo(test, HexFormat.of().toHexDigits(context.random().nextLong()));
    }

    private Executed test(
            CodeArtifact code, Check.Passes test, List<LayerMount> mounts, Context context) {
        CodeArtifact all = code.file(test.filename(), test.source());
        if (!test.isJudge()) {
            return run(all, test.filename(), mounts, context);
        }
        // What the artifact brings along must not be loaded before the test has begun.
        Program program =
                program(all, test.filename(), mounts)
                        .args(code.entry())
                        .env("PYTHONNOUSERSITE", "1")
                        .env("PYTHONSAFEPATH", "1")
                        .stdin(bytes(test.input()));
        return perform(program, mounts, context);
    }

    private Executed run(
            CodeArtifact code, String entry, List<LayerMount> mounts, Context context) {
        // Nobody types anything: a program that reads finds the end at once.
        return perform(
                program(code, entry, mounts)
                        .args(code.arguments().toArray(String[]::new))
                        .stdin(new byte[0]),
                mounts,
                context);
    }

    private Program program(CodeArtifact code, String entry, List<LayerMount> mounts) {
        Map<String, byte[]> others = new TreeMap<>();
        code.files().forEach((name, text) -> others.put(name, bytes(text)));
        byte[] source = Objects.requireNonNull(others.remove(entry));
        Program program = Program.script(code.language(), source, entry);
        for (Map.Entry<String, byte[]> other : others.entrySet()) {
            program = program.input(other.getKey(), other.getValue());
        }
        return mounts.isEmpty() ? program : Installer.using(code.language(), program, policy);
    }

    private Executed perform(Program program, List<LayerMount> mounts, Context context) {
        Launch launch = Launch.of(policy, program).watched(spectator).layers(mounts).keepingFiles();
        return context.perform(
                SandboxExec.of(tier.map(Wall::named).map(launch::behind).orElse(launch)));
    }

    /** What is needed is not there, so the program was not even started. */
    private static ExecutionReport notInstalled(int attempt, String why, Optional<Executed> ran) {
        return new ExecutionReport(
                attempt,
                ExecutionReport.Step.INSTALL,
                ran.map(Executed::outcome)
                        .filter(outcome -> !outcome.success())
                        .orElseGet(() -> new Outcome.NotStarted(why)),
                ran.map(one -> text(one.stdout())).orElse(""),
                ran.map(one -> text(one.stderr()) + "\n").orElse("") + why,
                List.of(),
                Map.of(),
                ran.map(Executed::receipt).orElseGet(JsonNodeFactory.instance::objectNode),
                ran.map(one -> one.usage().wall()).orElse(Duration.ZERO));
    }

    private static ExecutionReport report(int attempt, ExecutionReport.Step step, Executed ran) {
        return new ExecutionReport(
                attempt,
                step,
                ran.outcome(),
                text(ran.stdout()),
                text(ran.stderr()),
                ExecutionReport.Left.of(ran.files()),
                ran.refused(),
                ran.receipt(),
                ran.usage().wall());
    }

    private static String text(byte[] output) {
        return new String(output, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
