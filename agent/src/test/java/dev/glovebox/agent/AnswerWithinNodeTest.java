package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.WordEmbedder;
import dev.glovebox.run.Context;
import dev.glovebox.run.Graph;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent that answers with a record, within a node of another graph. */
class AnswerWithinNodeTest {

    @AutoClose private final Engine engine = new Engine();
    private final Runs runs = engine.runs();

    private record Colour(String name, int shade) {}

    private record Told(String text) {}

    private record Nothing() {}

    private static Graph<Told> graph(Function<Context, String> node) {
        return Graph.of("outer", Told.class)
                .node("ask", (told, context) -> new Told(node.apply(context)))
                .edge("ask", Graph.END)
                .build();
    }

    private Status.Finished<Told> run(Graph<Told> graph) {
        Status<Told> end = runs.start(graph, new Told(""), RunOptions.titled("test")).awaitEnd();
        return (Status.Finished<Told>) end;
    }

    private static Agent.Builder painter(ScriptedModel... models) {
        return Agent.named("painter", models)
                .output(Colour.class)
                .validators(
                        Validators.record(
                                Colour.class,
                                colour ->
                                        colour.shade() > 9
                                                ? Optional.of("The shade is too dark")
                                                : Optional.empty()));
    }

    @Test
    void aRecordComesAfterRepairsByTheLargerModelAndIsReplayed() {
        ScriptedModel small = new ScriptedModel(Turn.says("{\"name\":\"red\",\"shade\":12}"));
        ScriptedModel large =
                new ScriptedModel(
                        Turn.says("no JSON"), Turn.says("{\"name\":\"red\",\"shade\":3}"));
        Agent agent = painter(small, large).build();
        Graph<Told> graph =
                graph(context -> agent.answer("Which?", Colour.class, context).toString());

        Status.Finished<Told> end = run(graph);

        assertThat(end.reason()).isEqualTo(new StopReason.Completed());
        assertThat(end.state().text()).isEqualTo("Colour[name=red, shade=3]");
        assertThat(large.prompts().getFirst().messages().toString())
                .contains("The shade is too dark");
        assertThat(runs.replay(graph, end.run()).isFaithful()).isTrue();
        assertThat(large.prompts()).hasSize(2);
    }

    @Test
    void anAgentThatHandsOverCannotAnswerSinceNobodyWouldGoOn() {
        ScriptedModel model = new ScriptedModel(Turn.calls("transfer_to_expert", "{}"));
        Agent agent = painter(model).handoffs("expert").build();

        Status.Finished<Told> end =
                run(graph(context -> agent.answer("Which?", Colour.class, context).name()));

        assertThat(end.reason().toString()).contains("hands over to expert");
        assertThat(model.prompts()).isEmpty();
    }

    @Test
    void toolsAreUsedOneAfterTheOther() {
        Tool look = Tools.of("look", "Looks", Nothing.class, none -> "It is red.");
        ScriptedModel model =
                new ScriptedModel(
                        Turn.calls(
                                new ToolCall("1", "look", "{}"),
                                new ToolCall("2", "missing", "{}")),
                        Turn.says("{\"name\":\"red\",\"shade\":3}"));
        Agent agent = painter(model).tools(look).build();

        Status.Finished<Told> end =
                run(graph(context -> agent.answer("Which?", Colour.class, context).name()));

        assertThat(end.state().text()).isEqualTo("red");
        assertThat(model.prompts().getLast().messages().toString()).contains("It is red.");
    }

    @Test
    void answersThatCannotBeUsedAreAFailureOfTheModelThatTellsTheLastProblem() {
        Turn dark = Turn.says("{\"name\":\"red\",\"shade\":12}");
        Agent agent = painter(new ScriptedModel(dark, dark)).mostRepairs(1).build();

        Status.Finished<Told> end =
                run(graph(context -> agent.answer("Which?", Colour.class, context).name()));

        assertThat(end.reason())
                .isEqualTo(
                        new StopReason.ModelFailed(
                                "scripted:model",
                                "None of 2 answers could be used. The last one: The shade is too dark"));
    }

    @Test
    void aTaskThatAGuardrailBlocksIsNotAsked() {
        ScriptedModel model = new ScriptedModel();
        Agent agent =
                painter(model)
                        .guardrails(
                                Guardrails.of(
                                        List.of(
                                                Guardrails.deny(
                                                        "words",
                                                        java.util.regex.Pattern.compile("blue")))))
                        .build();

        Status.Finished<Told> end =
                run(graph(context -> agent.answer("Is it blue?", Colour.class, context).name()));

        assertThat(end.reason()).isInstanceOf(StopReason.GuardrailTripped.class);
        assertThat(model.prompts()).isEmpty();
    }

    @Test
    void aNumberThatDoesNotFitGoesBack() {
        ScriptedModel model =
                new ScriptedModel(
                        Turn.says("{\"name\":\"red\",\"shade\":99999999999}"),
                        Turn.says("{\"name\":\"red\",\"shade\":1}"));

        Status.Finished<Told> end =
                run(
                        graph(context ->
                                painter(model)
                                        .build()
                                        .answer("Which?", Colour.class, context)
                                        .name()));

        assertThat(end.state().text()).isEqualTo("red");
        assertThat(model.prompts()).hasSize(2);
    }

    @Test
    void onlyItsOwnRecordCanBeAskedFor() {
        Agent agent = painter(new ScriptedModel()).build();
        Status.Finished<Told> end =
                run(graph(context -> agent.answer("Which?", Told.class, context).text()));
        assertThat(end.reason())
                .isInstanceOfSatisfying(
                        StopReason.Failed.class,
                        failed -> assertThat(failed.problem()).contains("cannot answer"));
    }

    @Test
    void aRouteBeginsFurtherUpAndKeepsItsLargest() {
        Model one = new ScriptedModel();
        Model two = new ScriptedModel();
        Route route = Route.of(one, two);
        assertThat(route.from(0)).isEqualTo(route);
        assertThat(route.from(1).models()).containsExactly(two);
        assertThat(route.from(7).models()).containsExactly(two);
        assertThatThrownBy(() -> route.from(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void experienceIsAskedAndAddedToWithinANode(@TempDir Path home) {
        Graph<Told> graph;
        Status.Finished<Told> end;
        try (Memories memories = Memories.inFile(home.resolve("memory.db"), new WordEmbedder())) {
            Experience past = new Experience(memories.tenant("me"), "painter");
            graph =
                    graph(context -> {
                        String before = past.similar("Paint the door", "It drips", 3, context);
                        past.learn(
                                new Episode(
                                        "Paint the door",
                                        "It drips",
                                        "Use less",
                                        "completed",
                                        context.run()),
                                context);
                        return before + "|" + past.similar("Paint a door", "It drips", 3, context);
                    });
            end = run(graph);
        }
        assertThat(end.state().text()).startsWith("|<recalled-memory>").contains("fix: Use less");
        // The memory is closed by now: what was found is in the record.
        assertThat(runs.replay(graph, end.run()).isFaithful()).isTrue();
    }
}
