package dev.glovebox.telemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.concurrent.TimeUnit;

/** Begins spans with derived ids and the times of events. */
final class Spans {

    private final Tracer tracer;
    private final DerivedIds ids;

    Spans(Tracer tracer, DerivedIds ids) {
        this.tracer = tracer;
        this.ids = ids;
    }

    /**
     * Begins a span.
     *
     * @param what of the run it shows, see {@link DerivedIds}
     * @param parent {@link Span#getInvalid} for none
     * @param at microseconds since 1970
     */
    Span begin(
            String run,
            String what,
            Span parent,
            String name,
            SpanKind kind,
            Attributes attributes,
            long at) {
        ids.next(run, what);
        return tracer.spanBuilder(name)
                .setParent(Context.root().with(parent))
                .setSpanKind(kind)
                .setAllAttributes(attributes)
                .setStartTimestamp(at, TimeUnit.MICROSECONDS)
                .startSpan();
    }

    /** A span that was begun elsewhere, or has ended; good as a parent only. */
    static Span elsewhere(String run, String what, TraceFlags flags) {
        return Span.wrap(
                SpanContext.create(
                        DerivedIds.trace(run),
                        DerivedIds.span(run, what),
                        flags,
                        TraceState.getDefault()));
    }
}
