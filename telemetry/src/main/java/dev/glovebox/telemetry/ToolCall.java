package dev.glovebox.telemetry;

import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A call of a tool; its effect has the kind {@code tool} and the tool's name. */
record ToolCall() implements EffectKind {

    // The word that the conventions have for it with MCP.
    private static final String TOOL_ERROR = "tool_error";

    private static final List<Member<?>> BEFORE =
            List.of(
                    Member.text("callId", Names.TOOL_CALL_ID),
                    Member.text("toolType", Names.TOOL_TYPE),
                    Member.text("description", Names.TOOL_DESCRIPTION));

    @Override
    public String spanName(EffectIntent intent) {
        return EffectKind.named(Names.EXECUTE_TOOL, intent.name());
    }

    @Override
    public Attributes before(EffectIntent intent) {
        return Attributes.builder()
                .put(Names.OPERATION, Names.EXECUTE_TOOL)
                .put(Names.TOOL_NAME, intent.name())
                .putAll(Member.read(BEFORE, intent.details()))
                .build();
    }

    @Override
    public Attributes after(EffectOutcome outcome) {
        AttributesBuilder attributes = Attributes.builder();
        error(outcome).ifPresent(error -> attributes.put(Names.ERROR_TYPE, error));
        return attributes.build();
    }

    /** A tool may have been called and have an error as its result. */
    private static Optional<String> error(EffectOutcome outcome) {
        boolean told = outcome.details().path("isError").booleanValue();
        return EffectKind.error(outcome)
                .or(() -> told ? Optional.of(TOOL_ERROR) : Optional.empty());
    }

    @Override
    public void measure(Attributes attributes, Duration took, Measures measures) {
        measures.toolCall(attributes, took);
    }
}
