package dev.glovebox.telemetry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.StatusCode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A program that runs in a box. Its effect has the kind {@code sandbox.exec}, or is the call of a
 * tool that tells of the program in its own details.
 */
record SandboxExec() implements EffectKind {

    private static final long MEBIBYTE = 1 << 20;
    private static final double MILLIS = 1e3;

    private static final Member<String> TIER = Member.text("tier", Names.TIER);

    private static final List<Member<?>> BEFORE =
            List.of(
                    TIER,
                    Member.number("codeLength", Names.CODE_LENGTH),
                    Member.ratio("timeoutMillis", Names.TIMEOUT, MILLIS),
                    Member.whole("memoryBytes", Names.MEMORY_LIMIT, MEBIBYTE));

    // What a reference says of the output's length comes first: it is replaced by the length of
    // all that was written, where only a part was kept.
    private static final Member<Long> KEPT_BYTES = Member.number("bytes", Names.STDOUT_BYTES);
    private static final List<Member<?>> AFTER =
            List.of(TIER, Member.number("stdoutBytes", Names.STDOUT_BYTES));

    private static final List<Member<?>> OUTCOME =
            List.of(Member.text("type", Names.OUTCOME), Member.number("code", Names.EXIT_CODE));

    /** Whether an outcome tells of a program. */
    static boolean isIn(EffectOutcome outcome) {
        return type(outcome).isPresent();
    }

    @Override
    public String spanName(EffectIntent intent) {
        return Names.SANDBOX_EXEC;
    }

    @Override
    public Attributes before(EffectIntent intent) {
        return Member.read(BEFORE, intent.details());
    }

    @Override
    public Attributes after(EffectOutcome outcome) {
        JsonNode details = outcome.details();
        AttributesBuilder attributes = Attributes.builder();
        KEPT_BYTES.copy(details.path("stdout"), attributes);
        attributes
                .putAll(Member.read(AFTER, details))
                .putAll(Member.read(OUTCOME, details.path("outcome")))
                .put(Names.TIMED_OUT, type(outcome).filter("timed-out"::equals).isPresent());
        error(outcome).ifPresent(error -> attributes.put(Names.ERROR_TYPE, error));
        return attributes.build();
    }

    /** Whatever is not an exit with 0 is an error: a limit, a signal and a refusal as well. */
    private static Optional<String> error(EffectOutcome outcome) {
        JsonNode code = outcome.details().path("outcome").path("code");
        boolean zero = code.isIntegralNumber() && code.longValue() == 0;
        return EffectKind.error(outcome).or(() -> type(outcome).filter(type -> !zero));
    }

    private static Optional<String> type(EffectOutcome outcome) {
        return Member.textOf(outcome.details().path("outcome").path("type"));
    }

    @Override
    public StatusCode fine() {
        return StatusCode.OK;
    }

    @Override
    public void measure(Attributes attributes, Duration took, Measures measures) {
        measures.sandboxExec(attributes, took);
    }
}
