package dev.glovebox.agent;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Messages in groups that stay together: a call of tools with its results, or one message. */
final class MessageGroups {

    private final List<Message> messages;
    private final int[] starts;
    private final BitSet kept;
    private final int task;

    private MessageGroups(List<Message> messages, int[] starts, BitSet kept, int task) {
        this.messages = messages;
        this.starts = starts;
        this.kept = kept;
        this.task = task;
    }

    static MessageGroups of(List<Message> messages) {
        int task = 0;
        while (task < messages.size() && !(messages.get(task) instanceof Message.User)) {
            task++;
        }
        BitSet all = new BitSet();
        all.set(0, messages.size());
        return new MessageGroups(messages, starts(messages), all, task);
    }

    /** Where the group of each message begins. */
    private static int[] starts(List<Message> messages) {
        int[] starts = new int[messages.size()];
        for (int at = 0; at < starts.length; at++) {
            boolean answers =
                    messages.get(at) instanceof Message.ToolResult
                            && at > 0
                            && messages.get(starts[at - 1]) instanceof Message.Assistant said
                            && !said.calls().isEmpty();
            starts[at] = answers ? starts[at - 1] : at;
        }
        return starts;
    }

    /** Whether anybody said what to do. */
    boolean hasTask() {
        return task < messages.size();
    }

    long taskTokens() {
        return hasTask() ? Tokens.of(messages.get(task)) : 0;
    }

    long tokens() {
        return kept.stream().mapToLong(at -> Tokens.of(messages.get(at))).sum();
    }

    /**
     * The task, and as many of the last groups after it as fit besides; always the last one. What
     * came before the task is not kept.
     */
    MessageGroups latest(long mostTokens) {
        BitSet latest = new BitSet();
        if (hasTask()) {
            latest.set(task);
        }
        long tokens = taskTokens();
        int first = hasTask() ? task + 1 : 0;
        for (int end = messages.size(); end > first; ) {
            int start = starts[end - 1];
            long group = tokens(start, end);
            if (tokens + group > mostTokens && end < messages.size()) {
                break;
            }
            tokens += group;
            latest.set(start, end);
            end = start;
        }
        return new MessageGroups(messages, starts, latest, task);
    }

    private long tokens(int start, int end) {
        long tokens = 0;
        for (Message message : messages.subList(start, end)) {
            tokens += Tokens.of(message);
        }
        return tokens;
    }

    boolean isWhole() {
        return kept.cardinality() == messages.size();
    }

    /** Those of these messages that stand where the other one has kept its own. */
    MessageGroups kept(MessageGroups other) {
        return new MessageGroups(messages, starts, other.kept, task);
    }

    /** The messages that the other one, made of this, has not kept. */
    List<Message> without(MessageGroups other) {
        return kept.stream().filter(at -> !other.kept.get(at)).mapToObj(messages::get).toList();
    }

    /** A message after the task, or in front if there is none. */
    MessageGroups with(Message message) {
        List<Message> with = new ArrayList<>(messages());
        int place = hasTask() ? (int) kept.stream().filter(at -> at <= task).count() : 0;
        with.add(place, message);
        return of(with);
    }

    List<Message> messages() {
        return kept.stream().mapToObj(messages::get).toList();
    }
}
