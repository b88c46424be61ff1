package dev.glovebox.coder;

import dev.glovebox.agent.Agent;
import dev.glovebox.agent.Guardrails;
import dev.glovebox.agent.Route;
import dev.glovebox.agent.Validators;
import dev.glovebox.agent.WordListener;
import dev.glovebox.run.Context;
import dev.glovebox.run.Prices;
import java.util.Optional;
import java.util.function.Function;

/**
 * How roles ask models.
 *
 * @param route the small model first, and larger ones for when it fails
 * @param guardrails for what models are told and what they say
 * @param words gets what they say as they say it
 */
public record ModelAccess(Route route, Guardrails guardrails, Prices prices, WordListener words) {

    /** Complete programs are longer than most answers; older models refuse to be asked for more. */
    private static final int MOST_TOKENS = 8_192;

    /** The first answer, its repairs, and a few calls of tools that there are not. */
    private static final int MOST_TURNS = 8;

    public static ModelAccess of(Route route) {
        return new ModelAccess(route, Guardrails.none(), Prices.listed(), (agent, words) -> {});
    }

    public ModelAccess guardrails(Guardrails all) {
        return new ModelAccess(route, all, prices, words);
    }

    public ModelAccess prices(Prices known) {
        return new ModelAccess(route, guardrails, known, words);
    }

    public ModelAccess words(WordListener listener) {
        return new ModelAccess(route, guardrails, prices, listener);
    }

    /** Without so many of the small models. */
    ModelAccess from(int level) {
        return new ModelAccess(route.from(level), guardrails, prices, words);
    }

    /**
     * Asks for a record; what is wrong with it goes back to the model.
     *
     * @throws dev.glovebox.run.Stop if the models do not come to one
     */
    <T extends Record> T ask(
            String role,
            PromptText instructions,
            String question,
            Class<T> type,
            Function<T, Optional<String>> problem,
            Context context) {
        context.note("The %s works by the instructions %s".formatted(role, instructions.version()));
        return Agent.named(role, route)
                .instructions(instructions.text())
                .output(type)
                .validators(Validators.record(type, problem))
                .guardrails(guardrails)
                .prices(prices)
                .words(words)
                .mostTokens(MOST_TOKENS)
                .mostTurns(MOST_TURNS)
                .build()
                .answer(question, type, context);
    }
}
