package dev.glovebox.run;

import java.math.BigDecimal;

/**
 * What a model costs, in dollars for a million tokens.
 *
 * @param input of what it reads
 * @param cached of what it reads and the vendor remembers
 * @param output of what it writes
 */
public record Price(BigDecimal input, BigDecimal cached, BigDecimal output) {

    private static final int MILLION = 6;

    public static Price of(String input, String cached, String output) {
        return new Price(new BigDecimal(input), new BigDecimal(cached), new BigDecimal(output));
    }

    /**
     * The cost of one call.
     *
     * @param inputTokens all that it reads, with those that are cached
     */
    public Cost cost(long inputTokens, long cachedTokens, long outputTokens) {
        BigDecimal dollars =
                input.multiply(BigDecimal.valueOf(inputTokens - cachedTokens))
                        .add(cached.multiply(BigDecimal.valueOf(cachedTokens)))
                        .add(output.multiply(BigDecimal.valueOf(outputTokens)))
                        .movePointLeft(MILLION);
        return Cost.NONE.tokens(inputTokens + outputTokens).dollars(dollars).modelCalls(1);
    }
}
