package dev.glovebox.agent;

import dev.glovebox.run.StopReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an agent and its model have said, and where they stand: the state of an agent's run.
 *
 * @param level which model of the route is asked: after failures a larger one
 * @param turns how often a model was asked
 * @param repairs how often an answer was sent back
 * @param isCut whether the last answer did not come to its end
 * @param began when a model was first asked, where somebody wants to know
 * @param handedTo the agent that is to go on
 * @param ended why it ended before the model thought so
 * @param failure why it cannot go on
 */
public record Conversation(
        List<Message> messages,
        Usage usage,
        int level,
        int turns,
        int repairs,
        boolean isCut,
        Optional<Instant> began,
        Optional<String> handedTo,
        Optional<String> ended,
        Optional<StopReason> failure) {

    public Conversation {
        messages = List.copyOf(messages);
    }

    /** Begins with a task. */
    public static Conversation of(String task) {
        return of(List.of(new Message.User(task)));
    }

    /** Goes on from what was said before. */
    public static Conversation of(List<Message> messages) {
        return new Conversation(
                messages,
                Usage.NONE,
                0,
                0,
                0,
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** What the model said last; empty if it has not said anything. */
    public String answer() {
        return messages.reversed().stream()
                .filter(Message.Assistant.class::isInstance)
                .map(Message::text)
                .findFirst()
                .orElse("");
    }

    /** The tools that the model wants to be called now. */
    List<ToolCall> pending() {
        return !messages.isEmpty() && messages.getLast() instanceof Message.Assistant last
                ? last.calls()
                : List.of();
    }

    /** Whether somebody waits for the model to say something. */
    boolean isOpen() {
        return messages.isEmpty() || !(messages.getLast() instanceof Message.Assistant);
    }

    Conversation heard(Reply reply) {
        Message.Assistant said = reply.message();
        Message.Assistant named =
                new Message.Assistant(said.text(), distinct(said.calls(), turns + 1));
        return new Conversation(
                plus(List.of(named)),
                usage.plus(reply.usage()),
                level,
                turns + 1,
                repairs,
                reply.isCut(),
                began,
                handedTo,
                ended,
                failure);
    }

    /** Vendors want each result to name its call, and models do not always name them. */
    private static List<ToolCall> distinct(List<ToolCall> calls, int turn) {
        Set<String> names = new HashSet<>();
        List<ToolCall> distinct = new ArrayList<>();
        for (ToolCall call : calls) {
            boolean usable = !call.id().isBlank() && names.add(call.id());
            String id = usable ? call.id() : "call-" + turn + "-" + distinct.size();
            distinct.add(new ToolCall(id, call.name(), call.arguments()));
        }
        return distinct;
    }

    Conversation acted(List<Message.ToolResult> results, Optional<String> to) {
        return new Conversation(
                plus(results), usage, level, turns, repairs, isCut, began, to, ended, failure);
    }

    /** An answer that is not good enough goes back, to a larger model if there is one. */
    Conversation sentBack(String problem) {
        return new Conversation(
                plus(List.of(new Message.User(problem))),
                usage,
                level + 1,
                turns,
                repairs + 1,
                false,
                began,
                handedTo,
                ended,
                failure);
    }

    Conversation larger() {
        return new Conversation(
                messages, usage, level + 1, turns, repairs, isCut, began, handedTo, ended, failure);
    }

    Conversation since(Instant time) {
        return new Conversation(
                messages,
                usage,
                level,
                turns,
                repairs,
                isCut,
                Optional.of(time),
                handedTo,
                ended,
                failure);
    }

    Conversation ended(Optional<String> why) {
        return new Conversation(
                messages, usage, level, turns, repairs, isCut, began, handedTo, why, failure);
    }

    Conversation failed(StopReason why) {
        return new Conversation(
                messages,
                usage,
                level,
                turns,
                repairs,
                isCut,
                began,
                handedTo,
                ended,
                Optional.of(why));
    }

    /** Whether nothing comes behind this. */
    boolean isOver() {
        return ended.isPresent() || handedTo.isPresent() || failure.isPresent();
    }

    private List<Message> plus(List<? extends Message> more) {
        List<Message> all = new ArrayList<>(messages);
        all.addAll(more);
        return all;
    }
}
