package dev.glovebox.cli;

import dev.glovebox.run.Budget;
import dev.glovebox.run.Prices;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The options that bound what is spent on models. */
final class BudgetOptions {

    private static final String DOLLARS = "--budget";
    private static final String TOKENS = "--tokens";
    private static final BigDecimal MOST_DOLLARS = new BigDecimal("1000000");
    private static final int MICRO = 6;
    private static final int CENTS = 2;

    private BudgetOptions() {}

    /**
     * Adds them.
     *
     * @param whole what they bound
     */
    static void addTo(CommandSpec spec, String whole) {
        spec.addOption(
                        Options.one(
                                DOLLARS,
                                "DOLLARS",
                                "The most that models may cost in %s, such as 0.50, by the prices that"
                                                .formatted(whole)
                                        + " vendors list."))
                .addOption(
                        Options.one(
                                TOKENS,
                                "N",
                                "The most tokens that models may read and write in %s."
                                        .formatted(whole)));
    }

    /**
     * What may be spent.
     *
     * @param models that will be asked
     * @throws BadInput if that is no amount, or nobody knows what one of the models costs
     */
    static Budget of(ParseResult parsed, List<String> models) {
        Budget budget = Budget.unlimited();
        @Nullable String tokens = Options.one(parsed, TOKENS);
        if (tokens != null) {
            budget = budget.tokens(tokens(tokens));
        }
        @Nullable String dollars = Options.one(parsed, DOLLARS);
        if (dollars != null) {
            budget = budget.dollars(dollars(dollars).toPlainString());
            models.forEach(BudgetOptions::checkPrice);
        }
        return budget;
    }

    private static long tokens(String text) {
        try {
            long number = Long.parseLong(text);
            if (number > 0) {
                return number;
            }
            throw new NumberFormatException();
        } catch (NumberFormatException e) {
            throw new BadInput(TOKENS + " wants a number above 0, not '" + text + "'", e);
        }
    }

    private static BigDecimal dollars(String text) {
        try {
            BigDecimal amount = new BigDecimal(text);
            if (amount.signum() > 0
                    && amount.scale() <= MICRO
                    && amount.compareTo(MOST_DOLLARS) <= 0) {
                return amount;
            }
            throw new NumberFormatException();
        } catch (NumberFormatException e) {
            throw new BadInput(
                    DOLLARS + " wants an amount of dollars such as 0.50, not '" + text + "'", e);
        }
    }

    private static void checkPrice(String model) {
        if (Prices.listed().of(model).isEmpty()) {
            throw new BadInput(
                    "Nobody here knows what %s costs, so %s cannot be kept; %s N can"
                            .formatted(model, DOLLARS, TOKENS));
        }
    }

    /** An amount, for people. */
    static String dollars(long millionths) {
        BigDecimal amount = BigDecimal.valueOf(millionths, MICRO).stripTrailingZeros();
        return "$" + amount.setScale(Math.max(CENTS, amount.scale())).toPlainString();
    }
}
