package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Context;
import dev.glovebox.run.EffectFailed;
import dev.glovebox.run.Graph;
import dev.glovebox.run.Stop;
import dev.glovebox.run.StopReason;
import java.util.List;
import java.util.Optional;

/** What an agent does: its model thinks, tools act, and the answer is checked. */
final class AgentLoop {

    private static final String THINK = "think";
    private static final String ACT = "act";
    private static final String ACT_AT_ONCE = "act-at-once";
    private static final String CHECK = "check";
    private static final String GIVE_UP = "give-up";
    private static final String VALIDATOR = "validator";
    private static final int LONGEST_PROBLEM = 500;

    private final Agent.Builder parts;
    private final Acting acting;
    private final Remembered remembered;
    private final Lessons lessons;
    private final List<ToolOffer> offers;
    private final Optional<JsonNode> schema;
    private final Judge judge;

    AgentLoop(Agent.Builder parts) {
        this.parts = parts;
        this.remembered = new Remembered(parts);
        this.lessons = new Lessons(parts);
        this.acting = new Acting(parts, lessons);
        this.offers = parts.tools.offers();
        Optional<ObjectNode> output = parts.output.map(ParameterSchema::of);
        this.schema = output.map(JsonNode.class::cast);
        this.judge = new Judge(parts);
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

    /** All of it within one node of another graph. */
    Conversation within(Conversation begun, Context context) {
        Conversation talk = begun;
        Optional<String> problem = Optional.empty();
        do {
            talk = think(talk, context);
            if (talk.isOver()) {
                break;
            }
            if (talk.pending().isEmpty()) {
                Conversation answered = talk;
                problem =
                        lessons.during(
                                lessons.about(talk), context, () -> problem(answered, context));
                talk = checked(talk, problem, context);
            } else {
                talk = acting.inTurn(talk, context);
            }
        } while (talk.isOpen() && !talk.isOver());
        return talk.failure().orElse(null) instanceof StopReason.AttemptsExhausted all
                ? talk.failed(unusable(talk, all, problem.orElse("It did not come to one.")))
                : talk;
    }

    /** Within another graph attempts are something else: here the model has failed. */
    private StopReason unusable(
            Conversation talk, StopReason.AttemptsExhausted all, String problem) {
        return new StopReason.ModelFailed(
                parts.route.at(talk.progress().level()).name(),
                "None of %d answers could be used. The last one: %s"
                        .formatted(all.attempts(), Excerpt.line(problem, LONGEST_PROBLEM)));
    }

    private Graph.Builder<Conversation> nodes(String failed) {
        Graph.Builder<Conversation> graph =
                Graph.of(parts.name, Conversation.class)
                        .node(THINK, this::think)
                        .choose(
                                THINK,
                                talk -> next(talk, failed, behindThought(talk)),
                                ACT,
                                ACT_AT_ONCE,
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
                        .node(ACT, acting::inTurn)
                        .choose(ACT, talk -> next(talk, failed, THINK), THINK, failed, Graph.END)
                        .choose(
                                ACT_AT_ONCE,
                                talk -> next(talk, failed, THINK),
                                THINK,
                                failed,
                                Graph.END)
                        .mostVisits(Integer.MAX_VALUE);
        return acting.into(isPrivate() ? graph.inPrivate() : graph, ACT_AT_ONCE);
    }

    /**
     * Whether it reads what is private: then all its runs are, since what a model reads stands in
     * the record of its prompts, its state and its answers as well.
     */
    private boolean isPrivate() {
        return parts.memory.isPresent()
                || parts.tools.tools().stream().anyMatch(tool -> tool.traits().isPrivate());
    }

    private String behindThought(Conversation talk) {
        if (talk.pending().isEmpty()) {
            return CHECK;
        }
        return acting.isOne(talk) ? ACT : ACT_AT_ONCE;
    }

    private static String next(Conversation talk, String failed, String otherwise) {
        if (talk.failure().isPresent()) {
            return failed;
        }
        return talk.isOver() ? Graph.END : otherwise;
    }

    private Conversation think(Conversation before, Context context) {
        return lessons.during(lessons.about(before), context, () -> considered(before, context));
    }

    private Conversation considered(Conversation before, Context context) {
        if (before.turns() == 0) {
            Finding.sentences(before.findings()).forEach(context::note);
        }
        if (before.isOver()) {
            return before;
        }
        Conversation after = thought(before, context);
        if (after.isOver()) {
            lessons.over(after, Optional.empty(), context);
        }
        return after;
    }

    /** Learns from a run that has ended without being able to. */
    void behind(TaskResult result) {
        lessons.behind(result);
    }

    private Conversation thought(Conversation before, Context context) {
        Optional<String> why = before.turns() == 0 ? Optional.empty() : over(before, context);
        if (why.isPresent()) {
            return before.ended(why.get());
        }
        return before.turns() >= parts.mostTurns
                ? before.failed(new StopReason.AttemptsExhausted(parts.mostTurns))
                : asked(remembered.shortened(begun(before, context), context), context);
    }

    private Conversation begun(Conversation talk, Context context) {
        if (talk.turns() > 0) {
            return talk;
        }
        boolean timed = parts.until.filter(Termination::needsTime).isPresent();
        return remembered.recalled(timed ? talk.since(context.now()) : talk, context);
    }

    /** Asks the model, and larger ones while it fails. */
    private Conversation asked(Conversation before, Context context) {
        Conversation talk = before;
        while (true) {
            Model model = parts.route.at(talk.progress().level());
            try {
                Conversation after = talk.heard(context.perform(call(model, talk)));
                return over(after, context).map(after::ended).orElse(after);
            } catch (EffectFailed e) {
                if (e.code().equals(ModelCall.GUARDED)) {
                    return talk.failed(tripped(e.getMessage()));
                }
                if (!parts.route.hasLarger(talk.progress().level())) {
                    return talk.failed(new StopReason.ModelFailed(model.name(), e.getMessage()));
                }
                talk = talk.larger();
            }
        }
    }

    /** What guardrails say is their name, a colon, and why. */
    static StopReason tripped(String blocked) {
        int colon = blocked.indexOf(':');
        return new StopReason.GuardrailTripped(
                blocked.substring(0, colon), blocked.substring(colon + 1).strip());
    }

    private ModelCall call(Model model, Conversation talk) {
        Prompt prompt =
                new Prompt(
                        parts.instructions,
                        remembered.window(talk),
                        offers,
                        schema,
                        parts.mostTokens);
        return ModelCall.of(model, prompt, parts);
    }

    private Optional<String> over(Conversation talk, Context context) {
        return parts.until.flatMap(condition -> condition.reached(talk, context));
    }

    private Conversation check(Conversation talk, Context context) {
        return lessons.during(
                lessons.about(talk), context, () -> checked(talk, problem(talk, context), context));
    }

    private Conversation checked(Conversation talk, Optional<String> problem, Context context) {
        int repairs = talk.progress().repairs();
        if (problem.isPresent() && repairs < parts.mostRepairs) {
            return talk.sentBack(problem.get());
        }
        Conversation end =
                problem.isEmpty()
                        ? talk
                        : talk.failed(new StopReason.AttemptsExhausted(repairs + 1));
        lessons.over(end, problem, context);
        return end;
    }

    private Optional<String> problem(Conversation talk, Context context) {
        if (talk.progress().isCut()) {
            return Optional.of("The answer was cut off since it is too long. Give a shorter one.");
        }
        if (talk.answer().isBlank()) {
            return Optional.of("The answer was empty.");
        }
        return judge.problem(talk.answer(), context).map(problem -> guarded(problem, context));
    }

    /** A validator may tell what a program has printed. */
    private String guarded(String problem, Context context) {
        Inspection inspection = new Inspection(parts.guardrails, parts.name);
        String told = inspection.told(Guardrail.Point.TOOL_RESULT, VALIDATOR, problem);
        inspection.note(context);
        return told;
    }
}
