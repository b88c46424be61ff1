package dev.glovebox.run;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One who waits for a reply. The first that answers, or gives up, decides. */
final class AgentCall {

    private final CompletableFuture<EncodedMessage> answer = new CompletableFuture<>();
    private final AgentDeadline until;
    private final Runnable settled;
    private @Nullable AgentHandling handling;
    private boolean over;

    /**
     * Begins to wait.
     *
     * @param settled called once, before the caller goes on
     */
    AgentCall(AgentDeadline until, Runnable settled) {
        this.until = until;
        this.settled = settled;
    }

    AgentDeadline until() {
        return until;
    }

    /** Whether somebody still waits; then he is told who handles it, to take it back. */
    synchronized boolean begin(AgentHandling by) {
        if (!over) {
            handling = by;
        }
        return !over;
    }

    /** Whether somebody had begun to handle it before it was over. */
    synchronized boolean begun() {
        return handling != null;
    }

    /** Gives the answer; false if nobody waits any more. */
    synchronized boolean answer(EncodedMessage message) {
        return settle() && answer.complete(message);
    }

    /** Says that there will be no answer; false if nobody waits any more. */
    synchronized boolean fail(MessageFailure failure) {
        return settle() && answer.completeExceptionally(new MessageException(failure));
    }

    private boolean settle() {
        if (over) {
            return false;
        }
        over = true;
        settled.run();
        return true;
    }

    /** The answer; null if the time is over. */
    @Nullable EncodedMessage await() throws InterruptedException {
        try {
            return answer.get(until.left(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MessageException failure) {
                // Made in the agent's thread: the caller should see his own way in the trace.
                throw new MessageException(failure.failure());
            }
            throw new IllegalStateException(e);
        }
    }

    /** Waits no more; whoever handles it may stop. The answer, if there is one after all. */
    synchronized @Nullable EncodedMessage giveUp() throws InterruptedException {
        if (!settle()) {
            return await();
        }
        if (handling != null) {
            handling.interrupt();
        }
        return null;
    }
}
