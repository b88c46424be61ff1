package dev.glovebox.telemetry;

import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.time.Duration;

/** An effect of a kind about which nothing is known here: when it was, and how it ended. */
record OtherEffect() implements EffectKind {

    @Override
    public String spanName(EffectIntent intent) {
        return EffectKind.named(Names.EFFECT, intent.id().kind());
    }

    @Override
    public Attributes before(EffectIntent intent) {
        return Attributes.of(Names.EFFECT_NAME, intent.name());
    }

    @Override
    public Attributes after(EffectOutcome outcome) {
        AttributesBuilder attributes = Attributes.builder();
        EffectKind.error(outcome).ifPresent(error -> attributes.put(Names.ERROR_TYPE, error));
        return attributes.build();
    }

    @Override
    public void measure(Attributes attributes, Duration took, Measures measures) {}
}
