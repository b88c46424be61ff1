package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OutcomeJsonTest {

    static List<Outcome> outcomes() {
        return List.of(
                new Outcome.Exited(3),
                new Outcome.Signalled(11),
                new Outcome.TimedOut(Duration.ofMillis(1500)),
                new Outcome.LimitHit(Limit.CPU_TIME, 30_000, 30_012),
                new Outcome.Denied("seccomp", "ptrace"),
                new Outcome.Cancelled("interrupted"),
                new Outcome.NotStarted("there is no such command"),
                new Outcome.Unknown("it killed its own box"));
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void everyOutcomeIsReadAsItWasWritten(Outcome outcome) {
        assertThat(OutcomeJson.read(OutcomeJson.tree(outcome))).isEqualTo(outcome);
    }

    @Test
    void whatIsNoOutcomeIsRefused() {
        assertThatThrownBy(() -> OutcomeJson.read(JsonNodeFactory.instance.objectNode()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void howMuchWasUsedWhenALimitWasHitIsNoDifference() {
        Outcome one = new Outcome.LimitHit(Limit.MEMORY, 100, 101);
        assertThat(OutcomeJson.sameEnding(one, new Outcome.LimitHit(Limit.MEMORY, 100, 150)))
                .isTrue();
        assertThat(OutcomeJson.sameEnding(one, new Outcome.LimitHit(Limit.MEMORY, 200, 201)))
                .isFalse();
        assertThat(OutcomeJson.sameEnding(one, new Outcome.Exited(0))).isFalse();
    }
}
