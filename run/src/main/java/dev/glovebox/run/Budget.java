package dev.glovebox.run;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * How much a run may use, over all its branches and however often it is resumed.
 *
 * @param most of each resource
 * @param wall how long it may be worked on; the time in which it waits for a person does not count
 */
public record Budget(Cost most, Duration wall) {

    private static final Cost ANYTHING =
            new Cost(
                    Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    private static final Duration LONGEST = Duration.ofDays(36_500);

    public Budget {
        wall = wall.compareTo(LONGEST) > 0 ? LONGEST : wall;
    }

    /** No limits. */
    public static Budget unlimited() {
        return new Budget(ANYTHING, LONGEST);
    }

    public Budget tokens(long tokens) {
        return new Budget(most.tokens(tokens), wall);
    }

    public Budget dollars(String amount) {
        return new Budget(most.dollars(new BigDecimal(amount)), wall);
    }

    public Budget modelCalls(long calls) {
        return new Budget(most.modelCalls(calls), wall);
    }

    public Budget toolCalls(long calls) {
        return new Budget(most.toolCalls(calls), wall);
    }

    public Budget sandbox(Duration time) {
        return new Budget(most.sandbox(time), wall);
    }

    public Budget wall(Duration time) {
        return new Budget(most, time);
    }
}
