package dev.glovebox.run;

import dev.glovebox.run.spi.MessageEvent.Outcome;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place of one live agent: its mailbox, its instance, and the one thread that calls it.
 *
 * <p>The cell stays until its agent has ended and its mailbox is empty, both at once: a message
 * that comes while the agent ends is not lost, and gets a new instance only after the old one has
 * ended.
 */
final class AgentCell implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(AgentCell.class);
    private static final int LONGEST_ERROR = 500;

    private final AgentId id;
    private final LocalTenant tenant;
    private final AgentHost host;
    private final AgentLimits limits;
    private final Mailbox mailbox;
    private @Nullable MessageHandler handler;

    AgentCell(AgentId id, LocalTenant tenant) {
        this.id = id;
        this.tenant = tenant;
        this.host = tenant.host();
        this.limits = host.settings().limits();
        this.mailbox = new Mailbox(limits);
    }

    AgentId id() {
        return id;
    }

    Mailbox mailbox() {
        return mailbox;
    }

    @Override
    public void run() {
        Thread.currentThread().setName("glovebox agent " + id);
        Duration patience = limits.idle();
        while (true) {
            Envelope next = mailbox.take(patience);
            if (next != null) {
                handle(next);
                // Without an instance there is nothing to keep the cell for.
                patience = handler == null ? Duration.ZERO : limits.idle();
            } else {
                end(mailbox.isStopped() ? AgentEnding.CLOSED : AgentEnding.IDLE);
                if (mailbox.retire()) {
                    tenant.forget(this);
                    return;
                }
            }
        }
    }

    /** Tells those whose messages wait that they will not be handled. */
    void stop() {
        for (Envelope left : mailbox.stop()) {
            close(left, Outcome.LOST, Optional.of(new MessageFailure.Closed()));
        }
    }

    private void handle(Envelope envelope) {
        AgentDeadline limit = AgentDeadline.in(limits.handling());
        AgentCall call = envelope.call();
        AgentHandling handling =
                new AgentHandling(call == null ? limit : limit.orEarlier(call.until()));
        if (call != null && !call.begin(handling)) {
            close(envelope, Outcome.EXPIRED, Optional.empty());
            return;
        }
        LocalContext context = new LocalContext(envelope, tenant, handling);
        try {
            limited(handling, () -> invoke(context, envelope));
        } catch (Throwable e) {
            LOG.debug("{} failed", id, e);
            close(envelope, Outcome.FAILED, Optional.of(failure(e, limit)));
            end(AgentEnding.FAILED);
            return;
        }
        close(envelope, Outcome.HANDLED, Optional.empty());
        if (context.passivated()) {
            end(AgentEnding.REQUESTED);
        }
    }

    private void invoke(LocalContext context, Envelope envelope) throws Exception {
        Record message = host.settings().types().decode(envelope.content());
        MessageHandler current = handler;
        if (current == null) {
            current = Objects.requireNonNull(host.factory(id.type()).create(id), "no agent");
            handler = current;
            current.activated(context);
        }
        current.handle(context, message);
    }

    private void end(AgentEnding why) {
        MessageHandler ending = handler;
        handler = null;
        if (ending == null) {
            return;
        }
        try {
            AgentDeadline limit = AgentDeadline.in(limits.handling());
            limited(new AgentHandling(limit), () -> ending.ended(why));
        } catch (Throwable e) {
            LOG.warn("{} failed at its end ({})", id, why, e);
        }
    }

    private interface AgentCode {
        void run() throws Exception;
    }

    private void limited(AgentHandling handling, AgentCode code) throws Exception {
        Future<?> alarm = host.interruptLater(handling, limits.handling());
        try {
            code.run();
        } finally {
            alarm.cancel(false);
            handling.end();
        }
    }

    private void close(Envelope envelope, Outcome outcome, Optional<MessageFailure> failure) {
        host.report(envelope, outcome, failure);
        AgentCall call = envelope.call();
        if (call != null) {
            call.fail(failure.orElseGet(() -> new MessageFailure.NoReply(id)));
        }
        host.gate().leave();
    }

    private MessageFailure failure(Throwable e, AgentDeadline limit) {
        String error =
                limit.left() == 0
                        ? "not done within " + limits.handling() + ": " + text(e)
                        : text(e);
        return new MessageFailure.HandlerFailed(
                id, error.substring(0, Math.min(error.length(), LONGEST_ERROR)));
    }

    /** Some exceptions fail to say what they are: an agent must not end of that. */
    private static String text(Throwable e) {
        try {
            return e.toString();
        } catch (RuntimeException | Error broken) {
            return e.getClass().getName();
        }
    }
}
