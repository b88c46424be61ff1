package dev.glovebox.run;

import java.util.concurrent.TimeUnit;

/**
 * Counts the messages that are on their way or being handled, and closes for new ones.
 *
 * <p>Once it is closed only agents can add messages, and only while they handle one that is
 * counted. So when none is left, none comes.
 */
final class AgentGate {

    private long inside;
    private boolean closed;

    /** One more, unless it comes from outside and the gate is closed. */
    synchronized void enter(AgentId sender) {
        if (closed && sender.isOutside()) {
            throw new MessageException(new MessageFailure.Closed());
        }
        inside++;
    }

    synchronized void leave() {
        inside--;
        if (inside == 0) {
            notifyAll();
        }
    }

    synchronized void close() {
        closed = true;
    }

    /** Waits until none is left; false if the time is over before. */
    synchronized boolean awaitEmpty(AgentDeadline until) throws InterruptedException {
        while (inside > 0 && until.left() > 0) {
            // Rounded up: 0 would wait for ever.
            wait(TimeUnit.NANOSECONDS.toMillis(until.left()) + 1);
        }
        return inside == 0;
    }
}
