package dev.glovebox.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** How much of each {@link Resource} something takes. */
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record Cost(
        long tokens, long microDollars, long modelCalls, long toolCalls, long sandboxMillis) {

    public static final Cost NONE = new Cost(0, 0, 0, 0, 0);

    private static final int MICRO = 6;

    public Cost {
        if (tokens < 0
                || microDollars < 0
                || modelCalls < 0
                || toolCalls < 0
                || sandboxMillis < 0) {
            throw new IllegalArgumentException("A cost below zero");
        }
    }

    public Cost tokens(long tokens) {
        return new Cost(tokens, microDollars, modelCalls, toolCalls, sandboxMillis);
    }

    /** An amount such as {@code 0.25}; what is less than a millionth is rounded up. */
    public Cost dollars(BigDecimal dollars) {
        return microDollars(
                dollars.movePointRight(MICRO).setScale(0, RoundingMode.CEILING).longValueExact());
    }

    public Cost microDollars(long microDollars) {
        return new Cost(tokens, microDollars, modelCalls, toolCalls, sandboxMillis);
    }

    public Cost modelCalls(long modelCalls) {
        return new Cost(tokens, microDollars, modelCalls, toolCalls, sandboxMillis);
    }

    public Cost toolCalls(long toolCalls) {
        return new Cost(tokens, microDollars, modelCalls, toolCalls, sandboxMillis);
    }

    public Cost sandbox(Duration time) {
        return new Cost(tokens, microDollars, modelCalls, toolCalls, time.toMillis());
    }

    public Cost plus(Cost other) {
        return new Cost(
                saturatedSum(tokens, other.tokens),
                saturatedSum(microDollars, other.microDollars),
                saturatedSum(modelCalls, other.modelCalls),
                saturatedSum(toolCalls, other.toolCalls),
                saturatedSum(sandboxMillis, other.sandboxMillis));
    }

    /** What is left of this when the other is taken away; never less than nothing. */
    public Cost minus(Cost other) {
        return new Cost(
                Math.max(0, tokens - other.tokens),
                Math.max(0, microDollars - other.microDollars),
                Math.max(0, modelCalls - other.modelCalls),
                Math.max(0, toolCalls - other.toolCalls),
                Math.max(0, sandboxMillis - other.sandboxMillis));
    }

    // Whoever has no limit has so much that adding to it must not come out below zero.
    private static long saturatedSum(long one, long two) {
        return one > Long.MAX_VALUE - two ? Long.MAX_VALUE : one + two;
    }
}
