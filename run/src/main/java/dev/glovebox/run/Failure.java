package dev.glovebox.run;

import java.time.Duration;
import java.util.Optional;

/** What an effect throws when it was not done. */
public final class Failure extends RunException {

    private final String code;
    private final boolean passing;
    private final Optional<Duration> after;

    private Failure(String code, String message, boolean passing, Optional<Duration> after) {
        super(message);
        this.code = code;
        this.passing = passing;
        this.after = after;
    }

    /**
     * It would fail again.
     *
     * @param code for programs, such as {@code invalid-key}
     */
    public static Failure lasting(String code, String message) {
        return new Failure(code, message, false, Optional.empty());
    }

    /** It may succeed when tried again. */
    public static Failure passing(String code, String message) {
        return new Failure(code, message, true, Optional.empty());
    }

    /** It may succeed when tried again, not before so much time has passed. */
    public static Failure passing(String code, String message, Duration after) {
        return new Failure(code, message, true, Optional.of(after));
    }

    public String code() {
        return code;
    }

    boolean isPassing() {
        return passing;
    }

    Optional<Duration> after() {
        return after;
    }
}
