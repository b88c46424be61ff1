package dev.glovebox.sandbox;

import java.time.Duration;

/** How a program ended; every kill and every refusal is told apart. */
public sealed interface Outcome {

    /** It ended by itself with this exit code. */
    record Exited(int code) implements Outcome {}

    /** It was ended by a signal that was not ours. */
    record Signalled(int signal) implements Outcome {}

    /** It was still running when its wall time was over, and was killed. */
    record TimedOut(Duration limit) implements Outcome {}

    /**
     * It was killed by a limit other than wall time.
     *
     * @param limit which one
     * @param value what the policy allowed, in the limit's own unit (bytes, milliseconds, a count)
     * @param peak the most that was seen, in the same unit
     */
    record LimitHit(Limit limit, long value, long peak) implements Outcome {}

    /**
     * It was killed for something the wall forbids.
     *
     * @param rule the control that refused, such as {@code seccomp}
     * @param what what it tried, as far as the system tells
     */
    record Denied(String rule, String what) implements Outcome {}

    /** It was killed because its owner asked for it, or cleared or closed the box. */
    record Cancelled(String reason) implements Outcome {}

    /** Nothing ran: the command is not there, or is no program. */
    record NotStarted(String reason) implements Outcome {}

    /** It is over, but how it ended was lost, for instance because it killed its own box. */
    record Unknown(String reason) implements Outcome {}

    /** Whether the program itself says that all went well. */
    default boolean success() {
        return this instanceof Exited(int code) && code == 0;
    }
}
