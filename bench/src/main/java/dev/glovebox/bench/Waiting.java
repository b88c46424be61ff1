package dev.glovebox.bench;

import dev.glovebox.run.Call;
import dev.glovebox.run.Done;
import dev.glovebox.run.Effect;
import dev.glovebox.run.Graph;
import dev.glovebox.run.Question;
import dev.glovebox.run.Run;
import dev.glovebox.run.Runs;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.TraceStore;
import dev.glovebox.trace.store.SqliteStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/** How much memory a run takes that waits: for something slow, or for a person. */
public final class Waiting {

    private static final int RUNS = 10_000;

    private Waiting() {}

    /** What goes through a run. */
    public record Text(String text) {}

    /** Waits until all do. */
    private record Slow(String arguments, CountDownLatch begun, CountDownLatch end)
            implements Effect<String, String> {

        @Override
        public String kind() {
            return "wait";
        }

        @Override
        public String name() {
            return "latch";
        }

        @Override
        public Class<String> resultType() {
            return String.class;
        }

        @Override
        public Done<String> perform(Call call) throws InterruptedException {
            begun.countDown();
            end.await();
            return Done.of(arguments);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.out.printf("%-50s %s%n", "waiting", "bytes of heap for each");
        print("a virtual thread", threads());
        print("a run in an effect, recorded in memory", effects(any -> new MemoryStore()));
        print("a run in an effect, recorded in SQLite", effects(Waiting::sqlite));
        print("a run that asks a person, recorded in SQLite", people());
    }

    private static void print(String what, long bytes) {
        System.out.printf("%-50s %,10d%n", what, bytes / RUNS);
    }

    private static TraceStore sqlite(Scratch scratch) {
        return SqliteStore.open(scratch.file("trace.db"));
    }

    private static long heap() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(200);
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static long threads() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(RUNS);
        CountDownLatch end = new CountDownLatch(1);
        long before = heap();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            threads.add(
                    Thread.startVirtualThread(() -> {
                        begun.countDown();
                        try {
                            end.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }));
        }
        begun.await();
        long used = heap() - before;
        end.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        return used;
    }

    private static long effects(Function<Scratch, TraceStore> store) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(RUNS);
        CountDownLatch end = new CountDownLatch(1);
        Graph<Text> graph =
                Graph.of("wait", Text.class)
                        .node(
                                "wait",
                                (text, context) ->
                                        new Text(
                                                context.perform(new Slow(text.text(), begun, end))))
                        .edge("wait", Graph.END)
                        .build();
        Scratch scratch = new Scratch();
        try (scratch;
                Trace trace = Trace.open(store.apply(scratch), scratch.file("keys"));
                Runs runs = Runs.in(trace)) {
            long before = heap();
            List<Run<Text>> all = start(runs, graph);
            begun.await();
            long used = heap() - before;
            end.countDown();
            all.forEach(Run::await);
            return used;
        }
    }

    private static long people() throws InterruptedException {
        Graph<Text> graph =
                Graph.of("ask", Text.class)
                        .node(
                                "ask",
                                (text, context) ->
                                        new Text(context.ask(Question.open("What?")).text()))
                        .edge("ask", Graph.END)
                        .build();
        Scratch scratch = new Scratch();
        try (scratch;
                Trace trace = Trace.open(sqlite(scratch), scratch.file("keys"));
                Runs runs = Runs.in(trace)) {
            long before = heap();
            List<Run<Text>> all = start(runs, graph);
            all.forEach(Run::await);
            return heap() - before;
        }
    }

    private static List<Run<Text>> start(Runs runs, Graph<Text> graph) {
        List<Run<Text>> all = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            all.add(runs.start(graph, new Text("some text"), "bench"));
        }
        return all;
    }
}
