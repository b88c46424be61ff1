package dev.glovebox.agent;

import dev.glovebox.run.Context;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** Says when a conversation is over, whatever the model thinks. */
public interface Termination {

    /**
     * Looks at a conversation after each step; what it needs of the world it asks the context for.
     *
     * @return why it is over; empty if it is not
     */
    Optional<String> reached(Conversation conversation, Context context);

    /** Whether it must be known when the conversation began. */
    default boolean needsTime() {
        return false;
    }

    /** Over when one of both says so. */
    default Termination or(Termination other) {
        return new Both(this, other, false);
    }

    /** Over when both say so. */
    default Termination and(Termination other) {
        return new Both(this, other, true);
    }

    /**
     * So many messages, the task included.
     *
     * @throws IllegalArgumentException if it is less than one
     */
    static Termination messages(int most) {
        Limits.atLeast(1, most, "messages");
        return when(most + " messages", talk -> talk.messages().size() >= most);
    }

    /**
     * So many tokens, read and written.
     *
     * @throws IllegalArgumentException if it is less than one
     */
    static Termination tokens(long most) {
        Limits.atLeast(1L, most, "tokens");
        return when(most + " tokens", talk -> talk.usage().total() >= most);
    }

    /** The model has said a text, in capitals or not. */
    static Termination text(String text) {
        String wanted = text.toLowerCase(Locale.ROOT);
        return when(
                "'" + text + "' was said",
                talk -> talk.answer().toLowerCase(Locale.ROOT).contains(wanted));
    }

    /**
     * A tool was called, and did what it should. What was said before the conversation went on in
     * another run does not count.
     */
    static Termination toolCalled(String tool) {
        return when(
                tool + " was called",
                talk ->
                        talk.sinceItBegan().stream()
                                .anyMatch(message ->
                                        message instanceof Message.ToolResult result
                                                && result.tool().equals(tool)
                                                && !result.isError()));
    }

    /** The conversation was handed over to an agent. */
    static Termination handoff(String agent) {
        return when(
                "handed over to " + agent,
                talk -> talk.handedTo().filter(agent::equals).isPresent());
    }

    /**
     * So much time has passed since a model was first asked; none: over with the first answer.
     *
     * @throws IllegalArgumentException if it is negative
     */
    static Termination time(Duration most) {
        if (most.isNegative()) {
            throw new IllegalArgumentException("time: none or more, not " + most);
        }
        return new Termination() {
            @Override
            public Optional<String> reached(Conversation talk, Context context) {
                boolean over =
                        talk.progress()
                                .began()
                                .map(began -> Duration.between(began, context.now()))
                                .filter(passed -> passed.compareTo(most) >= 0)
                                .isPresent();
                return over ? Optional.of(most + " have passed") : Optional.empty();
            }

            @Override
            public boolean needsTime() {
                return true;
            }
        };
    }

    /**
     * A condition of one's own, which must follow from the conversation.
     *
     * @param why what is told of it
     */
    static Termination when(String why, Predicate<Conversation> condition) {
        return (talk, context) -> condition.test(talk) ? Optional.of(why) : Optional.empty();
    }

    /** Somebody outside decides. */
    static Signal external() {
        return new Signal();
    }

    /** Two conditions in one. */
    record Both(Termination one, Termination other, boolean needsBoth) implements Termination {

        @Override
        public Optional<String> reached(Conversation talk, Context context) {
            // Both are asked each time: what they ask of the context must not depend on chance.
            List<String> reasons =
                    List.of(one.reached(talk, context), other.reached(talk, context)).stream()
                            .flatMap(Optional::stream)
                            .toList();
            return reasons.size() > (needsBoth ? 1 : 0)
                    ? Optional.of(String.join(" and ", reasons))
                    : Optional.empty();
        }

        @Override
        public boolean needsTime() {
            return one.needsTime() || other.needsTime();
        }
    }
}
