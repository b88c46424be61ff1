package dev.glovebox.cli;

import dev.glovebox.run.Graph;
import dev.glovebox.run.Question;
import dev.glovebox.run.RecordedRun;
import dev.glovebox.run.Run;
import dev.glovebox.run.Runs;
import dev.glovebox.run.spi.GraphSource;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.store.SqliteStore;
import java.nio.file.Path;

/** A graph that asks people, and can be changed after its runs were recorded. */
public final class Survey implements GraphSource {

    static final String QUESTION = "Tea?";

    /** What the program says beside; part of it, so that another one is another program. */
    static volatile String note = "as always";

    /** What was answered. */
    record Answers(String tea, String milk) {}

    static Graph<Answers> graph(String name) {
        return Graph.of(name, Answers.class)
                .node(
                        "ask",
                        (answers, context) -> {
                            context.note(note);
                            return new Answers(
                                    context.ask(Question.approval(QUESTION)).text(),
                                    context.ask(Question.open("Milk?")).text());
                        })
                .edge("ask", Graph.END)
                .build();
    }

    /** Starts a run in the installation of a command, which then waits; its name. */
    static String begin(Path home, String kind) {
        try (Trace trace =
                        Trace.open(
                                SqliteStore.open(home.resolve("trace.db")), home.resolve("keys"));
                Runs runs = Runs.in(trace)) {
            Run<Answers> run = runs.start(graph(kind), new Answers("", ""), "a survey");
            run.await();
            return run.name();
        }
    }

    @Override
    public String kind() {
        return "survey";
    }

    @Override
    public Graph<?> graph(RecordedRun run) {
        return graph(kind());
    }
}
