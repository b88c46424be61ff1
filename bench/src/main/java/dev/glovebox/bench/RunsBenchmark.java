package dev.glovebox.bench;

import dev.glovebox.run.Call;
import dev.glovebox.run.Done;
import dev.glovebox.run.Effect;
import dev.glovebox.run.Graph;
import dev.glovebox.run.Run;
import dev.glovebox.run.Runs;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.TraceStore;
import dev.glovebox.trace.store.SqliteStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Very many runs at once, of which each waits for something slow. */
public class RunsBenchmark {

    static final int RUNS = 10_000;
    private static final int MILLIS = 100;

    /** What goes through a run. */
    public record Waited(int millis) {}

    /** Something slow, such as a model. */
    private record Slow(Integer arguments) implements Effect<Integer, Integer> {

        @Override
        public String kind() {
            return "wait";
        }

        @Override
        public String name() {
            return "sleep";
        }

        @Override
        public Class<Integer> resultType() {
            return Integer.class;
        }

        @Override
        public Done<Integer> perform(Call call) throws InterruptedException {
            Thread.sleep(arguments);
            return Done.of(arguments);
        }
    }

    static Graph<Waited> graph() {
        return Graph.of("wait", Waited.class)
                .node(
                        "wait",
                        (waited, context) -> new Waited(context.perform(new Slow(waited.millis()))))
                .edge("wait", Graph.END)
                .build();
    }

    static int all(Runs runs, Graph<Waited> graph) {
        List<Run<Waited>> started = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            started.add(runs.start(graph, new Waited(MILLIS), "bench"));
        }
        started.forEach(Run::await);
        return started.size();
    }

    /** Our engine over a store. */
    public abstract static class Engine {

        private final Scratch scratch;
        private final Graph<Waited> graph = graph();
        private final Trace trace;
        private final Runs runs;

        Engine(Function<Scratch, TraceStore> store) {
            scratch = new Scratch();
            trace = Trace.open(store.apply(scratch), scratch.file("keys"));
            runs = Runs.in(trace);
        }

        int run() {
            return all(runs, graph);
        }

        @TearDown
        public void close() {
            runs.close();
            trace.close();
            scratch.close();
        }
    }

    /** Nothing is written to a disk. */
    @State(Scope.Benchmark)
    public static class InMemory extends Engine {
        public InMemory() {
            super(scratch -> new MemoryStore());
        }
    }

    /** All is durable. */
    @State(Scope.Benchmark)
    public static class InSqlite extends Engine {
        public InSqlite() {
            super(scratch -> SqliteStore.open(scratch.file("trace.db")));
        }
    }

    @Benchmark
    @OperationsPerInvocation(RUNS)
    public int memory(InMemory engine) {
        return engine.run();
    }

    @Benchmark
    @OperationsPerInvocation(RUNS)
    public int sqlite(InSqlite engine) {
        return engine.run();
    }

    /** What could not be less. */
    @Benchmark
    @OperationsPerInvocation(RUNS)
    public int threads() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            threads.add(
                    Thread.startVirtualThread(() -> {
                        try {
                            Thread.sleep(MILLIS);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return threads.size();
    }
}
