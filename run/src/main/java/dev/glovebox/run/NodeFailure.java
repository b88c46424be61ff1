package dev.glovebox.run;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A node threw something that ends it, and with it what it is a part of. */
final class NodeFailure extends RuntimeException {

    private final String path;
    private final StopReason reason;
    private final boolean hidden;

    private NodeFailure(String path, StopReason reason, String message, Throwable cause) {
        super(message, cause);
        this.path = path;
        this.reason = reason;
        this.hidden = isHidden(cause);
    }

    /**
     * The failure of the innermost node counts.
     *
     * @param message as it was recorded: exceptions do not always say the same
     */
    static NodeFailure of(String path, Throwable cause, String message) {
        if (cause instanceof NodeFailure inner) {
            return inner;
        }
        StopReason reason =
                switch (cause) {
                    case EffectFailed e when e.code().equals(Failure.NOT_ENFORCEABLE) ->
                            new StopReason.NotEnforceable(message);
                    case EffectFailed e when e.kind().equals("model") ->
                            new StopReason.ModelFailed(e.name(), message);
                    case EffectFailed e when e.kind().equals("tool") ->
                            new StopReason.ToolFailed(e.name(), message);
                    default -> new StopReason.Failed(path, message);
                };
        return new NodeFailure(path, reason, message, cause);
    }

    /** What is said of it. */
    static String problem(Throwable cause) {
        return cause instanceof NodeFailure inner
                ? inner.problem()
                : Details.clean(describe(cause));
    }

    private static String describe(Throwable cause) {
        String message = message(cause);
        if (cause instanceof RunException && message != null) {
            return message;
        }
        String kind = cause.getClass().getSimpleName();
        return message == null ? kind : kind + ": " + message;
    }

    /** What an exception says of itself; nothing, if it fails to. */
    static @Nullable String message(Throwable cause) {
        try {
            return cause.getMessage();
        } catch (RuntimeException | Error e) {
            return null;
        }
    }

    /** Whether it may tell of something private: an effect that is has to do with it. */
    static boolean isHidden(Throwable problem) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable at = problem; at != null && seen.add(at); at = at.getCause()) {
            boolean here =
                    switch (at) {
                        case EffectFailed e -> e.isHidden();
                        case Stop e -> e.isHidden();
                        case NodeFailure e -> e.hidden;
                        default -> false;
                    };
            if (here) {
                return true;
            }
        }
        return false;
    }

    String path() {
        return path;
    }

    StopReason reason() {
        return reason;
    }

    String problem() {
        return String.valueOf(getMessage());
    }
}
