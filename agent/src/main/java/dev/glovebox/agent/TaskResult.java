package dev.glovebox.agent;

import dev.glovebox.run.Cost;
import dev.glovebox.run.StopReason;
import java.util.List;

/**
 * What came of a task.
 *
 * @param run by which its trace is found
 * @param stop why it ended
 * @param spent over all models, tools and other agents
 */
public record TaskResult(String run, StopReason stop, Conversation conversation, Cost spent) {

    public boolean isCompleted() {
        return stop instanceof StopReason.Completed;
    }

    /** What the agent said last. */
    public String text() {
        return conversation.answer();
    }

    public List<Message> messages() {
        return conversation.messages();
    }

    public Usage usage() {
        return conversation.usage();
    }

    /**
     * The answer of an agent that gives records of a type.
     *
     * @throws IllegalStateException if it has come to none
     * @throws IllegalArgumentException if the type has no schema
     */
    public <T extends Record> T output(Class<T> type) {
        RecordAnswer<T> answer = new RecordAnswer<>(type);
        try {
            return answer.read(text());
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    "The run %s stopped with no %s: %s"
                            .formatted(run, type.getSimpleName(), stop.word()),
                    e);
        }
    }
}
