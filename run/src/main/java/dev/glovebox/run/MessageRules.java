package dev.glovebox.run;

import dev.glovebox.run.Permissions.Action;
import dev.glovebox.run.spi.MessageInterceptor;
import dev.glovebox.run.spi.MessageInterceptor.Change;
import dev.glovebox.run.spi.MessageInterceptor.Drop;
import dev.glovebox.run.spi.MessageInterceptor.Pass;
import dev.glovebox.run.spi.MessageInterceptor.Passing;
import java.util.function.Predicate;

/** What a message must pass before it gets into a mailbox. */
final class MessageRules {

    private final RuntimeSettings settings;
    private final Predicate<String> registered;

    MessageRules(RuntimeSettings settings, Predicate<String> registered) {
        this.settings = settings;
        this.registered = registered;
    }

    /** A direct message as it may go on, if it may. */
    Envelope admit(Envelope draft) {
        AgentId from = draft.from();
        AgentId to = draft.to();
        // First of all, so that nobody learns of another tenant what there is.
        if (!to.tenant().equals(from.tenant())) {
            throw new MessageException(new MessageFailure.OtherTenant(from.tenant(), to));
        }
        settings.permissions().check(from, Action.SEND, to.type());
        checkType(to.type());
        return intercept(draft);
    }

    /** Goes on only if this agent may be subscribed. */
    void admitSubscription(String agentType, String topicType) {
        if (!settings.permissions().allows(agentType, Action.SUBSCRIBE, topicType)) {
            throw new MessageException(
                    new MessageFailure.NotPermitted(agentType, Action.SUBSCRIBE, topicType));
        }
        checkType(agentType);
    }

    private void checkType(String type) {
        if (!registered.test(type)) {
            throw new MessageException(new MessageFailure.NoSuchType(type));
        }
    }

    /** The message as the interceptors want it. */
    Envelope intercept(Envelope draft) {
        Envelope passing = draft;
        for (MessageInterceptor interceptor : settings.interceptors()) {
            passing = passing.content(decided(interceptor, passing));
        }
        return passing;
    }

    private EncodedMessage decided(MessageInterceptor interceptor, Envelope passing) {
        try {
            // A copy for each: what one does to it must not deceive the next.
            Record copy = settings.types().decode(passing.content());
            return switch (interceptor.intercept(
                    new Passing(
                            passing.kind(), passing.from(), passing.to(), passing.topic(), copy))) {
                case Pass _ -> passing.content();
                case Change change ->
                        settings.types().encode(change.content(), settings.limits().messageBytes());
                case Drop drop ->
                        throw new MessageException(new MessageFailure.Dropped(drop.reason()));
            };
        } catch (MessageException e) {
            throw e.failure() instanceof MessageFailure.Dropped ? e : broken(interceptor, e);
        } catch (RuntimeException | Error e) {
            throw broken(interceptor, e);
        }
    }

    private static MessageException broken(MessageInterceptor interceptor, Throwable e) {
        String reason = interceptor.getClass().getSimpleName() + " failed: " + e.getMessage();
        MessageException dropped = new MessageException(new MessageFailure.Dropped(reason));
        dropped.initCause(e);
        return dropped;
    }
}
