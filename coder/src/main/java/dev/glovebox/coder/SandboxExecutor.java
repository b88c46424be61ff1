package dev.glovebox.coder;

import dev.glovebox.agent.Executed;
import dev.glovebox.agent.Launch;
import dev.glovebox.agent.SandboxExec;
import dev.glovebox.agent.Spectator;
import dev.glovebox.run.Context;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Runs code in boxes, a fresh one for each step of each attempt. */
public final class SandboxExecutor implements Executor {

    private final Policy policy;
    private final Optional<String> tier;
    private final Spectator spectator;

    private SandboxExecutor(Policy policy, Optional<String> tier, Spectator spectator) {
        this.policy = policy;
        this.tier = tier;
        this.spectator = spectator;
    }

    /** In the fastest box that satisfies a policy. */
    public static SandboxExecutor of(Policy policy) {
        return new SandboxExecutor(policy, Optional.empty(), Spectator.NONE);
    }

    /** In boxes of the wall of that name. */
    public SandboxExecutor tier(String name) {
        return new SandboxExecutor(policy, Optional.of(name), spectator);
    }

    /** Lets somebody see the program while it runs. */
    public SandboxExecutor watched(Spectator by) {
        return new SandboxExecutor(policy, tier, by);
    }

    @Override
    public ExecutionReport execute(
            CodeArtifact code, ExecutionPlan plan, int attempt, Context context) {
        Executed ran = run(code, code.entry(), context);
        if (!ran.outcome().success()) {
            return report(attempt, ExecutionReport.Step.RUN, ran);
        }
        for (Check check : plan.checks()) {
            if (check instanceof Check.Passes test) {
                Executed tested = test(code, test, context);
                if (!test.isPassed(tested.outcome(), text(tested.stdout()))) {
                    return report(attempt, ExecutionReport.Step.TEST, tested);
                }
            }
        }
        return report(attempt, ExecutionReport.Step.RUN, ran);
    }

    private Executed test(CodeArtifact code, Check.Passes test, Context context) {
        CodeArtifact all = code.file(test.filename(), test.source());
        if (test.proof().isEmpty()) {
            return run(all, test.filename(), context);
        }
        // What the artifact brings along must not be loaded before the test has begun.
        Program program =
                program(all, test.filename())
                        .args(code.entry())
                        .env("PYTHONNOUSERSITE", "1")
                        .env("PYTHONSAFEPATH", "1")
                        .stdin(bytes(test.input()));
        return perform(program, context);
    }

    private Executed run(CodeArtifact code, String entry, Context context) {
        // Nobody types anything: a program that reads finds the end at once.
        return perform(
                program(code, entry)
                        .args(code.arguments().toArray(String[]::new))
                        .stdin(new byte[0]),
                context);
    }

    private static Program program(CodeArtifact code, String entry) {
        Map<String, byte[]> others = new TreeMap<>();
        code.files().forEach((name, text) -> others.put(name, bytes(text)));
        byte[] source = Objects.requireNonNull(others.remove(entry));
        Program program = Program.script(code.language(), source, entry);
        for (Map.Entry<String, byte[]> other : others.entrySet()) {
            program = program.input(other.getKey(), other.getValue());
        }
        return program;
    }

    private Executed perform(Program program, Context context) {
        Launch launch = Launch.of(policy, program).watched(spectator);
        return context.perform(SandboxExec.of(tier.map(launch::tier).orElse(launch)));
    }

    private static ExecutionReport report(int attempt, ExecutionReport.Step step, Executed ran) {
        return new ExecutionReport(
                attempt,
                step,
                ran.outcome(),
                text(ran.stdout()),
                text(ran.stderr()),
                ExecutionReport.Left.of(ran.files()),
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
