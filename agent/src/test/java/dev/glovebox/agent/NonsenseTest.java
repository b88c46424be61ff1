package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.support.OpenAiServer;
import dev.glovebox.agent.support.Script;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.Budget;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.StopReason;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model that talks nonsense, of many kinds, for very many runs. */
class NonsenseTest {

    private static final int RUNS = 2_000;
    private static final int AT_ONCE = 500;

    private record Order(String item, int count) {}

    private static final List<Function<Random, String>> ARGUMENTS =
            List.of(
                    random -> "",
                    random -> "{",
                    random -> "null",
                    random -> "[1,2]",
                    random -> "{\"item\":\"x\"}",
                    random -> "{\"item\":7,\"count\":\"many\"}",
                    random -> "{\"item\":\"x\",\"count\":1e999}",
                    random ->
                            "{\"item\":\"x\",\"count\":" + "9".repeat(random.nextInt(1, 400)) + "}",
                    random -> "{\"item\":\"x\",\"count\":1,\"more\":true}",
                    random -> "{\"item\":\"x\",\"count\":1}garbage",
                    random -> "[".repeat(5_000),
                    random -> "{\"item\":\"" + "\\u0000".repeat(50) + "\",\"count\":1",
                    random -> "{\"item\":\"\uD800\",\"count\":2}",
                    random -> "{\"item\":\"x\",\"count\":" + random.nextInt() + "}");

    private static final List<String> NAMES =
            List.of("order", "orders", "", "../../bin/sh", "order\u0000", "é", "x".repeat(10_000));

    private static Turn nonsense(Random random) {
        return switch (random.nextInt(12)) {
            case 0 -> Turn.says("");
            case 1 -> Turn.says("done");
            case 2 -> Turn.says("\u0000\uFFFF{}".repeat(random.nextInt(1, 100)));
            case 3 -> new Turn.Garbage("{\"choices\":" + random.nextInt());
            case 4 -> new Turn.Cut("half an ans");
            case 5 ->
                    Turn.fails(List.of(400, 401, 404, 429, 500, 529).get(random.nextInt(6)), "no");
            case 6 -> new Turn.Says("cut", List.of(), true);
            case 7 -> calls(random, random.nextInt(100, 400));
            default -> calls(random, random.nextInt(1, 5));
        };
    }

    private static Turn calls(Random random, int count) {
        List<ToolCall> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(
                    new ToolCall(
                            random.nextBoolean() ? "same" : "call" + i,
                            NAMES.get(random.nextInt(random.nextBoolean() ? 1 : NAMES.size())),
                            ARGUMENTS.get(random.nextInt(ARGUMENTS.size())).apply(random)));
        }
        return new Turn.Says(random.nextBoolean() ? "" : "Let me see.", calls, false);
    }

    private static Tool order(List<Order> invalid, AtomicInteger called) {
        Tool tool =
                Tools.of(
                        "order",
                        "Orders something",
                        Order.class,
                        order -> {
                            called.incrementAndGet();
                            if (order.item() == null) {
                                invalid.add(order);
                            }
                            return switch (order.count() & 3) {
                                case 0 -> throw new IllegalStateException("out of stock");
                                case 1 -> "x".repeat(200_000);
                                default -> "ordered";
                            };
                        });
        return Tools.with(tool, tool.traits().mostBytes(2_000));
    }

    @Test
    void whateverAModelSaysEachRunEndsForAReason(@TempDir Path keys) {
        Random random = new Random(20260101);
        AtomicInteger called = new AtomicInteger();
        List<Order> invalid = new ArrayList<>();
        Agent agent =
                Agent.named(
                                "victim",
                                new ScriptedModel(Script.answering(asked -> nonsense(random))))
                        .tools(order(invalid, called))
                        .mostTurns(12)
                        .build();
        Map<String, Integer> ends = new TreeMap<>();
        try (Trace trace = Trace.open(new MemoryStore(), keys);
                Runs runs = Runs.in(trace)) {
            for (int from = 0; from < RUNS; from += AT_ONCE) {
                List<Run<Conversation>> some = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    some.add(agent.start(runs, "Order.", options()));
                }
                some.forEach(run -> ended(run, ends));
            }
        }
        assertThat(ends.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(RUNS);
        // If none was ever called, nothing would be shown.
        assertThat(called.get()).isPositive();
        assertThat(invalid).isEmpty();
        assertThat(ends)
                .containsKeys("completed", "attempts-exhausted", "model-failed")
                .doesNotContainKey("failed");
    }

    private static RunOptions options() {
        return RunOptions.titled("x")
                .budget(Budget.unlimited().toolCalls(200).wall(Duration.ofMinutes(2)));
    }

    private static void ended(Run<Conversation> run, Map<String, Integer> ends) {
        StopReason stop = Agent.result(run).stop();
        assertThat(stop).isNotInstanceOf(StopReason.Failed.class);
        ends.merge(stop.word(), 1, Integer::sum);
    }

    @Test
    void theRealClientBearsItToo(@TempDir Path keys) {
        Random random = new Random(7);
        AtomicInteger called = new AtomicInteger();
        List<Order> invalid = new ArrayList<>();
        try (VendorServer server = OpenAiServer.start(Script.answering(asked -> nonsense(random)));
                Trace trace = Trace.open(new MemoryStore(), keys);
                Runs runs = Runs.in(trace)) {
            Agent agent =
                    Agent.named("victim", Models.open("openai:x@" + server.address(), Map.of()))
                            .tools(order(invalid, called))
                            .mostTurns(6)
                            .build();
            Map<String, Integer> ends = new TreeMap<>();
            List<Run<Conversation>> some = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                some.add(agent.start(runs, "Order.", options()));
            }
            some.forEach(run -> ended(run, ends));
            assertThat(ends).isNotEmpty();
        }
        assertThat(invalid).isEmpty();
    }
}
