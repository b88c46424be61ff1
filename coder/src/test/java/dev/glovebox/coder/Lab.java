package dev.glovebox.coder;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.agent.support.Jail;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.Sandboxes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs code in a jail and repairs it, attempt by attempt. */
final class Lab {

    private static final Policy POLICY = Policy.denyAll().wall(Duration.ofSeconds(20));

    /** Without what is installed on this machine, so that it is the same everywhere. */
    private static final String ONLY_STANDARD =
            "import sys\nsys.path[:] = [p for p in sys.path if not p.endswith('-packages')]\n";

    private final OfflineDebugger debugger;
    private final ExecutionPlan plan;
    private final Map<String, String> env;

    Lab(OfflineDebugger debugger, ExecutionPlan plan) {
        this(debugger, plan, Map.of());
    }

    Lab(OfflineDebugger debugger, ExecutionPlan plan, Map<String, String> env) {
        this.debugger = debugger;
        this.plan = plan;
        this.env = Map.copyOf(env);
    }

    static ExecutionPlan plan(Language language, Check... checks) {
        return new ExecutionPlan(
                language,
                List.of(),
                false,
                "",
                "",
                JsonNodeFactory.instance.objectNode(),
                ExecutionPlan.OutputKind.TEXT,
                List.of(checks));
    }

    /** What became of a program. */
    record Cured(List<Attempt> attempts, List<Debugger.Repair> repairs, boolean works) {

        Attempt last() {
            return attempts.getLast();
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder("works: " + works + "\n");
            for (int i = 0; i < attempts.size(); i++) {
                text.append("--- attempt ").append(i + 1).append('\n');
                attempts.get(i)
                        .artifact()
                        .files()
                        .forEach((name, code) -> text.append(name).append(":\n").append(code));
                text.append("--- ").append(attempts.get(i).report().outcome()).append('\n');
                text.append(attempts.get(i).report().stdout());
                text.append(attempts.get(i).report().stderr());
                if (i < repairs.size()) {
                    text.append("--- ").append(repairs.get(i).diagnosis()).append('\n');
                }
            }
            return text.toString();
        }
    }

    /** Runs it, and repairs it so many times as it takes, or is allowed. */
    Cured cure(CodeArtifact code, String expected, int most) {
        List<Attempt> attempts = new ArrayList<>();
        List<Debugger.Repair> repairs = new ArrayList<>();
        CodeArtifact next = code;
        while (true) {
            ExecutionReport report = run(next, attempts.size() + 1, env);
            boolean works =
                    report.outcome().success() && report.stdout().strip().equals(expected.strip());
            List<String> problems = works ? List.of() : List.of("it does not do what it should");
            attempts.add(new Attempt(next, report, problems, Optional.empty()));
            if (works || repairs.size() == most) {
                return new Cured(attempts, repairs, works);
            }
            Debugger.Repair repair = debugger.repair(new Debugger.Trouble(plan, attempts));
            repairs.add(repair);
            if (repair.artifact().isEmpty()) {
                return new Cured(attempts, repairs, false);
            }
            next = repair.artifact().get();
        }
    }

    /** What the debugger says of code that just ran. */
    Debugger.Repair repair(CodeArtifact code) {
        Attempt attempt = new Attempt(code, run(code, 1, env), List.of("?"), Optional.empty());
        return debugger.repair(new Debugger.Trouble(plan, List.of(attempt)));
    }

    static ExecutionReport run(CodeArtifact code, int attempt, Map<String, String> env) {
        Jail.assumed();
        Program program =
                Program.script(
                        code.language(),
                        code.source().getBytes(StandardCharsets.UTF_8),
                        code.entry());
        for (Map.Entry<String, String> file : code.files().entrySet()) {
            if (!file.getKey().equals(code.entry())) {
                program =
                        program.input(
                                file.getKey(), file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        if (code.language() == Language.PYTHON) {
            program =
                    program.input(
                                    "sitecustomize.py",
                                    ONLY_STANDARD.getBytes(StandardCharsets.UTF_8))
                            .env("PYTHONPATH", ".");
        }
        for (Map.Entry<String, String> variable : env.entrySet()) {
            program = program.env(variable.getKey(), variable.getValue());
        }
        program = program.args(code.arguments().toArray(String[]::new));
        try (Sandbox box = Sandboxes.open(POLICY, code.language())) {
            Result result = box.run(program);
            return report(
                    attempt, result.outcome(), result.stdout().text(), result.stderr().text());
        }
    }

    static ExecutionReport report(int attempt, Outcome outcome, String stdout, String stderr) {
        return new ExecutionReport(
                attempt,
                ExecutionReport.Step.RUN,
                outcome,
                stdout,
                stderr,
                List.of(),
                Map.of(),
                JsonNodeFactory.instance.objectNode(),
                Duration.ofMillis(1));
    }
}
