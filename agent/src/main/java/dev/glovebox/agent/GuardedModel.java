package dev.glovebox.agent;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.agent.Guardrail.Point;
import dev.glovebox.run.Failure;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * A model of whose words guardrails also see those that are neither answer nor arguments: what it
 * says when it fails, and the names of tools that do not exist.
 */
record GuardedModel(Model model, Guardrails guardrails, String agent) implements Model {

    /** What vendors do not take as the name of a tool when they are sent it back. */
    private static final Pattern NOT_IN_NAMES = Pattern.compile("[^a-zA-Z0-9_-]");

    private static final int LONGEST_NAME = 64;

    @Override
    public String name() {
        return model.name();
    }

    @Override
    public Reply ask(Prompt prompt, Duration within, Consumer<String> words)
            throws InterruptedException {
        Inspection inspection = new Inspection(guardrails, agent);
        Reply reply;
        try {
            reply = model.ask(prompt, within, words);
        } catch (RuntimeException | Error e) {
            if (!(e instanceof Failure) && Thread.currentThread().isInterrupted()) {
                throw new InterruptedException("The model was interrupted");
            }
            throw inspection.failure(Point.REPLY, "", e);
        }
        return named(reply, prompt, inspection);
    }

    private static Reply named(Reply reply, Prompt prompt, Inspection inspection) {
        List<String> known = prompt.tools().stream().map(ToolOffer::name).toList();
        Message.Assistant said = reply.message();
        if (said.calls().stream().allMatch(call -> known.contains(call.name()))) {
            return reply;
        }
        List<ToolCall> calls =
                said.calls().stream()
                        .map(call ->
                                known.contains(call.name())
                                        ? call
                                        : new ToolCall(
                                                call.id(),
                                                name(call.name(), inspection),
                                                call.arguments()))
                        .toList();
        return new Reply(said.calling(calls), reply.usage(), reply.isCut());
    }

    private static String name(String wanted, Inspection inspection) {
        Guarded guarded = inspection.look(Point.REPLY, "", wanted);
        guarded.blocked()
                .ifPresent(why -> {
                    throw Failure.lasting(ModelCall.GUARDED, why)
                            .details(
                                    JsonNodeFactory.instance
                                            .objectNode()
                                            .set(Finding.DETAILS, inspection.json()));
                });
        if (guarded.text().equals(wanted)) {
            return wanted;
        }
        String plain = NOT_IN_NAMES.matcher(guarded.text()).replaceAll("_");
        return plain.length() > LONGEST_NAME ? plain.substring(0, LONGEST_NAME) : plain;
    }
}
