package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.run.Runs;
import dev.glovebox.run.StopReason;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
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
}
