package dev.glovebox.telemetry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** How the effects of one kind look: as spans, and in numbers. */
sealed interface EffectKind permits ModelCall, ToolCall, SandboxExec, MemoryAccess, OtherEffect {

    String TOOL = "tool";
    String SANDBOX_EXEC = "sandbox.exec";
    String MEMORY = "memory";

    /** The convention's word for an error of which no more is known. */
    String SOME_ERROR = "_OTHER";

    Pattern WORD = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+){0,2}");
    int LONGEST_WORD = 30;

    static EffectKind of(String kind) {
        return switch (kind) {
            case EffectId.MODEL -> new ModelCall();
            case TOOL -> new ToolCall();
            case SANDBOX_EXEC -> new SandboxExec();
            case MEMORY -> new MemoryAccess();
            // The kinds of effects are open.
            default -> new OtherEffect();
        };
    }

    String spanName(EffectIntent intent);

    Attributes before(EffectIntent intent);

    /** What the outcome adds; with {@link Names#ERROR_TYPE} if it is an error. */
    Attributes after(EffectOutcome outcome);

    /**
     * Counts it.
     *
     * @param attributes all that its span has
     */
    void measure(Attributes attributes, Duration took, Measures measures);

    default SpanKind spanKind() {
        return SpanKind.INTERNAL;
    }

    /** The status of what went well; the conventions leave it open. */
    default StatusCode fine() {
        return StatusCode.UNSET;
    }

    /** The type of error, from the details or else from the status. */
    static Optional<String> error(EffectOutcome outcome) {
        JsonNode named = outcome.details().path("problem").path("code");
        return Member.textOf(named)
                .map(EffectKind::word)
                .or(() ->
                        switch (outcome.status()) {
                            case DONE -> Optional.empty();
                            case FAILED -> Optional.of(SOME_ERROR);
                            case UNKNOWN -> Optional.of("unknown");
                        });
    }

    /** What is no plain word would be one more series, and may be what somebody said. */
    static String word(String text) {
        boolean plain = text.length() <= LONGEST_WORD && WORD.matcher(text).matches();
        return plain ? text : SOME_ERROR;
    }

    /** A name of two words, the second of which may not be known. */
    static String named(String first, String second) {
        return second.isEmpty() ? first : first + " " + second;
    }
}
