package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.support.Script;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.run.Effect.IfUnknown;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.support.CrashInjector;
import dev.glovebox.run.support.CrashInjector.Crash;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.TraceException;
import dev.glovebox.trace.Verdict;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent with tools and another agent, whose process ends at each of its records. */
class AgentCrashTest {

    @TempDir private Path keys;

    private record Order(String item) {}

    /** What was ordered, by the key of the call. */
    private final Map<String, Integer> ordered = new ConcurrentHashMap<>();

    private Tool order() {
        Tool plain =
                Tools.of(
                        "order",
                        "Orders something",
                        Order.class,
                        (order, input) -> {
                            ordered.merge(input.key(), 1, Integer::sum);
                            return "ordered " + order.item();
                        });
        return Tools.with(plain, plain.traits().ifUnknown(IfUnknown.REPEAT));
    }

    private Agent agent() {
        Script buyer =
                Script.answering(asked ->
                        asked.contains("ordered ink")
                                ? Turn.says("The ink is ordered.")
                                : Turn.calls("order", "{\"item\":\"ink\"}"));
        Script boss =
                Script.answering(asked ->
                        asked.contains("The ink is ordered.")
                                ? Turn.says("All is ordered.")
                                : Turn.calls(
                                        new ToolCall("1", "order", "{\"item\":\"pens\"}"),
                                        new ToolCall("2", "buyer", "{\"task\":\"Order ink.\"}"),
                                        new ToolCall("3", "order", "{\"item\":7}")));
        Agent other = Agent.named("buyer", new ScriptedModel(buyer)).tools(order()).build();
        return Agent.named("boss", new ScriptedModel(boss)).tools(order()).delegates(other).build();
    }

    private TaskResult run(TraceStore store) {
        try (Trace trace = Trace.open(store, keys);
                Runs runs = Runs.in(trace)) {
            return agent().run(runs, "Order what we need.");
        }
    }

    @Test
    void anAgentThatCrashesAtAnyRecordGoesOnAndOrdersNothingTwiceThatItKnows() {
        CrashInjector never = new CrashInjector(new MemoryStore(), Integer.MAX_VALUE, Crash.BEFORE);
        TaskResult expected = run(never);
        assertThat(expected.text()).isEqualTo("All is ordered.");
        assertThat(never.records()).isGreaterThan(30);
        for (int record = 1; record < never.records(); record++) {
            for (Crash crash : List.of(Crash.BEFORE, Crash.AFTER)) {
                crash(record, crash, expected);
            }
        }
    }

    private void crash(int record, Crash crash, TaskResult expected) {
        ordered.clear();
        MemoryStore store = new MemoryStore();
        try {
            run(new CrashInjector(store, record, crash));
        } catch (TraceException e) {
            assertThat(e).hasMessageContaining("crash");
        }
        Optional<RunRow> left =
                store.runs(RunQuery.newest(10)).stream()
                        .filter(row -> row.finishedAt().isEmpty())
                        .findFirst();
        if (left.isEmpty()) {
            return;
        }
        String name = left.get().run();
        try (Trace trace = Trace.open(store, keys);
                Runs runs = Runs.in(trace)) {
            Set<String> known = known(trace, name);
            Map<String, Integer> before = Map.copyOf(ordered);
            Run<Conversation> run = runs.resume(agent().graph(), name);

            TaskResult result = Agent.result(run);

            String where = crash + " " + record;
            assertThat(result.conversation()).as(where).isEqualTo(expected.conversation());
            assertThat(result.stop()).as(where).isEqualTo(expected.stop());
            before.forEach((key, times) -> {
                if (known.contains(key)) {
                    assertThat(ordered.get(key)).as(where + " " + key).isEqualTo(times);
                }
            });
            assertThat(ordered).as(where).hasSize(2);
            assertThat(trace.verify(name)).as(where).isInstanceOf(Verdict.Intact.class);
            assertThat(runs.replay(agent().graph(), name).isFaithful()).as(where).isTrue();
        }
    }

    /** The keys of effects of which the outcome is on record. */
    private static Set<String> known(Trace trace, String run) {
        try (Stream<Entry> entries = trace.entries(run, 0)) {
            return entries.map(Entry::event)
                    .filter(EffectOutcome.class::isInstance)
                    .map(event -> run + "/" + ((EffectOutcome) event).id().key())
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void anAgentIsResumedByAnotherProcess() {
        // The graph of an agent is made anew there, and must be the same.
        MemoryStore store = new MemoryStore();
        String name;
        try (Trace trace = Trace.open(store, keys);
                Runs runs = Runs.in(trace)) {
            Agent slow =
                    Agent.named(
                                    "slow",
                                    new ScriptedModel(
                                            Script.answering(asked ->
                                                    new Turn.Slow(
                                                            Duration.ofHours(1),
                                                            Turn.says("never")))))
                            .build();
            name = slow.start(runs, "Wait.", RunOptions.titled("x")).name();
        }
        try (Trace trace = Trace.open(store, keys);
                Runs runs = Runs.in(trace)) {
            Agent quick = Agent.named("slow", new ScriptedModel(Turn.says("Here."))).build();
            assertThat(Agent.result(runs.resume(quick.graph(), name)).text()).isEqualTo("Here.");
        }
    }
}
