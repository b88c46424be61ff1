package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The effect of asking a model. */
final class ModelCall implements Effect<Prompt, Reply> {

    /** The code of the failure when a guardrail blocks what the model said. */
    static final String GUARDED = "guarded";

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
        return new ModelCall(
                model,
                prompt,
                parts.name,
                parts.prices.of(model.name()),
                parts.answerWithin,
                words -> parts.words.said(parts.name, words),
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

    @Override
    public JsonNode details() {
        int colon = model.name().indexOf(':');
        return JsonNodeFactory.instance
                .objectNode()
                .put("provider", model.name().substring(0, Math.max(colon, 0)))
                .put("maxTokens", prompt.mostTokens());
    }

    @Override
    public Done<Reply> perform(Call call) throws InterruptedException {
        Duration left = call.left();
        Reply raw = model.ask(prompt, left.compareTo(within) < 0 ? left : within, words);
        ArrayNode findings = JsonNodeFactory.instance.arrayNode();
        Reply reply = guarded(raw, findings);
        Usage usage = reply.usage();
        return new Done<>(
                reply,
                cost(usage.input(), usage.cached(), usage.output()),
                () -> details(reply, findings));
    }

    private static ObjectNode details(Reply reply, ArrayNode findings) {
        Usage usage = reply.usage();
        ObjectNode details =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("inputTokens", usage.input())
                        .put("cachedTokens", usage.cached())
                        .put("outputTokens", usage.output())
                        .put("finish", reply.isCut() ? "length" : "stop");
        if (!findings.isEmpty()) {
            details.set(Finding.DETAILS, findings);
        }
        return details;
    }

    /** Nothing that is not guarded is recorded, or read by anybody. */
    private Reply guarded(Reply reply, ArrayNode findings) {
        if (guardrails.isEmpty()) {
            return reply;
        }
        Message.Assistant said = reply.message();
        String text = checked(Guardrail.Point.REPLY, "", said.text(), findings);
        List<ToolCall> calls =
                said.calls().stream()
                        .map(call ->
                                new ToolCall(
                                        call.id(),
                                        call.name(),
                                        checked(
                                                Guardrail.Point.TOOL_ARGUMENTS,
                                                call.name(),
                                                call.arguments(),
                                                findings)))
                        .toList();
        return new Reply(new Message.Assistant(text, calls), reply.usage(), reply.isCut());
    }

    private String checked(Guardrail.Point point, String what, String text, ArrayNode findings) {
        Guarded guarded = guardrails.check(new Guardrail.Passage(point, agent, what, text));
        findings.addAll(guarded.json());
        if (guarded.isBlocked()) {
            ObjectNode details = JsonNodeFactory.instance.objectNode();
            details.set(Finding.DETAILS, findings);
            throw Failure.lasting(GUARDED, guarded.blocked().orElseThrow()).details(details);
        }
        return guarded.text();
    }

    @Override
    public Cost atMost() {
        return cost(Tokens.of(prompt), 0, prompt.mostTokens());
    }

    private Cost cost(long input, long cached, long output) {
        return price.map(known -> known.cost(input, cached, output))
                .orElseGet(() -> Cost.NONE.tokens(input + output).modelCalls(1));
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
    public boolean mayLoop() {
        return false;
    }
}
