package dev.glovebox.agent;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Messages in groups that stay together: a call of tools with its results, or one message. */
final class MessageGroups {

    private final List<Message> messages;
    private final int[] starts;
    private final BitSet kept;
    private final int tail;

    private MessageGroups(List<Message> messages, int[] starts, BitSet kept, int tail) {
        this.messages = messages;
        this.starts = starts;
        this.kept = kept;
        this.tail = tail;
    }

    static MessageGroups of(List<Message> messages) {
        BitSet all = new BitSet();
        all.set(0, messages.size());
        return new MessageGroups(messages, starts(messages), all, 0);
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

    long tokens() {
        return tokens(kept);
    }

    /** Those of the messages at some places. */
    long tokens(BitSet places) {
        return places.stream().mapToLong(at -> Tokens.of(messages.get(at))).sum();
    }

    /**
     * Some messages, and as many of the last groups as fit besides; always the last one.
     *
     * @param always where those are that are kept in any case, each a group of its own
     */
    MessageGroups latest(long mostTokens, BitSet always) {
        BitSet latest = (BitSet) always.clone();
        long tokens = tokens(always);
        int end = messages.size();
        while (end > 0) {
            int start = starts[end - 1];
            long group = always.get(start) ? 0 : tokens(start, end);
            if (tokens + group > mostTokens && end < messages.size()) {
                break;
            }
            tokens += group;
            latest.set(start, end);
            end = start;
        }
        return new MessageGroups(messages, starts, latest, end);
    }

    private long tokens(int start, int end) {
        long tokens = 0;
        for (Message message : messages.subList(start, end)) {
            tokens += Tokens.of(message);
        }
        return tokens;
    }

    /** Where the last groups begin that are kept. */
    int tail() {
        return tail;
    }

    boolean isWhole() {
        return kept.cardinality() == messages.size();
    }

    /** Those of these messages that stand where the other one has kept its own. */
    MessageGroups kept(MessageGroups other) {
        return new MessageGroups(messages, starts, other.kept, other.tail);
    }

    /** The messages that the other one, made of this, has not kept. */
    List<Message> without(MessageGroups other) {
        return kept.stream().filter(at -> !other.kept.get(at)).mapToObj(messages::get).toList();
    }

    /** A message before the last groups, where those are missing that came before them. */
    List<Message> with(Message message) {
        List<Message> with = new ArrayList<>(messages());
        with.add((int) kept.stream().takeWhile(at -> at < tail).count(), message);
        return with;
    }

    List<Message> messages() {
        return kept.stream().mapToObj(messages::get).toList();
    }
}
