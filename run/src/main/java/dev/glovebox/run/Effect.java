package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.trace.Event;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Something done to the world, or asked of it: the arguments, and how it is done.
 *
 * <p>Arguments and result are recorded as JSON; the node gets the result as it was recorded.
 */
public interface Effect<A, R> {

    /** The kind of effect, such as {@code tool}. */
    String kind();

    /** What exactly: the model, the tool, the program. */
    String name();

    A arguments();

    Class<R> resultType();

    /**
     * Does it. Its thread is interrupted when nobody waits any more; it should end soon then, with
     * an exception: what it returns counts as done, unless it can be repeated and the run is only
     * suspended.
     *
     * @throws Failure if it was not done; other exceptions count as {@link Failure#lasting}
     */
    Done<R> perform(Call call) throws Exception;

    /** Who does it, where that is an agent. */
    default String agent() {
        return "";
    }

    /**
     * Members of the arguments, a record then, that are lists which grow from one effect to the
     * next. What is in the record must not be changed any more.
     */
    default Set<String> growing() {
        return Set.of();
    }

    /**
     * Members of arguments and result that are content of their own: bytes, or bytes by name; of
     * the media type JSON, anything. Each is kept as a blob and named in the details, where it can
     * be looked at, and redacted, by itself.
     *
     * @return their media types
     */
    default Map<String, String> apart() {
        return Map.of();
    }

    /** What else is known before, for the record; in integers and texts. */
    default JsonNode details() {
        return Event.NONE;
    }

    /** What it is about, on one line, for people who are asked whether to do it again. */
    default String about() {
        return "";
    }

    /** Whether arguments and result are private: then their digests tell nothing. */
    default boolean isPrivate() {
        return false;
    }

    /** The most that it can cost; not more is set aside for it. */
    default Cost atMost() {
        return Cost.NONE;
    }

    default Retry retry() {
        return Retry.never();
    }

    /** How long it may take; empty: as long as the run. */
    default Optional<Duration> within() {
        return Optional.empty();
    }

    /** What to do when it was begun and nobody knows whether it was done. */
    default IfUnknown ifUnknown() {
        return IfUnknown.TELL;
    }

    /** Whether doing the very same again and again is a sign of going round in circles. */
    default boolean countsAsLoop() {
        return true;
    }

    /**
     * What is different when it was performed a second time, for a replay that repeats it.
     *
     * @return a few words for people; empty if it came to the same
     */
    default Optional<String> difference(R recorded, R again) {
        return recorded.equals(again) ? Optional.empty() : Optional.of("the result");
    }

    /** What becomes of an effect that has an intent and no outcome. */
    enum IfUnknown {
        /** It is done again, with the same key: for what does no harm twice. */
        REPEAT,
        /** A person is asked. */
        ASK,
        /** The node gets {@link OutcomeUnknown}. */
        TELL
    }
}
