package dev.glovebox.run;

import dev.glovebox.run.spi.MessageEvent.Outcome;
import java.time.Duration;
import java.util.Optional;

/** What an agent of a local runtime has while it handles one message. */
final class LocalContext implements AgentContext {

    private final Envelope envelope;
    private final LocalTenant tenant;
    private final AgentHandling handling;
    private final LocalMessenger messenger;
    private volatile boolean passivated;
    private boolean replied;

    LocalContext(Envelope envelope, LocalTenant tenant, AgentHandling handling) {
        this.envelope = envelope;
        this.tenant = tenant;
        this.handling = handling;
        this.messenger = new LocalMessenger(envelope.to(), tenant, handling);
    }

    boolean passivated() {
        return passivated;
    }

    @Override
    public AgentId self() {
        handling.check();
        return envelope.to();
    }

    @Override
    public AgentId sender() {
        handling.check();
        return envelope.from();
    }

    @Override
    public Optional<Topic> topic() {
        handling.check();
        return envelope.topic();
    }

    @Override
    public Duration remaining() {
        handling.check();
        return Duration.ofNanos(handling.until().left());
    }

    @Override
    public void reply(Record message) {
        handling.check();
        RuntimeSettings settings = tenant.host().settings();
        EncodedMessage content = settings.types().encode(message, settings.limits().messageBytes());
        answer();
        AgentCall call = envelope.call();
        if (call == null) {
            return;
        }
        Envelope reply =
                new Envelope(
                        envelope.id(),
                        MessageKind.REPLY,
                        envelope.to(),
                        envelope.from(),
                        Optional.empty(),
                        content,
                        settings.clock().instant(),
                        null);
        try {
            boolean taken = call.answer(tenant.host().rules().intercept(reply).content());
            tenant.host()
                    .report(reply, taken ? Outcome.HANDLED : Outcome.EXPIRED, Optional.empty());
        } catch (MessageException e) {
            // It was said, and not let through: the caller is told, the agent has done its work.
            tenant.host().report(reply, Outcome.REFUSED, Optional.of(e.failure()));
            call.fail(e.failure());
        }
    }

    private synchronized void answer() {
        if (replied) {
            throw new IllegalStateException("The call was answered already");
        }
        replied = true;
    }

    @Override
    public void subscribe(Topic topic) {
        handling.check();
        tenant.subscribe(envelope.to(), topic);
    }

    @Override
    public void unsubscribe(Topic topic) {
        handling.check();
        tenant.unsubscribe(envelope.to(), topic);
    }

    @Override
    public void passivate() {
        handling.check();
        passivated = true;
    }

    @Override
    public void send(AgentId to, Record message) {
        messenger.send(to, message);
    }

    @Override
    public void send(AgentId to, Record message, Duration within) {
        messenger.send(to, message, within);
    }

    @Override
    public <R extends Record> R call(AgentId to, Record message, Class<R> reply) {
        return messenger.call(to, message, reply);
    }

    @Override
    public <R extends Record> R call(AgentId to, Record message, Class<R> reply, Duration within) {
        return messenger.call(to, message, reply, within);
    }

    @Override
    public Published publish(Topic topic, Record message) {
        return messenger.publish(topic, message);
    }

    @Override
    public Published publish(Topic topic, Record message, Duration within) {
        return messenger.publish(topic, message, within);
    }
}
