package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.agent.support.AnthropicServer;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A model that talks nonsense, of many kinds, for very many runs. */
class NonsenseTest {

    private static final int RUNS = 2_000;
    private static final int AT_ONCE = 500;
    private static final int RUNS_OF_A_VENDOR = 50;
    private static final long SEED = 20260101;

    private static final Map<String, String> KEYS =
            Map.of("ANTHROPIC_API_KEY", "a-key", "OPENAI_API_KEY", "another-key");

    private static final List<String> NAMES =
            List.of(
                    "order",
                    "reserve",
                    "orders",
                    "functions.order",
                    "",
                    "../../bin/sh",
                    "order\u0000",
                    "é",
                    "x".repeat(10_000));

    /** What a model says in a run; it follows from the seed and the number of the run. */
    private static final class Nonsense {

        private static final Pattern NUMBER = Pattern.compile("Order, number (\\d+)!");

        /** Of so many runs, one in which the model says the same for ever. */
        private static final int ONE_IS_STUCK = 10;

        private static final Turn STUCK =
                Turn.calls(
                        "reserve", "{\"item\":\"ink\",\"count\":2,\"size\":\"SMALL\",\"tags\":[]}");

        private final Map<Integer, Random> chances = new HashMap<>();

        Script script() {
            return Script.answering(asked -> {
                Matcher number = NUMBER.matcher(asked);
                assertThat(number.find()).as(asked).isTrue();
                int run = Integer.parseInt(number.group(1));
                return run % ONE_IS_STUCK == 0
                        ? STUCK
                        : turn(chances.computeIfAbsent(run, n -> new Random(SEED + n)));
            });
        }

        private static Turn turn(Random random) {
            return switch (random.nextInt(12)) {
                case 0 -> Turn.says("");
                case 1 -> Turn.says("done");
                case 2 -> Turn.says("\u0000\uFFFF{}".repeat(random.nextInt(1, 100)));
                case 3 -> new Turn.Garbage("{\"choices\":" + random.nextInt());
                case 4 -> new Turn.Cut("half an ans");
                case 5 ->
                        Turn.fails(
                                List.of(400, 401, 404, 429, 500, 529).get(random.nextInt(6)), "no");
                case 6 -> new Turn.Says("cut", List.of(), true);
                case 7 -> calls(random, random.nextInt(65, 200));
                default -> calls(random, random.nextInt(1, 5));
            };
        }

        private static Turn calls(Random random, int count) {
            WildArguments arguments = new WildArguments(random);
            List<ToolCall> calls = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                calls.add(
                        new ToolCall(
                                random.nextBoolean() ? "same" : "call" + i,
                                NAMES.get(random.nextInt(random.nextBoolean() ? 2 : NAMES.size())),
                                arguments.next()));
            }
            return new Turn.Says(random.nextBoolean() ? "" : "Let me see.", calls, false);
        }
    }

    private enum Size {
        SMALL,
        LARGE
    }

    private record Order(
            String item, int count, Size size, List<String> tags, Optional<String> note) {}

    /** Two tools that look for themselves at what they are called with. */
    private static final class Desk {

        private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        private final AtomicInteger ordered = new AtomicInteger();
        private final AtomicInteger reserved = new AtomicInteger();

        /** The schema is written by hand, with bounds. */
        private final class Ordering implements Tool {

            @Override
            public ToolOffer offer() {
                return new ToolOffer(
                        "order",
                        "Orders something",
                        json(
                                """
                                {"type":"object","properties":{
                                  "item":{"type":"string"},
                                  "count":{"type":"integer","minimum":1,"maximum":1000},
                                  "size":{"enum":["SMALL","LARGE"]},
                                  "tags":{"type":"array","items":{"type":"string"}},
                                  "note":{"type":"string"}},
                                 "required":["item","count","size","tags"],
                                 "additionalProperties":false}
                                """));
            }

            @Override
            public ToolOutput call(ToolInput input) {
                ordered.incrementAndGet();
                return ToolOutput.of(answer(input.arguments(), 1, 1_000));
            }

            @Override
            public ToolTraits traits() {
                return ToolTraits.standard().mostBytes(2_000);
            }
        }

        Tool[] tools() {
            Tool reserve =
                    Tools.of(
                            "reserve",
                            "Reserves something",
                            Order.class,
                            (order, input) -> {
                                reserved.incrementAndGet();
                                return answer(
                                        input.arguments(), Integer.MIN_VALUE, Integer.MAX_VALUE);
                            });
            return new Tool[] {
                new Ordering(), Tools.with(reserve, reserve.traits().mostBytes(2_000))
            };
        }

        private String answer(ObjectNode arguments, int least, int most) {
            if (!isOrder(arguments, least, most)) {
                wrong.add(arguments.toString());
            }
            return switch (arguments.path("count").asInt() & 3) {
                case 0 -> throw new IllegalStateException("out of stock");
                case 1 -> "x".repeat(200_000);
                default -> "ordered";
            };
        }

        /** Knows nothing of schemas. */
        private static boolean isOrder(ObjectNode order, int least, int most) {
            Set<String> names = new TreeSet<>();
            order.fieldNames().forEachRemaining(names::add);
            boolean noted = names.remove("note");
            double count = order.path("count").doubleValue();
            return names.equals(Set.of("item", "count", "size", "tags"))
                    && order.path("item").isTextual()
                    && order.path("count").isNumber()
                    && count == Math.rint(count)
                    && count >= least
                    && count <= most
                    && Set.of("\"SMALL\"", "\"LARGE\"").contains(order.path("size").toString())
                    && order.path("tags").isArray()
                    && order.path("tags").valueStream().allMatch(JsonNode::isTextual)
                    && (!noted || order.path("note").isTextual());
        }

        void assertCalledWell() {
            assertThat(wrong).as("calls that should not have been made, seed " + SEED).isEmpty();
            // If none was ever called, nothing would be shown.
            assertThat(ordered.get()).isPositive();
            assertThat(reserved.get()).isPositive();
        }
    }

    private static JsonNode json(String text) {
        try {
            return new JsonMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    void whateverAModelSaysEachRunEndsForAReason(@TempDir Path keys) {
        Desk desk = new Desk();
        Agent agent =
                Agent.named("victim", new ScriptedModel(new Nonsense().script()))
                        .tools(desk.tools())
                        .mostTurns(12)
                        .build();

        Map<String, Integer> ends = ends(agent, keys, RUNS);

        desk.assertCalledWell();
        assertThat(ends)
                .containsKeys("completed", "attempts-exhausted", "loop-detected", "model-failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic"})
    void theRealClientsBearItToo(String vendor, @TempDir Path keys) {
        Desk desk = new Desk();
        Script script = new Nonsense().script();
        try (VendorServer server =
                vendor.equals("openai")
                        ? OpenAiServer.start(script)
                        : AnthropicServer.start(script)) {
            Agent agent =
                    Agent.named("victim", Models.open(vendor + ":x@" + server.address(), KEYS))
                            .tools(desk.tools())
                            .mostTurns(6)
                            .build();

            Map<String, Integer> ends = ends(agent, keys, RUNS_OF_A_VENDOR);

            desk.assertCalledWell();
            assertThat(ends).containsKeys("completed", "loop-detected", "model-failed");
            assertThat(server.problems()).isEmpty();
        }
    }

    /** How often each way to end was taken, over so many runs. */
    private static Map<String, Integer> ends(Agent agent, Path keys, int count) {
        Map<String, Integer> ends = new TreeMap<>();
        try (Trace trace = Trace.open(new MemoryStore(), keys);
                Runs runs = Runs.in(trace)) {
            for (int from = 0; from < count; from += AT_ONCE) {
                List<Run<Conversation>> some = new ArrayList<>();
                for (int i = from; i < Math.min(count, from + AT_ONCE); i++) {
                    some.add(agent.start(runs, "Order, number " + i + "!", options()));
                }
                for (int i = 0; i < some.size(); i++) {
                    StopReason stop = Agent.result(some.get(i)).stop();
                    assertThat(stop)
                            .as("run %d, seed %d", from + i, SEED)
                            .isNotInstanceOfAny(StopReason.Failed.class, StopReason.Diverged.class);
                    ends.merge(stop.word(), 1, Integer::sum);
                }
            }
        }
        return ends;
    }

    private static RunOptions options() {
        return RunOptions.titled("x")
                .budget(Budget.unlimited().toolCalls(200).wall(Duration.ofMinutes(2)));
    }
}
