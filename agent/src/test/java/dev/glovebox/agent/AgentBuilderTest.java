package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.run.Runs;
import dev.glovebox.run.StopReason;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be built, and that it stays what it is. */
class AgentBuilderTest {

    @TempDir private Path keys;

    private TaskResult run(Agent agent, String task) {
        try (Trace trace = Trace.open(new MemoryStore(), keys);
                Runs runs = Runs.in(trace)) {
            return agent.run(runs, task);
        }
    }

    @Test
    void anAgentStaysAsItWasBuiltWhenItsBuilderIsUsedAgain() {
        ScriptedModel model = new ScriptedModel(Turn.says("One."), Turn.says("Two."));
        Agent.Builder builder =
                Agent.named("clerk", model)
                        .description("careful")
                        .instructions("FIRST")
                        .mostTurns(3);
        Agent first = builder.build();
        Agent second =
                builder.description("hasty")
                        .instructions("SECOND")
                        .mostTokens(7)
                        .validators(Validators.rule("never", text -> false))
                        .mostRepairs(0)
                        .delegates(Agent.named("other", new ScriptedModel()).build())
                        .build();

        assertThat(run(first, "Go.").stop()).isEqualTo(new StopReason.Completed());
        assertThat(run(second, "Go.").stop()).isEqualTo(new StopReason.AttemptsExhausted(1));

        Prompt asked = model.prompts().getFirst();
        assertThat(asked.instructions()).isEqualTo("FIRST");
        assertThat(asked.mostTokens()).isEqualTo(Prompt.TOKENS);
        assertThat(asked.tools()).isEmpty();
        assertThat(first.description()).isEqualTo("careful");
        assertThat(model.prompts().getLast().instructions()).isEqualTo("SECOND");
        assertThat(model.prompts().getLast().mostTokens()).isEqualTo(7);
    }

    @Test
    void nobodyTakesTheGuardrailsOfAnAgentAway() {
        Agent.Builder builder =
                Agent.named("clerk", new ScriptedModel())
                        .guardrails(
                                Guardrails.of(
                                        List.of(
                                                Guardrails.deny(
                                                        "manners", Pattern.compile("damn")))));
        Agent guarded = builder.build();
        Agent other = builder.guardrails(Guardrails.none()).build();

        assertThat(other.name()).isEqualTo("clerk");
        assertThat(run(guarded, "Do the damn thing.").stop())
                .isInstanceOf(StopReason.GuardrailTripped.class);
    }

    @Test
    void limitsThatNothingCanKeepAreRefusedWhereTheyAreSet() {
        Agent.Builder builder = Agent.named("clerk", new ScriptedModel());
        ToolTraits traits = ToolTraits.standard();
        assertRefused(() -> builder.mostTurns(0), "mostTurns: at least 1, not 0");
        assertRefused(() -> builder.mostRepairs(-1), "mostRepairs: at least 0, not -1");
        assertRefused(() -> builder.mostTokens(-1), "mostTokens: at least 1, not -1");
        assertRefused(() -> builder.mostTokens(0), "mostTokens: at least 1, not 0");
        assertRefused(
                () -> builder.answerWithin(Duration.ZERO),
                "answerWithin: more than no time, not PT0S");
        assertRefused(
                () -> builder.answerWithin(Duration.ofSeconds(-1)),
                "answerWithin: more than no time, not PT-1S");
        assertRefused(() -> Termination.messages(0), "messages: at least 1, not 0");
        assertRefused(() -> Termination.tokens(-5), "tokens: at least 1, not -5");
        assertRefused(
                () -> Termination.time(Duration.ofSeconds(-1)), "time: none or more, not PT-1S");
        assertRefused(() -> traits.within(Duration.ZERO), "within: more than no time, not PT0S");
        assertRefused(() -> traits.mostBytes(0), "mostBytes: at least 1, not 0");
        assertRefused(
                () -> McpOptions.standard().within(Duration.ZERO),
                "within: more than no time, not PT0S");
    }

    private static void assertRefused(ThrowableAssert.ThrowingCallable set, String message) {
        assertThatThrownBy(set).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    @Test
    void theLeastThatMakesSenseIsEnough() {
        ScriptedModel model = new ScriptedModel(Turn.says("x"));
        Agent agent =
                Agent.named("clerk", model)
                        .mostTurns(1)
                        .mostRepairs(0)
                        .mostTokens(1)
                        .answerWithin(Duration.ofSeconds(1))
                        .build();

        assertThat(run(agent, "Go.").text()).isEqualTo("x");
    }

    @Test
    void whoHandsOverIsTakenOnlyWhereSomebodyTakesOver() {
        Agent desk = Agent.named("desk", new ScriptedModel()).handoffs("expert").build();
        Agent expert = Agent.named("expert", new ScriptedModel()).build();
        Termination end = Termination.messages(9);
        String refused =
                "desk hands over to expert, but nobody is handed anything in the team t:"
                        + " leave out its hand-offs, or make the team by Team.handoff";
        assertRefused(() -> Team.sequence("t", expert, desk), refused);
        assertRefused(() -> Team.parallel("t", said -> "", expert, desk), refused);
        assertRefused(() -> Team.parallel("t", expert, desk), refused);
        assertRefused(() -> Team.parallel("t", desk, expert), refused);
        assertRefused(() -> Team.roundRobin("t", end, desk, expert), refused);
        assertRefused(
                () -> Team.selector("t", Route.of(new ScriptedModel()), end, desk, expert),
                refused);
        assertRefused(
                () -> Agent.named("boss", new ScriptedModel()).delegates(desk),
                "desk hands over to expert, and cannot be a delegate of boss: hand-offs are for"
                        + " Team.handoff");
        assertThat(Team.handoff("t", end, desk, expert).graph().name()).isEqualTo("t");
    }
}
