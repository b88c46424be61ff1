package dev.glovebox.run;

import dev.glovebox.run.spi.MessageInterceptor;
import dev.glovebox.run.spi.MessageListener;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;

/**
 * What every kind of runtime must know. Immutable; each method makes a new one.
 *
 * @param types what can be sent
 * @param permissions who may do what; without them, everybody everything in his tenant
 * @param limits room, time and number
 * @param interceptors asked in this order about each message
 * @param listeners told of each message what became of it
 * @param clock for the times that listeners are told
 */
public record RuntimeSettings(
        MessageTypes types,
        Permissions permissions,
        AgentLimits limits,
        List<MessageInterceptor> interceptors,
        List<MessageListener> listeners,
        Clock clock) {

    /** Copies the lists. */
    public RuntimeSettings {
        interceptors = List.copyOf(interceptors);
        listeners = List.copyOf(listeners);
    }

    /** These messages, and the standard for everything else. */
    public static RuntimeSettings of(MessageTypes types) {
        return new RuntimeSettings(
                types,
                Permissions.everything(),
                AgentLimits.standard(),
                List.of(),
                List.of(),
                Clock.systemUTC());
    }

    /** With permissions: what they do not allow is denied from now on. */
    public RuntimeSettings permissions(Permissions given) {
        return new RuntimeSettings(types, given, limits, interceptors, listeners, clock);
    }

    /** With other limits. */
    public RuntimeSettings limits(AgentLimits given) {
        return new RuntimeSettings(types, permissions, given, interceptors, listeners, clock);
    }

    /** With one more interceptor, after the others. */
    public RuntimeSettings intercept(MessageInterceptor one) {
        return new RuntimeSettings(
                types,
                permissions,
                limits,
                Stream.concat(interceptors.stream(), Stream.of(one)).toList(),
                listeners,
                clock);
    }

    /** With one more listener. */
    public RuntimeSettings listen(MessageListener one) {
        return new RuntimeSettings(
                types,
                permissions,
                limits,
                interceptors,
                Stream.concat(listeners.stream(), Stream.of(one)).toList(),
                clock);
    }

    /** With another clock. */
    public RuntimeSettings clock(Clock given) {
        return new RuntimeSettings(types, permissions, limits, interceptors, listeners, given);
    }
}
