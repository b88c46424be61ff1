package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.trace.Event;
import java.time.Duration;
import java.util.Optional;

/** What an effect throws when it was not done. */
public final class Failure extends RunException {

    /** The code of what was not done since a policy cannot be enforced: its run stops for that. */
    public static final String NOT_ENFORCEABLE = "not-enforceable";

    private final String code;
    private final boolean passing;
    private final Optional<Duration> after;
    private final JsonNode details;
    private final Optional<Cost> used;

    private Failure(
            String code,
            String message,
            boolean passing,
            Optional<Duration> after,
            JsonNode details,
            Optional<Cost> used) {
        super(message);
        this.code = code;
        this.passing = passing;
        this.after = after;
        this.details = details;
        this.used = used;
    }

    /**
     * It would fail again.
     *
     * @param code for programs, such as {@code invalid-key}
     */
    public static Failure lasting(String code, String message) {
        return new Failure(code, message, false, Optional.empty(), Event.NONE, Optional.empty());
    }

    /** It may succeed when tried again. */
    public static Failure passing(String code, String message) {
        return new Failure(code, message, true, Optional.empty(), Event.NONE, Optional.empty());
    }

    /** It may succeed when tried again, not before so much time has passed. */
    public static Failure passing(String code, String message, Duration after) {
        return new Failure(code, message, true, Optional.of(after), Event.NONE, Optional.empty());
    }

    /** The same failure, with more that goes into its record, in integers and texts. */
    public Failure details(JsonNode more) {
        ObjectNode all = Details.copy(details);
        all.setAll(Details.copy(more));
        return copy(all, used);
    }

    /**
     * The same failure, with what it has cost all the same; a call of which nothing came if not.
     */
    public Failure used(Cost cost) {
        return copy(details, Optional.of(cost));
    }

    private Failure copy(JsonNode details, Optional<Cost> used) {
        Failure copy = new Failure(code, getMessage(), passing, after, details, used);
        if (getCause() != null) {
            copy.initCause(getCause());
        }
        return copy;
    }

    /** What it has cost, if that is known. */
    public Optional<Cost> used() {
        return used;
    }

    public String code() {
        return code;
    }

    JsonNode details() {
        return details;
    }

    /** Whether it may succeed when tried again. */
    public boolean isPassing() {
        return passing;
    }

    /** How long to wait before it is tried again, at least; empty if that is open. */
    public Optional<Duration> after() {
        return after;
    }
}
