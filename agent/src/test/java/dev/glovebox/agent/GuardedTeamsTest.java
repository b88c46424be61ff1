package dev.glovebox.agent;

import static dev.glovebox.agent.GuardedSideDoorsTest.HARMFUL;
import static dev.glovebox.agent.GuardedSideDoorsTest.PASSED;
import static dev.glovebox.agent.GuardedSideDoorsTest.assertHarmless;
import static dev.glovebox.agent.GuardedSideDoorsTest.guarded;
import static dev.glovebox.agent.GuardedSideDoorsTest.lastRead;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.GuardedAgentTest.Written;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.run.Runs;
import dev.glovebox.run.StopReason;
import dev.glovebox.trace.Trace;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What agents of a team say to each other is guarded as messages. */
class GuardedTeamsTest {

    @TempDir private Path keys;

    private final Written store = new Written();

    private TeamResult run(Team team, String task) {
        try (Trace trace = Trace.open(store, keys);
                Runs runs = Runs.in(trace)) {
            TeamResult result = team.run(runs, task);
            assertThat(runs.replay(team.graph(), result.run()).divergence()).isEmpty();
            return result;
        }
    }

    @Test
    void whatOthersInATeamSaidAreMessagesAndNoPartOfTheTask() {
        ScriptedModel model = new ScriptedModel(Turn.says("Fine."));
        Team team =
                Team.sequence(
                        "poets",
                        Agent.named("poet", new ScriptedModel(Turn.says(HARMFUL))).build(),
                        guarded("critic", model).build());

        assertThat(run(team, "Write a poem.").text()).isEqualTo("Fine.");

        assertHarmless(model);
        assertThat(lastRead(model)).startsWith("Write a poem.").contains("[poet]\n> <data-");
        assertThat(store.text()).contains("guardrail injection, message: changed");
    }

    @Test
    void whatOthersInATeamSaidIsNotJudgedAsTheTask() {
        Guardrails names =
                Guardrails.none()
                        .with(
                                Guardrails.deny("names", Pattern.compile("heron")),
                                Guardrail.Point.TASK);
        ScriptedModel critic = new ScriptedModel(Turn.says("Fine."));
        Team team =
                Team.sequence(
                        "line",
                        Agent.named("poet", new ScriptedModel(Turn.says("I saw a heron."))).build(),
                        Agent.named("critic", critic).guardrails(names).build());

        assertThat(run(team, "Write.").text()).isEqualTo("Fine.");
        assertThat(lastRead(critic))
                .isEqualTo(
                        "Write.\n\nWhat was said so far, each line of it behind a >:\n\n[poet]\n> I saw a heron.");
        assertThat(run(team, "Write of a heron.").stop())
                .isInstanceOf(StopReason.GuardrailTripped.class);
    }

    @Test
    void messagesEachOfWhichIsSmallEnoughAreSoTogether() {
        String much = "word ".repeat(120_000);
        ScriptedModel last = new ScriptedModel(Turn.says("Fine."));
        Team team =
                Team.sequence(
                        "line",
                        Agent.named("one", new ScriptedModel(Turn.says(much))).build(),
                        Agent.named("two", new ScriptedModel(Turn.says(much))).build(),
                        guarded("three", last).build());

        assertThat(run(team, "Write.").text()).isEqualTo("Fine.");
    }

    @Test
    void whoPicksTheNextSpeakerReadsWhatWasSaidAsMessages() {
        ScriptedModel leader = new ScriptedModel(Turn.says("poet"), Turn.says("DONE"));
        Team team =
                Team.selector(
                        "poets",
                        Route.of(leader),
                        Termination.messages(20),
                        Agent.named("poet", new ScriptedModel(Turn.says(HARMFUL))).build(),
                        guarded("critic", new ScriptedModel()).build());

        assertThat(run(team, "Write a poem.").isCompleted()).isTrue();

        assertHarmless(leader);
        assertThat(lastRead(leader)).contains("[poet]\n> <data-");
    }

    @Test
    void whatWasSaidThatIsBlockedIsWithheldFromTheNext() {
        ScriptedModel model = new ScriptedModel(Turn.says("Fine."));
        Agent critic =
                Agent.named("critic", model)
                        .guardrails(
                                Guardrails.none()
                                        .with(Guardrails.deny("manners", Pattern.compile("damn"))))
                        .build();
        Team team =
                Team.sequence(
                        "poets",
                        Agent.named("poet", new ScriptedModel(Turn.says("damn"))).build(),
                        critic);

        assertThat(run(team, "Write a poem.").text()).isEqualTo("Fine.");

        assertThat(lastRead(model)).contains("> [withheld: manners").doesNotContain("damn");
    }

    @Test
    void verdictsAreOnRecordAlsoWhereMessagesAndProblemsPass() {
        ScriptedModel leader =
                new ScriptedModel(Turn.says("poet"), Turn.says("critic"), Turn.says("DONE"));
        Agent critic =
                guarded("critic", new ScriptedModel(Turn.says("Bad."), Turn.says("Fine.")))
                        .validators((answer, _) ->
                                answer.equals("Bad.") ? Optional.of("Be kind") : Optional.empty())
                        .build();
        Team team =
                Team.selector(
                        "poets",
                        Route.of(leader),
                        Termination.messages(20),
                        Agent.named("poet", new ScriptedModel(Turn.says("A poem."))).build(),
                        critic);

        assertThat(run(team, "Write.").text()).isEqualTo("Fine.");

        assertThat(store.text())
                .contains(
                        PASSED + "task: pass",
                        PASSED + "message: pass",
                        PASSED + "tool-result: pass");
    }
}
