package dev.glovebox.run;

import java.math.BigDecimal;

/**
 * What a model costs, in dollars for a million tokens.
 *
 * @param input of what it reads
 * @param cached of what it reads and the vendor remembers
 * @param written of what it reads and the vendor will remember
 * @param output of what it writes
 */
public record Price(BigDecimal input, BigDecimal cached, BigDecimal written, BigDecimal output) {

    private static final int MILLION = 6;

    public static Price of(String input, String cached, String output) {
        BigDecimal plain = new BigDecimal(input);
        return new Price(plain, new BigDecimal(cached), plain, new BigDecimal(output));
    }

    /** The same price, with one of its own for what the vendor is asked to remember. */
    public Price written(String price) {
        return new Price(input, cached, new BigDecimal(price), output);
    }

    /**
     * The cost of one call.
     *
     * @param inputTokens all that it reads, with those that are cached or written
     */
    public Cost cost(long inputTokens, long cachedTokens, long writtenTokens, long outputTokens) {
        BigDecimal dollars =
                input.multiply(BigDecimal.valueOf(inputTokens - cachedTokens - writtenTokens))
                        .add(cached.multiply(BigDecimal.valueOf(cachedTokens)))
                        .add(written.multiply(BigDecimal.valueOf(writtenTokens)))
                        .add(output.multiply(BigDecimal.valueOf(outputTokens)))
                        .movePointLeft(MILLION);
        return Cost.NONE.tokens(inputTokens + outputTokens).dollars(dollars).modelCalls(1);
    }
}
