package dev.glovebox.telemetry;

import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanKind;
import java.time.Duration;
import java.util.List;

/**
 * A question to a model; its effect has the kind {@code model} and the model's name, which may
 * begin with its provider and a colon.
 */
record ModelCall() implements EffectKind {

    private static final Member<String> PROVIDER = Member.text("provider", Names.PROVIDER);

    private static final List<Member<?>> BEFORE =
            List.of(
                    Member.text("agent", Names.AGENT),
                    PROVIDER,
                    Member.text("outputType", Names.OUTPUT_TYPE),
                    Member.number("maxTokens", Names.MAX_TOKENS));

    private static final List<Member<?>> AFTER =
            List.of(
                    Member.text("server", Names.SERVER_ADDRESS),
                    Member.number("port", Names.SERVER_PORT),
                    Member.flag("stream", Names.STREAM),
                    Member.text("responseId", Names.RESPONSE_ID),
                    Member.text("responseModel", Names.RESPONSE_MODEL),
                    Member.texts("finishReasons", Names.FINISH_REASONS),
                    Member.ratio("firstChunkMicros", Names.FIRST_CHUNK, 1e6),
                    Member.number("inputTokens", Names.INPUT_TOKENS),
                    Member.number("outputTokens", Names.OUTPUT_TOKENS),
                    Member.number("cacheReadTokens", Names.CACHE_READ_TOKENS),
                    Member.number("cacheCreationTokens", Names.CACHE_CREATION_TOKENS),
                    Member.number("reasoningTokens", Names.REASONING_TOKENS));

    private static final Member<Double> COST = Member.ratio("microDollars", Names.COST, 1e6);

    @Override
    public SpanKind spanKind() {
        return SpanKind.CLIENT;
    }

    @Override
    public String spanName(EffectIntent intent) {
        return EffectKind.named(Names.CHAT, model(intent));
    }

    private static String model(EffectIntent intent) {
        String provider = Member.textOf(intent.details().path(PROVIDER.name())).orElse("") + ":";
        return intent.name().startsWith(provider)
                ? intent.name().substring(provider.length())
                : intent.name();
    }

    @Override
    public Attributes before(EffectIntent intent) {
        AttributesBuilder attributes = Attributes.builder().put(Names.OPERATION, Names.CHAT);
        if (!intent.name().isEmpty()) {
            attributes.put(Names.REQUEST_MODEL, model(intent));
        }
        return attributes.putAll(Member.read(BEFORE, intent.details())).build();
    }

    @Override
    public Attributes after(EffectOutcome outcome) {
        AttributesBuilder attributes = Member.read(AFTER, outcome.details()).toBuilder();
        COST.copy(outcome.details().path("cost"), attributes);
        EffectKind.error(outcome).ifPresent(error -> attributes.put(Names.ERROR_TYPE, error));
        return attributes.build();
    }

    @Override
    public void measure(Attributes attributes, Duration took, Measures measures) {
        measures.modelCall(attributes, took);
    }
}
