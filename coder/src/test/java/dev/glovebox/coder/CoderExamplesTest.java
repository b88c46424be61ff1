package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.Embedder;
import dev.glovebox.agent.Guardrails;
import dev.glovebox.agent.Memories;
import dev.glovebox.agent.Memory;
import dev.glovebox.agent.Route;
import dev.glovebox.agent.support.Jail;
import dev.glovebox.coder.Debugger.Repair;
import dev.glovebox.coder.Debugger.Trouble;
import dev.glovebox.run.Graph;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/coder.md} and {@code docs/debugger.md}. */
class CoderExamplesTest {

    @TempDir private Path home;

    @Test
    void theWholeWay() {
        Jail.assumed();
        Settings settings = new Settings(Policy.denyAll().json(), "", Settings.ATTEMPTS);
        try (Trace trace = Trace.open(new MemoryStore(), home);
                Runs runs = Runs.in(trace)) {
            Pipeline pipeline =
                    new Pipeline(
                            OfflinePlanner.standard(),
                            OfflineCoder.standard(),
                            SandboxExecutor.of(Policy.denyAll()),
                            OfflineDebugger.withoutIndex());
            Work work = Work.of(Task.of("mean of 3, 5 and 10"), settings);
            Status<Work> end =
                    runs.start(pipeline.graph(work), work, RunOptions.titled("mean")).await();

            assertThat(end)
                    .isInstanceOfSatisfying(
                            Status.Finished.class, done -> assertThat(done.isCompleted()).isTrue());
        }
    }

    @Test
    void recipes() {
        Planner planner = OfflinePlanner.standard();
        Coder coder = OfflineCoder.standard();
        assertThat(planner.toString()).contains("57 recipes");
        assertThat(coder).isNotNull();
    }

    @Test
    void recipesOfOnesOwn() throws IOException {
        Path folder = Files.createDirectory(home.resolve("own"));
        OfflinePlanner planner = OfflinePlanner.standard().with(folder);
        OfflineCoder coder = OfflineCoder.standard().with(folder);
        assertThat(planner.toString()).contains("57 recipes");
        assertThat(coder).isNotNull();
    }

    /** It asks nobody. */
    @Test
    void withAModel() {
        Policy policy = Policy.denyAll();
        Map<String, String> environment = Map.of("OPENAI_API_KEY", "a-key");
        try (Memories memories = Memories.inFile(home.resolve("memory.db"), Embedder.words())) {
            Memory memory = memories.tenant("coder");
            ModelAccess access =
                    ModelAccess.of(
                                    Route.open(
                                            "openai:gpt-5-mini, openai:gpt-5",
                                            environment)) // small first, larger after a failure
                            .guardrails(Guardrails.standard());
            Pipeline pipeline =
                    new Pipeline(
                            ModelPlanner.of(access),
                            ModelCoder.of(access),
                            SandboxExecutor.of(policy),
                            ModelDebugger.of(access)
                                    .memory(memory)); // tells of similar mistakes, and what helped
            assertThat(pipeline).isNotNull();
        }
    }

    record Repaired(String category, boolean changed) {}

    @Test
    void theDebuggerAlone() {
        Jail.assumed();
        CodeArtifact broken = CodeArtifact.of(Language.PYTHON, "print(math.pi)\n");
        Attempt attempt =
                new Attempt(broken, Lab.run(broken, 1, Map.of()), List.of("?"), Optional.empty());
        Trouble trouble = new Trouble(Lab.plan(Language.PYTHON), List.of(attempt));
        Graph<Repaired> graph =
                Graph.of("repair", Repaired.class)
                        .node(
                                "repair",
                                (state, context) -> {
                                    Debugger debugger =
                                            OfflineDebugger.standard(); // missing modules are added
                                    Debugger offline =
                                            OfflineDebugger.withoutIndex(); // nothing can be added
                                    Repair repair = debugger.repair(trouble, context);
                                    return new Repaired(
                                            repair.diagnosis().category(),
                                            offline.repair(trouble, context)
                                                    .artifact()
                                                    .isPresent());
                                })
                        .edge("repair", Graph.END)
                        .build();
        try (Trace trace = Trace.open(new MemoryStore(), home);
                Runs runs = Runs.in(trace)) {
            Status<Repaired> end = runs.start(graph, new Repaired("", false), "x").await();
            assertThat(((Status.Finished<Repaired>) end).state())
                    .isEqualTo(new Repaired("missing-import", true));
        }
    }
}
