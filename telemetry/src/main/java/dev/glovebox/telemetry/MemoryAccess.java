package dev.glovebox.telemetry;

import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.time.Duration;
import java.util.List;

/** A use of a memory; its effect has the kind {@code memory} and the name of what was done. */
record MemoryAccess() implements EffectKind {

    private static final Member<String> STORE = Member.text("store", Names.MEMORY_STORE);
    private static final Member<String> RECORD = Member.text("record", Names.MEMORY_RECORD);

    private static final List<Member<?>> BEFORE = List.of(STORE, RECORD);

    private static final List<Member<?>> AFTER =
            List.of(RECORD, Member.number("records", Names.MEMORY_COUNT));

    @Override
    public String spanName(EffectIntent intent) {
        return EffectKind.named(
                operation(intent), Member.textOf(intent.details().path("store")).orElse(""));
    }

    @Override
    public Attributes before(EffectIntent intent) {
        return Attributes.builder()
                .put(Names.OPERATION, operation(intent))
                .putAll(Member.read(BEFORE, intent.details()))
                .build();
    }

    private static String operation(EffectIntent intent) {
        return intent.name() + Names.MEMORY_OPERATION;
    }

    @Override
    public Attributes after(EffectOutcome outcome) {
        AttributesBuilder attributes = Member.read(AFTER, outcome.details()).toBuilder();
        EffectKind.error(outcome).ifPresent(error -> attributes.put(Names.ERROR_TYPE, error));
        return attributes.build();
    }

    @Override
    public void measure(Attributes attributes, Duration took, Measures measures) {}
}
