package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.agent.support.Script;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.run.Budget;
import dev.glovebox.run.Price;
import dev.glovebox.run.Prices;
import dev.glovebox.run.Replay;
import dev.glovebox.run.Resource;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.StopReason;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event.NodeFinished;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TeamTest {

    private static final Termination NEVER = Termination.messages(1_000);

    @TempDir private Path keys;
    private final List<ScriptedModel> models = new CopyOnWriteArrayList<>();
    private Trace trace;
    private Runs runs;

    @BeforeEach
    void open() {
        trace = Trace.open(new MemoryStore(), keys);
        runs = Runs.in(trace);
    }

    @AfterEach
    void close() {
        runs.close();
        trace.close();
        assertThat(models).flatExtracting(ScriptedModel::problems).isEmpty();
    }

    private Agent saying(String name, String... texts) {
        return Agent.named(name, says(texts)).build();
    }

    private ScriptedModel says(String... texts) {
        return scripted(List.of(texts).stream().map(Turn::says).toArray(Turn[]::new));
    }

    private ScriptedModel scripted(Turn... turns) {
        return scripted(Script.of(turns));
    }

    private ScriptedModel scripted(Script script) {
        ScriptedModel model = new ScriptedModel(script);
        models.add(model);
        return model;
    }

    private TeamResult run(Team team) {
        TeamResult result = team.run(runs, "Write a poem.");
        Replay replay = runs.replay(team.graph(), result.run());
        assertThat(replay.divergence()).isEmpty();
        assertThat(replay.isFaithful()).isTrue();
        return result;
    }

    private static List<String> speakers(TeamResult result) {
        return result.discussion().said().stream().map(Discussion.Said::agent).toList();
    }

    @Test
    void inASequenceEachKnowsWhatWasSaidBefore() {
        ScriptedModel last = says("Roses are red, and so on.");
        Team team =
                Team.sequence(
                        "poets", saying("planner", "Roses."), Agent.named("poet", last).build());

        TeamResult result = run(team);

        assertThat(result.text()).isEqualTo("Roses are red, and so on.");
        assertThat(speakers(result)).containsExactly("planner", "poet");
        assertThat(last.prompts().getFirst().messages().getFirst().text())
                .contains("Write a poem.", "[planner]", "Roses.");
        assertThat(team.graph().mermaid()).contains("planner", "poet");
    }

    @Test
    void atOnceNobodyWaitsForTheOthersAndOneTextIsMadeOfAll() {
        CyclicBarrier together = new CyclicBarrier(2);
        Script meeting =
                Script.answering(asked -> {
                    assertThat(asked).doesNotContain("What was said");
                    return Turn.says("a line");
                });
        Model one = new Meeting(together, scripted(meeting));
        Model other = new Meeting(together, scripted(meeting));
        Team team =
                Team.parallel(
                        "poets",
                        said ->
                                said.stream()
                                        .map(turn -> turn.agent() + ": " + turn.text())
                                        .collect(Collectors.joining("\n")),
                        Agent.named("one", one).build(),
                        Agent.named("other", other).build());

        assertThat(run(team).text()).isEqualTo("one: a line\nother: a line");
    }

    /** A model that answers only when another one is asked too. */
    private record Meeting(CyclicBarrier together, Model model) implements Model {

        @Override
        public String name() {
            return model.name();
        }

        @Override
        public Reply ask(Prompt prompt, Duration within, Consumer<String> words)
                throws InterruptedException {
            try {
                together.await();
            } catch (BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
            return model.ask(prompt, within, words);
        }
    }

    @Test
    void anAgentCanMakeOneTextOfAll() {
        ScriptedModel editor = says("The best of both.");
        Team team =
                Team.parallel(
                        "poets",
                        Agent.named("editor", editor).build(),
                        saying("one", "this"),
                        saying("other", "that"));

        TeamResult result = run(team);

        assertThat(result.text()).isEqualTo("The best of both.");
        assertThat(editor.prompts().getFirst().messages().getFirst().text())
                .contains("[one]\n> this", "[other]\n> that");
    }

    @Test
    void inTurnTheySpeakUntilACondition() {
        Team team =
                Team.roundRobin(
                        "critics",
                        Termination.text("APPROVED").or(Termination.messages(20)),
                        saying("writer", "draft", "better draft"),
                        saying("critic", "no", "approved"));

        TeamResult result = run(team);

        assertThat(result.isCompleted()).isTrue();
        assertThat(speakers(result)).containsExactly("writer", "critic", "writer", "critic");
        assertThat(result.discussion().ended()).contains("'APPROVED' was said");
    }

    @Test
    void aModelPicksWhoSpeaksAndNonsenseMeansTheNextInTurn() {
        ScriptedModel leader =
                says("I think **critic** should go.", "the pope", "writer or critic?", "DONE");
        Team team =
                Team.selector(
                        "critics",
                        Route.of(leader),
                        NEVER,
                        saying("writer", "a draft", "unused"),
                        saying("critic", "show me something", "fine"));

        TeamResult result = run(team);

        assertThat(speakers(result)).containsExactly("critic", "writer", "critic");
        assertThat(result.discussion().ended()).contains("the task is done");
    }

    @Test
    void aLeaderThatFailsDoesNotEndTheTeam() {
        ScriptedModel leader = scripted(Turn.fails(401, "no key"), Turn.says("done"));
        Team team = Team.selector("critics", Route.of(leader), NEVER, saying("writer", "a draft"));

        assertThat(speakers(run(team))).containsExactly("writer");
    }

    @Test
    void aNameThatALeaderCouldNotPickIsRefused() {
        Route leader = Route.of(says("unused"));
        assertThatThrownBy(() -> Team.selector("led", leader, NEVER, saying("Done")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Done")
                .hasMessageContaining("a task that is done");
        assertThatThrownBy(() ->
                        Team.selector("led", leader, NEVER, saying("critic"), saying("Critic")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Critic");
    }

    @Test
    void whoeverHasTheTaskCanHandItOver() {
        Agent desk =
                Agent.named(
                                "desk",
                                scripted(Turn.calls("transfer_to_expert", "{\"reason\":\"hard\"}")))
                        .handoffs("expert")
                        .build();
        Agent expert =
                Agent.named("expert", scripted(Turn.says("It is solved.")))
                        .handoffs("desk")
                        .build();
        Team team = Team.handoff("support", NEVER, desk, expert);

        TeamResult result = run(team);

        assertThat(speakers(result)).containsExactly("desk", "expert");
        assertThat(result.text()).isEqualTo("It is solved.");
    }

    @Test
    void nobodyIsHandedATaskWhoIsNotInTheTeam() {
        Agent desk = Agent.named("desk", says("x")).handoffs("expert").build();
        assertThatThrownBy(() -> Team.handoff("support", NEVER, desk))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expert");
    }

    @Test
    void twoWhoHandOverToEachOtherForEverAreStopped() {
        Script pass = Script.answering(asked -> Turn.calls("transfer_to_right", "{}"));
        Script back = Script.answering(asked -> Turn.calls("transfer_to_left", "{}"));
        Agent left = Agent.named("left", scripted(pass)).handoffs("right").build();
        Agent right = Agent.named("right", scripted(back)).handoffs("left").build();

        TeamResult result = run(Team.handoff("ping", NEVER, left, right));

        assertThat(result.stop()).isEqualTo(new StopReason.AttemptsExhausted(Team.MOST_TURNS));
    }

    @Test
    void whenOneFailsTheTeamSaysWhy() {
        Agent broken = Agent.named("broken", scripted(Turn.fails(401, "no key"))).build();

        TeamResult result =
                run(Team.sequence("poets", saying("planner", "Roses."), broken, saying("x", "x")));

        assertThat(result.stop()).isInstanceOf(StopReason.ModelFailed.class);
        assertThat(speakers(result)).containsExactly("planner", "broken");
    }

    private static RunOptions modelCalls(int most) {
        return RunOptions.titled("x").budget(Budget.unlimited().modelCalls(most));
    }

    private void assertStopped(Team team, int most, String... speakers) {
        TeamResult result = team.run(runs, "Write a poem.", modelCalls(most));

        assertThat(result.stop())
                .isEqualTo(new StopReason.BudgetExhausted(Resource.MODEL_CALLS, most));
        assertThat(speakers(result)).containsExactly(speakers);
        assertThat(result.spent().modelCalls()).isEqualTo(most);
        assertThat(runs.replay(team.graph(), result.run()).isFaithful()).isTrue();
    }

    @Test
    void aBudgetIsForTheWholeTeamAndStopsItWithWhatWasSaid() {
        assertStopped(
                Team.sequence("line", saying("one", "a"), saying("two", "b"), saying("three")),
                2,
                "one",
                "two");
        assertStopped(
                Team.roundRobin("ring", NEVER, saying("one", "a", "c"), saying("two", "b")),
                3,
                "one",
                "two",
                "one");
    }

    @Test
    void whoPicksTheSpeakersSpendsOfTheSameBudget() {
        Team team =
                Team.selector(
                        "led",
                        Route.of(says("two", "one")),
                        NEVER,
                        saying("one"),
                        saying("two", "b"));

        assertStopped(team, 3, "two");
    }

    @Test
    void whoPicksTheSpeakersCostsWhatAnyOfThemKnows() {
        Prices known = Prices.listed().with("scripted:model", Price.of("1000", "1000", "1000"));
        Agent two = Agent.named("two", says("b")).prices(known).build();
        Team team = Team.selector("led", Route.of(says("DONE")), NEVER, saying("one"), two);

        assertThat(run(team).spent().microDollars()).isPositive();
    }

    @Test
    void thoseWhoHandOverSpendOfTheSameBudget() {
        Agent left =
                Agent.named("left", scripted(Turn.calls("transfer_to_right", "{}")))
                        .handoffs("right")
                        .build();
        Agent right =
                Agent.named("right", scripted(Turn.calls("transfer_to_left", "{}")))
                        .handoffs("left")
                        .build();

        assertStopped(Team.handoff("ping", NEVER, left, right), 2, "left", "right");
    }

    @Test
    void thoseWhoWorkAtOnceSpendOfTheSameBudget() {
        Team team = Team.parallel("both", saying("editor"), saying("one", "a"), saying("two", "b"));

        assertStopped(team, 2, "one", "two");
    }

    private record Nothing() {}

    /** Comes back when the turn of somebody is on record. */
    private Tool waiting(String agent) {
        return Tools.of(
                "wait",
                "Waits for " + agent,
                Nothing.class,
                (nothing, input) -> {
                    String run = input.key().substring(0, input.key().indexOf('/'));
                    while (!hasSpoken(agent, run)) {
                        Thread.onSpinWait();
                    }
                    return agent + " has spoken";
                });
    }

    private boolean hasSpoken(String agent, String run) {
        try (Stream<Entry> entries = trace.entries(run, 0)) {
            return entries.map(Entry::event)
                    .anyMatch(event ->
                            event instanceof NodeFinished end
                                    && end.path().equals("together#1/" + agent));
        }
    }

    @Test
    void whoHasSpokenIsHeardWhenABudgetEndsTheOthersBesideThem() {
        Agent quick = saying("quick", "a line");
        Agent slow =
                Agent.named("slow", scripted(Turn.calls("wait", "{}"), Turn.says("never")))
                        .tools(waiting("quick"))
                        .build();

        assertStopped(Team.parallel("both", saying("editor"), slow, quick), 2, "quick");
    }
}
