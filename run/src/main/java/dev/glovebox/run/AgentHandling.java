package dev.glovebox.run;

/**
 * The time in which one thread of an agent runs the agent's own code, for one message.
 *
 * <p>An interrupt that comes a moment too late would hit the next message: so it is only given
 * while this is not over, and whatever is left of it is taken away at the end.
 */
final class AgentHandling {

    private final Thread thread = Thread.currentThread();
    private final AgentDeadline until;
    private boolean over;

    /** Begins, in this thread. */
    AgentHandling(AgentDeadline until) {
        this.until = until;
    }

    AgentDeadline until() {
        return until;
    }

    synchronized void interrupt() {
        if (!over) {
            thread.interrupt();
        }
    }

    /** Goes on only while it lasts. */
    synchronized void check() {
        if (over) {
            throw new IllegalStateException(
                    "The message was handled: a context is good for one message only");
        }
    }

    /** Ends, in the same thread. */
    synchronized void end() {
        over = true;
        boolean ignored = Thread.interrupted();
    }
}
