package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;

/** What calls of models cost. */
public record StatsCost(long calls, long inputTokens, long outputTokens, long microDollars) {

    static final StatsCost NONE = new StatsCost(0, 0, 0, 0);

    static StatsCost of(JsonNode details) {
        return new StatsCost(
                1,
                number(details.path("inputTokens")),
                number(details.path("outputTokens")),
                number(details.path("cost").path("microDollars")));
    }

    private static long number(JsonNode value) {
        return value.canConvertToLong() ? Math.max(0, value.longValue()) : 0;
    }

    StatsCost plus(StatsCost other) {
        return new StatsCost(
                calls + other.calls,
                inputTokens + other.inputTokens,
                outputTokens + other.outputTokens,
                microDollars + other.microDollars);
    }
}
