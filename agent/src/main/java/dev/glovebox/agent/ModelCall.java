package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Call;
import dev.glovebox.run.Cost;
import dev.glovebox.run.Done;
import dev.glovebox.run.Effect;
import dev.glovebox.run.Failure;
import dev.glovebox.run.Price;
import dev.glovebox.run.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The effect of asking a model. */
final class ModelCall implements Effect<Prompt, Reply> {

    /** The code of the failure when a guardrail blocks what the model said. */
    static final String GUARDED = "guarded";

    // Something was perhaps written, and has to be paid, before nobody heard any more of it.
    private static final Set<String> UNKNOWN_COST =
            Set.of(
                    ModelProblem.TIME_OUT,
                    ModelProblem.UNREACHABLE,
                    ModelProblem.MALFORMED,
                    GUARDED);

    private final Model model;
    private final Prompt prompt;
    private final String agent;
    private final Optional<Price> price;
    private final Duration within;
    private final Consumer<String> words;
    private final Guardrails guardrails;

    ModelCall(
            Model model,
            Prompt prompt,
            String agent,
            Optional<Price> price,
            Duration within,
            Consumer<String> words,
            Guardrails guardrails) {
        this.model = model;
        this.prompt = prompt;
        this.agent = agent;
        this.price = price;
        this.within = within;
        this.words = words;
        this.guardrails = guardrails;
    }

    /** Asks for an agent. */
    static ModelCall of(Model model, Prompt prompt, Agent.Builder parts) {
        return of(model, prompt, parts, words -> parts.words.said(parts.name, words));
    }

    /** Asks for an agent what is no part of its answer: nobody hears the words. */
    static ModelCall unheard(Model model, Prompt prompt, Agent.Builder parts) {
        return of(model, prompt, parts, words -> {});
    }

    private static ModelCall of(
            Model model, Prompt prompt, Agent.Builder parts, Consumer<String> words) {
        return new ModelCall(
                model,
                prompt,
                parts.name,
                parts.prices.of(model.name()),
                parts.answerWithin,
                words,
                parts.guardrails);
    }

    @Override
    public String kind() {
        return "model";
    }

    @Override
    public String name() {
        return model.name();
    }

    @Override
    public Prompt arguments() {
        return prompt;
    }

    @Override
    public Class<Reply> resultType() {
        return Reply.class;
    }

    @Override
    public Set<String> growing() {
        return Set.of("messages");
    }

    @Override
    public String agent() {
        return agent;
    }

    /** Without its server: a run goes on with a model that is at another place by then. */
    @Override
    public JsonNode details() {
        ObjectNode details =
                JsonNodeFactory.instance.objectNode().put("maxTokens", prompt.mostTokens());
        int colon = model.name().indexOf(':');
        if (colon > 0) {
            details.put("provider", model.name().substring(0, colon));
        }
        if (prompt.output().isPresent()) {
            details.put("outputType", "json");
        }
        return details;
    }

    @Override
    public Done<Reply> perform(Call call) throws InterruptedException {
        Duration left = call.left();
        List<Finding> findings = new ArrayList<>();
        try {
            Reply reply = guarded(asked(left.compareTo(within) < 0 ? left : within), findings);
            return new Done<>(reply, cost(reply.usage()), () -> details(reply, findings));
        } catch (Failure e) {
            throw e.details(ReplyJson.of(model.server()));
        }
    }

    private Reply asked(Duration time) throws InterruptedException {
        try {
            return model.ask(prompt, time, words);
        } catch (Failure e) {
            throw e.used().isEmpty() ? paid(e) : e;
        }
    }

    private Failure paid(Failure e) {
        Optional<Usage> begun = Begun.told(e);
        if (begun.isPresent() && begun.get().total() > 0) {
            return e.used(cost(begun.get()));
        }
        return begun.isPresent() || UNKNOWN_COST.contains(e.code()) ? e.used(atMost()) : e;
    }

    private ObjectNode details(Reply reply, List<Finding> findings) {
        ObjectNode details = ReplyJson.of(reply);
        details.setAll(ReplyJson.of(model.server()));
        if (!findings.isEmpty()) {
            details.set(Finding.DETAILS, Finding.json(findings));
        }
        return details;
    }

    /** Nothing that is not guarded is recorded, or read by anybody. */
    private Reply guarded(Reply reply, List<Finding> findings) {
        if (guardrails.isEmpty()) {
            return reply;
        }
        try {
            return new Reply(
                    guarded(reply.message(), findings),
                    reply.usage(),
                    reply.isCut(),
                    reply.delivery().map(this::guarded));
        } catch (Failure e) {
            // Nobody may read it, and it is paid for.
            throw e.used(cost(reply.usage()));
        }
    }

    /** Names are told in the open part of a record, or not at all. */
    private Delivery guarded(Delivery raw) {
        return new Delivery(harmless(raw.model()), harmless(raw.id()), raw.first(), raw.thought());
    }

    private String harmless(String name) {
        return name.equals(new Inspection(guardrails, agent).told(Guardrail.Point.REPLY, "", name))
                ? name
                : "";
    }

    private Message.Assistant guarded(Message.Assistant said, List<Finding> findings) {
        String text = checked(Guardrail.Point.REPLY, "", said.text(), findings);
        List<ToolCall> calls = said.calls().stream().map(call -> guarded(call, findings)).toList();
        return new Message.Assistant(
                text, calls, said.signature().map(thought -> guarded(thought, findings)));
    }

    /** Nobody can read those of some vendors, which refuse others than theirs. */
    private Message.Signature guarded(Message.Signature thought, List<Finding> findings) {
        if (!thought.isInWords()) {
            return thought;
        }
        Inspection inspection = new Inspection(guardrails, agent);
        String told = inspection.told(Guardrail.Point.REPLY, "", thought.text());
        findings.addAll(inspection.findings());
        return new Message.Signature(thought.model(), told);
    }

    /**
     * Without its id, which a model may have made of anything, and which looks random, as keys do,
     * even if it has not: the call gets one of ours.
     */
    private ToolCall guarded(ToolCall call, List<Finding> findings) {
        return new ToolCall(
                "",
                isOffered(call.name()) ? call.name() : name(call.name(), findings),
                checked(Guardrail.Point.TOOL_ARGUMENTS, call.name(), call.arguments(), findings));
    }

    private boolean isOffered(String name) {
        return prompt.tools().stream().anyMatch(offer -> offer.name().equals(name));
    }

    /** The name of a tool that does not exist. */
    private String name(String wanted, List<Finding> findings) {
        String guarded = checked(Guardrail.Point.REPLY, "", wanted, findings);
        return guarded.equals(wanted) ? wanted : ToolName.fit(guarded);
    }

    private String checked(
            Guardrail.Point point, String what, String text, List<Finding> findings) {
        Guarded guarded = guardrails.check(new Guardrail.Passage(point, agent, what, text));
        findings.addAll(guarded.findings());
        if (guarded.isBlocked()) {
            ObjectNode details = JsonNodeFactory.instance.objectNode();
            details.set(Finding.DETAILS, Finding.json(findings));
            throw Failure.lasting(GUARDED, guarded.blocked().orElseThrow()).details(details);
        }
        return guarded.text();
    }

    @Override
    public Cost atMost() {
        long input = Tokens.of(prompt);
        // What is remembered costs the most.
        return cost(new Usage(input, 0, input, prompt.mostTokens()));
    }

    private Cost cost(Usage usage) {
        return price.map(known ->
                        known.cost(usage.input(), usage.cached(), usage.written(), usage.output()))
                .orElseGet(() -> Cost.NONE.tokens(usage.total()).modelCalls(1));
    }

    @Override
    public Retry retry() {
        return Retry.standard();
    }

    @Override
    public IfUnknown ifUnknown() {
        // It costs again, and does no other harm.
        return IfUnknown.REPEAT;
    }

    @Override
    public boolean countsAsLoop() {
        return false;
    }
}
