package dev.glovebox.bench;

import dev.glovebox.run.Graph;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.TraceStore;
import dev.glovebox.trace.store.SqliteStore;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.bsc.langgraph4j.CompileConfig;
import org.bsc.langgraph4j.CompiledGraph;
import org.bsc.langgraph4j.GraphStateException;
import org.bsc.langgraph4j.RunnableConfig;
import org.bsc.langgraph4j.StateGraph;
import org.bsc.langgraph4j.action.AsyncEdgeAction;
import org.bsc.langgraph4j.action.AsyncNodeAction;
import org.bsc.langgraph4j.checkpoint.MemorySaver;
import org.bsc.langgraph4j.state.AgentState;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What a node costs that does nothing: a loop over three of them, a thousand times round. */
public class NodeBenchmark {

    private static final int ROUNDS = 1_000;
    private static final int NODES = 3 * ROUNDS;

    /** What goes round. */
    public record Tally(int round, String text) {

        Tally next() {
            return new Tally(round + 1, text);
        }
    }

    private static Graph<Tally> graph() {
        return Graph.of("loop", Tally.class)
                .node("one", (tally, context) -> tally.next())
                .node("two", (tally, context) -> tally)
                .node("three", (tally, context) -> tally)
                .edge("one", "two")
                .edge("two", "three")
                .choose(
                        "three",
                        tally -> tally.round() < ROUNDS ? "one" : Graph.END,
                        "one",
                        Graph.END)
                .build();
    }

    /** Our engine over a store. */
    public abstract static class Engine {

        private final Scratch scratch;
        private final Graph<Tally> graph = graph();
        private final Trace trace;
        private final Runs runs;

        Engine(Function<Scratch, TraceStore> store) {
            scratch = new Scratch();
            trace = Trace.open(store.apply(scratch), scratch.file("keys"));
            runs = Runs.in(trace);
        }

        Status<Tally> run() {
            return runs.start(graph, new Tally(0, "some text"), "bench").await();
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
    @OperationsPerInvocation(NODES)
    public Status<Tally> memory(InMemory engine) {
        return engine.run();
    }

    @Benchmark
    @OperationsPerInvocation(NODES)
    public Status<Tally> sqlite(InSqlite engine) {
        return engine.run();
    }

    /** The same loop there; each run is a thread of its own, kept as ours are. */
    @State(Scope.Benchmark)
    public static class LangGraph {

        private static final String ROUND = "round";

        private final CompiledGraph<AgentState> graph = compiled();
        private long thread;

        private static CompiledGraph<AgentState> compiled() {
            try {
                return new StateGraph<>(AgentState::new)
                        .addNode(
                                "one",
                                AsyncNodeAction.node_async(
                                        state -> Map.of(ROUND, round(state) + 1)))
                        .addNode("two", AsyncNodeAction.node_async(state -> Map.of()))
                        .addNode("three", AsyncNodeAction.node_async(state -> Map.of()))
                        .addEdge(StateGraph.START, "one")
                        .addEdge("one", "two")
                        .addEdge("two", "three")
                        .addConditionalEdges(
                                "three",
                                AsyncEdgeAction.edge_async(
                                        state -> round(state) < ROUNDS ? "again" : "end"),
                                Map.of("again", "one", "end", StateGraph.END))
                        .compile(
                                CompileConfig.builder()
                                        .checkpointSaver(new MemorySaver())
                                        .recursionLimit(2 * NODES)
                                        .build());
            } catch (GraphStateException e) {
                throw new IllegalStateException(e);
            }
        }

        private static int round(AgentState state) {
            return state.<Integer>value(ROUND).orElseThrow();
        }

        Optional<AgentState> run() {
            RunnableConfig config =
                    RunnableConfig.builder().threadId(Long.toString(thread++)).build();
            return graph.invoke(Map.of(ROUND, 0, "text", "some text"), config);
        }
    }

    @Benchmark
    @OperationsPerInvocation(NODES)
    public Optional<AgentState> langGraph(LangGraph graph) {
        return graph.run();
    }
}
