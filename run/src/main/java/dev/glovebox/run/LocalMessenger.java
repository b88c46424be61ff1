package dev.glovebox.run;

import dev.glovebox.run.Permissions.Action;
import dev.glovebox.run.spi.MessageEvent.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sends for one identity of one tenant, both fixed when it is made. */
final class LocalMessenger implements Messenger {

    private final AgentId self;
    private final LocalTenant tenant;
    private final AgentHost host;
    private final @Nullable AgentHandling handling;

    /**
     * A messenger.
     *
     * @param handling while which it is good; null for one that always is
     */
    LocalMessenger(AgentId self, LocalTenant tenant, @Nullable AgentHandling handling) {
        this.self = self;
        this.tenant = tenant;
        this.host = tenant.host();
        this.handling = handling;
    }

    @Override
    public AgentId self() {
        return self;
    }

    @Override
    public void send(AgentId to, Record message) {
        send(to, message, host.settings().limits().waiting());
    }

    @Override
    public void send(AgentId to, Record message, Duration within) {
        AgentDeadline until = until(within);
        Envelope draft = draft(MessageKind.SEND, to, Optional.empty(), message, null);
        // Nobody makes room in one's own mailbox while one waits for it.
        post(draft, to.equals(self) ? AgentDeadline.now() : until);
    }

    @Override
    public <R extends Record> R call(AgentId to, Record message, Class<R> reply) {
        return call(to, message, reply, host.settings().limits().waiting());
    }

    @Override
    public <R extends Record> R call(AgentId to, Record message, Class<R> reply, Duration within) {
        AgentDeadline until = until(within);
        AgentCall call = new AgentCall(until, () -> stopWaiting(to));
        post(draft(MessageKind.CALL, to, Optional.empty(), message, call), until);
        try {
            EncodedMessage answer = await(call, to, within);
            Record decoded = host.settings().types().decode(answer);
            if (reply.isInstance(decoded)) {
                return reply.cast(decoded);
            }
            throw new MessageException(
                    new MessageFailure.WrongReply(to, reply.getSimpleName(), answer.type()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MessageException(new MessageFailure.Cancelled());
        }
    }

    private static EncodedMessage await(AgentCall call, AgentId to, Duration within)
            throws InterruptedException {
        EncodedMessage answer;
        try {
            answer = call.await();
        } catch (InterruptedException e) {
            call.giveUp();
            throw e;
        }
        if (answer == null) {
            answer = call.giveUp();
        }
        if (answer == null) {
            throw new MessageException(new MessageFailure.TimedOut(to, within, call.begun()));
        }
        return answer;
    }

    @Override
    public Published publish(Topic topic, Record message) {
        return publish(topic, message, Duration.ZERO);
    }

    @Override
    public Published publish(Topic topic, Record message, Duration within) {
        AgentDeadline until = until(within);
        Envelope draft = draft(MessageKind.PUBLISH, self, Optional.of(topic), message, null);
        try {
            return publish(draft, topic, until);
        } catch (MessageException e) {
            host.report(draft, Outcome.REFUSED, Optional.of(e.failure()));
            throw e;
        }
    }

    private Published publish(Envelope draft, Topic topic, AgentDeadline until) {
        host.gate().enter(self);
        try {
            host.settings().permissions().check(self, Action.PUBLISH, topic.type());
            Set<AgentId> subscribers = tenant.subscribers(topic);
            subscribers.remove(self);
            return new TopicPublication(tenant).publish(draft, subscribers, until);
        } finally {
            host.gate().leave();
        }
    }

    private AgentDeadline until(Duration within) {
        AgentDeadline until = AgentDeadline.in(within);
        if (handling == null) {
            return until;
        }
        handling.check();
        return until.orEarlier(handling.until());
    }

    private Envelope draft(
            MessageKind kind,
            AgentId to,
            Optional<Topic> topic,
            Record message,
            @Nullable AgentCall call) {
        RuntimeSettings settings = host.settings();
        EncodedMessage nothing = new EncodedMessage(settings.types().nameOf(message), new byte[0]);
        Envelope draft =
                new Envelope(
                        host.nextId(),
                        kind,
                        self,
                        to,
                        topic,
                        nothing,
                        settings.clock().instant(),
                        call);
        try {
            int limit = settings.limits().messageBytes();
            return draft.content(settings.types().encode(message, limit));
        } catch (MessageException e) {
            host.report(draft, Outcome.REFUSED, Optional.of(e.failure()));
            throw e;
        }
    }

    private void post(Envelope draft, AgentDeadline until) {
        try {
            Envelope admitted = host.rules().admit(draft);
            AgentCall call = draft.call();
            if (call == null) {
                tenant.deliver(admitted, until);
            } else {
                beginWaiting(draft.to());
                deliverCall(admitted, call, until);
            }
        } catch (MessageException e) {
            host.report(draft, Outcome.REFUSED, Optional.of(e.failure()));
            throw e;
        }
    }

    // Nobody can call those outside, so they are never part of a circle.
    private void beginWaiting(AgentId callee) {
        if (!self.isOutside()) {
            tenant.waits().begin(self, callee);
        }
    }

    private void stopWaiting(AgentId callee) {
        if (!self.isOutside()) {
            tenant.waits().end(self, callee);
        }
    }

    private void deliverCall(Envelope admitted, AgentCall call, AgentDeadline until) {
        try {
            tenant.deliver(admitted, until);
        } catch (MessageException e) {
            call.fail(e.failure());
            throw e;
        }
    }
}
