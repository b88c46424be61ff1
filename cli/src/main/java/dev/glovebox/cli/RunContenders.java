package dev.glovebox.cli;

import dev.glovebox.agent.Spectator;
import dev.glovebox.coder.CodeArtifact;
import dev.glovebox.coder.CoderGraph;
import dev.glovebox.coder.Pipeline;
import dev.glovebox.coder.Settings;
import dev.glovebox.coder.Task;
import dev.glovebox.coder.Work;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.store.SqliteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The whole way from a sentence to code that ran, beside the box alone with the same code. */
final class RunContenders implements AutoCloseable {

    private static final String SENTENCE = "mean and median of 2, 4 and 9 in python";
    private static final String EXPECTED = "Mean: 5";

    private final Path folder;
    private final Trace trace;
    private final Runs runs;

    private RunContenders(Path folder) {
        this.folder = folder;
        this.trace =
                Trace.open(SqliteStore.open(folder.resolve("trace.db")), folder.resolve("keys"));
        this.runs = Runs.in(trace);
    }

    static RunContenders assemble() {
        try {
            return new RunContenders(Files.createTempDirectory("glovebox-bench"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Contender> all() {
        Policy policy = Policy.denyAll();
        Settings settings = new Settings(policy.json(), "", Settings.ATTEMPTS);
        Pipeline pipeline = CoderGraph.pipeline(settings, Map.of(), Spectator.NONE);
        Work work = Work.of(Task.of(SENTENCE), settings);
        CodeArtifact code = end(pipeline, work).state().best().orElseThrow().artifact();
        Program program =
                Program.script(
                                code.language(),
                                code.source().getBytes(StandardCharsets.UTF_8),
                                code.entry())
                        .stdin(new byte[0]);
        return List.of(
                contender("the box alone", () -> box(policy, program, code)),
                contender("run, sealed", () -> whole(pipeline, work)));
    }

    private static Contender contender(String name, Runnable what) {
        return new Contender() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void run() {
                what.run();
            }
        };
    }

    private static void box(Policy policy, Program program, CodeArtifact code) {
        try (Sandbox box = Sandboxes.open(policy, code.language())) {
            check(box.run(program).stdout().text());
        }
    }

    private void whole(Pipeline pipeline, Work work) {
        check(end(pipeline, work).state().best().orElseThrow().report().stdout());
    }

    private Status.Finished<Work> end(Pipeline pipeline, Work work) {
        RunOptions options = RunOptions.titled("bench").inPrivate();
        return (Status.Finished<Work>) runs.start(pipeline.graph(work), work, options).await();
    }

    private static void check(String output) {
        if (!output.contains(EXPECTED)) {
            throw new IllegalStateException("It printed '" + output.strip() + "'");
        }
    }

    @Override
    public void close() {
        runs.close();
        trace.close();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
