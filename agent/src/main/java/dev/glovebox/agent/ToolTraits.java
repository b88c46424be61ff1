package dev.glovebox.agent;

import dev.glovebox.run.Cost;
import dev.glovebox.run.Effect.IfUnknown;
import dev.glovebox.run.Retry;
import java.time.Duration;

/**
 * How a tool is to be treated.
 *
 * @param within how long a call may take
 * @param mostBytes how much of its output a model gets
 * @param ifUnknown what becomes of a call of which nobody knows whether it was done
 * @param atMost the most that a call costs
 * @param isPrivate whether arguments and results are private in the record
 */
public record ToolTraits(
        Duration within,
        int mostBytes,
        IfUnknown ifUnknown,
        Retry retry,
        Cost atMost,
        boolean isPrivate) {

    public ToolTraits {
        Limits.some(within, "within");
        Limits.atLeast(1, mostBytes, "mostBytes");
    }

    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final int MOST_BYTES = 64 << 10;

    /** For what may do harm when it is done twice. */
    public static ToolTraits standard() {
        return new ToolTraits(
                WITHIN, MOST_BYTES, IfUnknown.TELL, Retry.never(), Cost.NONE.toolCalls(1), false);
    }

    public ToolTraits within(Duration time) {
        return new ToolTraits(time, mostBytes, ifUnknown, retry, atMost, isPrivate);
    }

    public ToolTraits mostBytes(int bytes) {
        return new ToolTraits(within, bytes, ifUnknown, retry, atMost, isPrivate);
    }

    public ToolTraits ifUnknown(IfUnknown policy) {
        return new ToolTraits(within, mostBytes, policy, retry, atMost, isPrivate);
    }

    public ToolTraits retry(Retry policy) {
        return new ToolTraits(within, mostBytes, ifUnknown, policy, atMost, isPrivate);
    }

    public ToolTraits atMost(Cost cost) {
        return new ToolTraits(within, mostBytes, ifUnknown, retry, cost, isPrivate);
    }

    public ToolTraits inPrivate() {
        return new ToolTraits(within, mostBytes, ifUnknown, retry, atMost, true);
    }
}
