package dev.glovebox.agent.support;

import dev.glovebox.agent.ToolCall;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What a scripted model does when it is asked. */
public sealed interface Turn {

    /** It answers. */
    record Says(String text, List<ToolCall> calls, boolean isCut) implements Turn {}

    /**
     * It is asked for something that it does not do, as the vendor would tell it.
     *
     * @param headers beside the usual ones
     */
    record Fails(int status, String body, Map<String, String> headers) implements Turn {

        /** It says when to come back. */
        public Fails retryAfter(String time) {
            return new Fails(status, body, Map.of("Retry-After", time));
        }
    }

    /** It takes its time. */
    record Slow(Duration time, Turn then) implements Turn {}

    /** The vendor does not want to answer, as it says so: in the middle of its stream. */
    record Refuses(String why) implements Turn {}

    /** A filter of the vendor's ends the answer in the middle; what was said until then is told. */
    record Filters(String beginning) implements Turn {}

    /** Something breaks at the vendor's in the middle of the answer, which then ends. */
    record Breaks(String beginning, String message) implements Turn {}

    /** The answer ends in the middle, as if that were all. */
    record Ends(String beginning) implements Turn {}

    /** The answer ends before the last of its calls, as if that were all. */
    record Stops(List<ToolCall> calls) implements Turn {}

    /** It never comes to an end, and is no text: the arguments of a call grow and grow. */
    record Endless() implements Turn {}

    /** It answers, and the connection stays open for a time. */
    record Holds(String text, Duration time) implements Turn {}

    /** The connection ends in the middle of the answer. */
    record Cut(String beginning) implements Turn {}

    /** Something comes that is no answer. */
    record Garbage(String text) implements Turn {}

    static Turn says(String text) {
        return new Says(text, List.of(), false);
    }

    /** It wants one tool to be called. */
    static Turn calls(String tool, String arguments) {
        return calls(new ToolCall("call_" + tool, tool, arguments));
    }

    static Turn calls(ToolCall... calls) {
        return new Says("", List.of(calls), false);
    }

    static Fails fails(int status, String message) {
        return new Fails(status, message, Map.of());
    }
}
