package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.Model;
import dev.glovebox.agent.Route;
import dev.glovebox.agent.support.AnthropicServer;
import dev.glovebox.agent.support.Jail;
import dev.glovebox.agent.support.OpenAiServer;
import dev.glovebox.agent.support.Script;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.StopReason;
import dev.glovebox.run.support.CrashInjector;
import dev.glovebox.run.support.CrashInjector.Crash;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.TraceException;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Roles with models in the whole pipeline, with real boxes. */
class ModelPipelineTest {

    private static final String TASK = "Say what the numbers from 1 to 3 add up to";
    private static final Turn PLAN = Answers.says(Answers.plan("Print the sum of 1 to n.", "6"));
    private static final Turn WRONG =
            Answers.says(Answers.code("main.py", "print('sum: ' + sum(range(4)))\n"));
    private static final Turn RIGHT =
            Answers.says(
                    Answers.repair(
                            "A number is added to a text",
                            "main.py",
                            "```python\nprint(sum(range(4)))\n```"));
    private static final Executor BOXES =
            SandboxExecutor.of(Policy.denyAll().wall(Duration.ofSeconds(20)));

    @TempDir private Path keys;

    private static Pipeline pipeline(Executor executor, Model... models) {
        ModelAccess access = ModelAccess.of(Route.of(models));
        return new Pipeline(
                ModelPlanner.of(access), ModelCoder.of(access), executor, ModelDebugger.of(access));
    }

    @Test
    void fromASentenceToCodeThatRan() {
        Jail.assumed();
        try (Bench bench = new Bench(keys);
                VendorServer server = AnthropicServer.start(PLAN, WRONG, RIGHT)) {
            Pipeline pipeline = pipeline(BOXES, Bench.model("anthropic", "small", server));

            Bench.Came<Work> came = bench.run(pipeline, Bench.work(Task.of(TASK)));

            assertThat(came.stop()).isEqualTo(new StopReason.Completed());
            assertThat(came.work().isDone()).isTrue();
            assertThat(came.work().attempts()).hasSize(2);
            Attempt first = came.work().attempts().getFirst();
            assertThat(first.report().stderr()).contains("TypeError");
            assertThat(first.diagnosis().get().cause()).isEqualTo("A number is added to a text");
            assertThat(came.work().attempts().getLast().report().stdout()).isEqualTo("6\n");
            // Each role has its own calls, which tell what it cost.
            assertThat(bench.effects(came.run(), "model"))
                    .extracting(intent -> intent.details().path("agent").asText())
                    .containsExactly("planner", "coder", "debugger");
            // The coder is told the plan, and not what somebody said.
            assertThat(server.requests().get(1).toString())
                    .contains("Print the sum of 1 to n.")
                    .doesNotContain(TASK);
            assertThat(server.requests().get(2).toString()).contains("| TypeError", "'sum: '");
            assertThat(bench.isFaithful(pipeline, came.run())).isTrue();
            assertThat(server.requests()).hasSize(3);
        }
    }

    @Test
    void incompleteCodeGoesBackWithoutARunOfABox() {
        Jail.assumed();
        Turn gap =
                Answers.says(
                        Answers.code(
                                "main.py",
                                "def add(n):\n    # rest of the implementation\n    pass\n\nprint(add(3))\n"));
        Turn whole = Answers.says(Answers.code("main.py", "print(sum(range(4)))\n"));
        try (Bench bench = new Bench(keys);
                VendorServer server = OpenAiServer.start(PLAN, gap, whole)) {
            Bench.Came<Work> came =
                    bench.run(
                            pipeline(BOXES, Bench.model("openai", "small", server)),
                            Bench.work(Task.of(TASK)));

            assertThat(came.work().isDone()).isTrue();
            assertThat(came.work().attempts()).hasSize(1);
            assertThat(bench.effects(came.run(), "sandbox.exec")).hasSize(1);
            assertThat(server.requests().get(2).toString())
                    .contains("a comment stands for code that is not there");
        }
    }

    @Test
    void aModelThatRefusesEndsTheRunWithoutARunOfABox() {
        Turn no = Turn.says("I'm sorry, I can't help with that.");
        try (Bench bench = new Bench(keys);
                VendorServer server = OpenAiServer.start(PLAN, no, no, no, no)) {
            Bench.Came<Work> came =
                    bench.run(
                            pipeline(BOXES, Bench.model("openai", "small", server)),
                            Bench.work(Task.of(TASK)));

            assertThat(came.stop()).isInstanceOf(StopReason.ModelFailed.class);
            assertThat(came.work().plan()).isPresent();
            assertThat(bench.effects(came.run(), "sandbox.exec")).isEmpty();
        }
    }

    @Test
    void aRepairThatWasTriedIsAskedForAgain() {
        Executor never =
                (code, plan, attempt, context) ->
                        Lab.report(attempt, new Outcome.Exited(1), "", "TypeError: no");
        Turn same =
                Answers.says(Answers.repair("?", "main.py", "print('sum: ' + sum(range(4)))\n"));
        try (Bench bench = new Bench(keys);
                VendorServer server = OpenAiServer.start(PLAN, WRONG, same, same, same)) {
            Bench.Came<Work> came =
                    bench.run(
                            pipeline(never, Bench.model("openai", "small", server)),
                            Bench.work(Task.of(TASK)));

            assertThat(came.stop()).isInstanceOf(StopReason.NeedsInput.class);
            assertThat(server.requests().get(3).toString()).contains("was refused");
        }
    }

    @Test
    void rolesWithAndWithoutAModelGoTogether() {
        Jail.assumed();
        ModelAccess access = ModelAccess.of(Route.of(new ScriptedModel(RIGHT)));
        CodeArtifact broken = CodeArtifact.of(Language.PYTHON, "print('sum: ' + sum(range(4)))\n");
        ExecutionPlan plan = Lab.plan(Language.PYTHON, new Check.Exits(0), new Check.Prints("6"));
        Pipeline pipeline =
                new Pipeline(
                        OfflinePlanner.standard(),
                        OfflineCoder.standard(),
                        BOXES,
                        ModelDebugger.of(access));
        try (Bench bench = new Bench(keys)) {
            Work work = Work.of(Task.of(TASK), new Settings("{}", "", 3), plan, broken);
            assertThat(bench.run(pipeline, work).work().isDone()).isTrue();
        }
    }

    /** What it asks of the model is counted, over all processes. */
    private static Pipeline counted(AtomicInteger asked) {
        Script script =
                Script.answering(prompt -> {
                    asked.incrementAndGet();
                    if (prompt.contains("You plan")) {
                        return PLAN;
                    }
                    return prompt.contains("You write") ? WRONG : RIGHT;
                });
        Executor executor =
                (code, plan, attempt, context) ->
                        code.source().contains("sum: ")
                                ? Lab.report(attempt, new Outcome.Exited(1), "", "TypeError: no")
                                : Lab.report(attempt, new Outcome.Exited(0), "6\n", "");
        return pipeline(executor, new ScriptedModel(script));
    }

    @Test
    void whoeverGoesOnAfterACrashAsksNothingThatWasAnswered() {
        AtomicInteger asked = new AtomicInteger();
        CrashInjector never = new CrashInjector(new MemoryStore(), Integer.MAX_VALUE, Crash.BEFORE);
        Bench.Came<Work> expected;
        try (Bench bench = new Bench(never, keys)) {
            expected = bench.run(counted(asked), Bench.work(Task.of(TASK)));
        }
        assertThat(expected.work().isDone()).isTrue();
        assertThat(asked).hasValue(3);
        for (int record = 1; record < never.records(); record++) {
            for (Crash crash : List.of(Crash.BEFORE, Crash.AFTER)) {
                crash(record, crash, expected);
            }
        }
    }

    private void crash(int record, Crash crash, Bench.Came<Work> expected) {
        AtomicInteger asked = new AtomicInteger();
        MemoryStore store = new MemoryStore();
        TraceStore dying = new CrashInjector(store, record, crash);
        try (Bench bench = new Bench(dying, keys)) {
            bench.run(counted(asked), Bench.work(Task.of(TASK)));
        } catch (TraceException e) {
            assertThat(e).hasMessageContaining("crash");
        }
        Optional<String> left =
                store.runs(RunQuery.newest(10)).stream()
                        .filter(row -> row.finishedAt().isEmpty())
                        .map(RunRow::run)
                        .findFirst();
        if (left.isEmpty()) {
            return;
        }
        try (Bench bench = new Bench(store, keys)) {
            long known =
                    bench.events(left.get()).stream()
                            .filter(Event.EffectOutcome.class::isInstance)
                            .filter(event ->
                                    ((Event.EffectOutcome) event).id().kind().equals("model"))
                            .count();
            asked.set(0);
            Bench.Came<Work> came = bench.resume(counted(asked), left.get());

            assertThat(came.stop()).isEqualTo(expected.stop());
            assertThat(came.work()).isEqualTo(expected.work());
            assertThat(asked.get()).as(crash + " " + record).isEqualTo(3 - (int) known);
        }
    }
}
