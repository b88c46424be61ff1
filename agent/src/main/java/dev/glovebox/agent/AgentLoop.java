package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Context;
import dev.glovebox.run.EffectFailed;
import dev.glovebox.run.Graph;
import dev.glovebox.run.Stop;
import dev.glovebox.run.StopReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What an agent does: its model thinks, tools act, and the answer is checked. */
final class AgentLoop {

    private static final String THINK = "think";
    private static final String ACT = "act";
    private static final String CHECK = "check";
    private static final String GIVE_UP = "give-up";

    private final Agent.Builder parts;
    private final Acting acting;
    private final List<ToolOffer> offers;
    private final Optional<JsonNode> schema;
    private final List<Validator> validators;

    AgentLoop(Agent.Builder parts) {
        this.parts = parts;
        this.acting = new Acting(parts.name, parts.tools, parts.delegates);
        this.offers = parts.tools.offers();
        Optional<ObjectNode> output = parts.output.map(ParameterSchema::of);
        this.schema = output.map(JsonNode.class::cast);
        this.validators = new ArrayList<>();
        output.map(JsonAnswer::new).ifPresent(validators::add);
        validators.addAll(parts.validators);
    }

    /** For a run of its own, which stops when it fails. */
    Graph<Conversation> graph() {
        return nodes(GIVE_UP)
                .node(
                        GIVE_UP,
                        (talk, context) -> {
                            throw new Stop(talk.failure().orElseThrow());
                        })
                .edge(GIVE_UP, Graph.END)
                .build();
    }

    /** For a part of another graph. */
    Graph<Conversation> inner() {
        return nodes(Graph.END).build();
    }

    private Graph.Builder<Conversation> nodes(String failed) {
        Graph.Builder<Conversation> graph =
                Graph.of(parts.name, Conversation.class)
                        .node(THINK, this::think)
                        .choose(
                                THINK,
                                talk -> next(talk, failed, talk.pending().isEmpty() ? CHECK : ACT),
                                ACT,
                                CHECK,
                                failed,
                                Graph.END)
                        .node(CHECK, this::check)
                        .choose(
                                CHECK,
                                talk -> next(talk, failed, talk.isOpen() ? THINK : Graph.END),
                                THINK,
                                failed,
                                Graph.END)
                        .choose(ACT, talk -> next(talk, failed, THINK), THINK, failed, Graph.END)
                        .mostVisits(Integer.MAX_VALUE);
        return acting.into(graph, ACT);
    }

    private static String next(Conversation talk, String failed, String otherwise) {
        if (talk.failure().isPresent()) {
            return failed;
        }
        return talk.isOver() ? Graph.END : otherwise;
    }

    private Conversation think(Conversation before, Context context) {
        if (before.isOver()) {
            return before;
        }
        if (before.turns() > 0) {
            Optional<String> why = over(before, context);
            if (why.isPresent()) {
                return before.ended(why);
            }
        }
        if (before.turns() >= parts.mostTurns) {
            return before.failed(new StopReason.AttemptsExhausted(parts.mostTurns));
        }
        Conversation talk = begun(before, context);
        while (true) {
            Model model = parts.route.at(talk.level());
            try {
                Conversation after = talk.heard(context.perform(call(model, talk)));
                return after.ended(over(after, context));
            } catch (EffectFailed e) {
                if (!parts.route.hasLarger(talk.level())) {
                    return talk.failed(new StopReason.ModelFailed(model.name(), e.getMessage()));
                }
                talk = talk.larger();
            }
        }
    }

    private Conversation begun(Conversation talk, Context context) {
        return talk.began().isEmpty() && parts.until.filter(Termination::needsTime).isPresent()
                ? talk.since(context.now())
                : talk;
    }

    private ModelCall call(Model model, Conversation talk) {
        Prompt prompt =
                new Prompt(parts.instructions, talk.messages(), offers, schema, parts.mostTokens);
        return new ModelCall(
                model,
                prompt,
                parts.name,
                parts.prices.of(model.name()),
                parts.answerWithin,
                words -> parts.words.said(parts.name, words));
    }

    private Optional<String> over(Conversation talk, Context context) {
        return parts.until.flatMap(condition -> condition.reached(talk, context));
    }

    private Conversation check(Conversation talk, Context context) {
        Optional<String> problem = problem(talk, context);
        if (problem.isEmpty()) {
            return talk;
        }
        if (talk.repairs() >= parts.mostRepairs) {
            return talk.failed(new StopReason.AttemptsExhausted(talk.repairs() + 1));
        }
        return talk.sentBack(problem.get());
    }

    private Optional<String> problem(Conversation talk, Context context) {
        if (talk.isCut()) {
            return Optional.of("The answer was cut off since it is too long. Give a shorter one.");
        }
        if (talk.answer().isBlank()) {
            return Optional.of("The answer was empty.");
        }
        return validators.stream()
                .flatMap(validator -> validator.problem(talk.answer(), context).stream())
                .findFirst();
    }
}
