package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.agent.support.WordEmbedder;
import dev.glovebox.run.Call;
import dev.glovebox.run.Graph;
import dev.glovebox.run.Run;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered and recalled in runs, and by models. */
class MemoryEffectsTest {

    private Memories memories;
    private Memory memory;
    private Trace trace;
    private Runs runs;

    @BeforeEach
    void open(@TempDir Path folder) {
        memories = Memories.inFile(folder.resolve("memory.db"), new WordEmbedder());
        memory = memories.tenant("anna");
        trace = Trace.open(new MemoryStore(), folder.resolve("keys"));
        runs = Runs.in(trace);
    }

    @AfterEach
    void close() {
        runs.close();
        trace.close();
        memories.close();
    }

    record Learned(List<String> recalled) {}

    private Graph<Learned> graph() {
        return Graph.of("learner", Learned.class)
                .node(
                        "learn",
                        (state, context) -> {
                            Fact fact = new Fact("Tea is at four", "bob");
                            context.perform(Remember.fact(memory, fact, "helper"));
                            context.perform(
                                    Remember.episode(
                                            memory,
                                            new Episode(
                                                    "Make tea", "cold", "boil", "completed", "r"),
                                            "helper"));
                            var facts = context.perform(Recall.facts(memory, "tea", 5, "helper"));
                            var past =
                                    context.perform(
                                            Recall.episodes(memory, "tea", "cold", 5, "helper"));
                            return new Learned(
                                    List.of(
                                            facts.facts().getFirst().what().text(),
                                            past.episodes().getFirst().what().fix()));
                        })
                .edge("learn", Graph.END)
                .build();
    }

    @Test
    void whatWasRecalledIsInTheTraceAndReplaysWhenTheMemoryIsGone() throws Exception {
        Run<Learned> run = runs.start(graph(), new Learned(List.of()), "Learn");
        assertThat(run.await())
                .isInstanceOfSatisfying(
                        Status.Finished.class,
                        end ->
                                assertThat(((Learned) end.state()).recalled())
                                        .containsExactly("Tea is at four", "boil"));
        memory.forgetBefore(Instant.now().plusSeconds(60));

        assertThat(runs.replay(graph(), run.name()).isFaithful()).isTrue();
        assertThat(runs.replay(graph(), run.name(), Set.of("memory")).repeated()).hasSize(4);
    }

    @Test
    void theRecordSaysWhatWasDoneAndHowManyWereFound() throws Exception {
        Run<Learned> run = runs.start(graph(), new Learned(List.of()), "Learn");
        run.await();
        List<Event> events;
        try (Stream<Entry> entries = trace.entries(run.name(), 0)) {
            events = entries.map(Entry::event).toList();
        }
        assertThat(events)
                .filteredOn(EffectIntent.class::isInstance)
                .map(event -> ((EffectIntent) event).name())
                .containsExactly("upsert", "upsert", "search", "search");
        assertThat(events)
                .filteredOn(EffectOutcome.class::isInstance)
                .map(event -> ((EffectOutcome) event).details().path("records").intValue())
                .containsExactly(1, 1, 1, 1);
    }

    private static ObjectNode arguments() {
        return JsonNodeFactory.instance.objectNode();
    }

    private ToolOutput call(String name, ObjectNode arguments) throws Exception {
        Toolbox toolbox = Toolbox.of(MemoryTools.of(memory));
        return switch (toolbox.check(new ToolCall("1", name, arguments.toString()))) {
            case ToolCheck.Unfit unfit -> unfit.error();
            case ToolCheck.Fit fit ->
                    fit.tool()
                            .call(
                                    new ToolInput(
                                            fit.arguments(),
                                            "helper",
                                            new Call("key", Duration.ofMinutes(1))));
        };
    }

    @Test
    void aModelRemembersAndRecalls() throws Exception {
        assertThat(call("remember_fact", arguments().put("fact", "Tea is at four")).isError())
                .isFalse();
        ToolOutput recalled = call("recall_facts", arguments().put("query", "tea").put("most", 3));
        assertThat(recalled.text())
                .contains("<recalled-memory>")
                .contains("source: agent helper;")
                .contains("| Tea is at four");
    }

    @Test
    void nonsenseOfAModelIsAnErrorItCanRead() throws Exception {
        assertThat(call("remember_fact", arguments()).isError()).isTrue();
        assertThat(call("remember_fact", arguments().put("fact", " ")).text()).contains("got 0");
        assertThat(call("remember_fact", arguments().put("fact", "x".repeat(9_000))).text())
                .contains("got 9000");
        assertThat(call("recall_facts", arguments()).isError()).isTrue();
        assertThat(call("recall_facts", arguments().put("query", "")).text())
                .contains("Nothing was remembered");
        assertThat(call("recall_facts", arguments().put("query", "x").put("most", -7)).isError())
                .isFalse();
    }
}
