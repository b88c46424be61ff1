package dev.glovebox.telemetry;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Malformed;
import io.opentelemetry.api.OpenTelemetry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** The runs that have not ended, by their names. */
final class Runs {

    private final Spans spans;
    private final Measures measures;
    private final Previews previews;
    private final Function<String, Optional<Blob>> blobs;
    private final Map<String, RunSpans> open = new LinkedHashMap<>();
    private boolean closed;

    Runs(
            OpenTelemetry sdk,
            DerivedIds ids,
            Function<String, Optional<Blob>> blobs,
            LongSupplier dropped) {
        spans =
                new Spans(
                        sdk.getTracerProvider()
                                .tracerBuilder(Names.SCOPE)
                                .setSchemaUrl(Names.SCHEMA)
                                .build(),
                        ids);
        measures =
                new Measures(
                        sdk.getMeterProvider()
                                .meterBuilder(Names.SCOPE)
                                .setSchemaUrl(Names.SCHEMA)
                                .build(),
                        dropped);
        this.previews = new Previews(blobs);
        this.blobs = blobs;
    }

    /**
     * Shows one more record.
     *
     * @param counts whether it is counted as well
     */
    void accept(Entry entry, boolean counts) {
        Event event = read(entry);
        // Not under the lock: it may ask a database.
        Optional<String> preview = previews.of(event);
        RunAttempts attempts = RunAttempts.of(event, blobs);
        synchronized (this) {
            if (closed) {
                return;
            }
            RunSpans run = open.get(entry.run());
            if (run == null) {
                if (event instanceof Event.BlobRedacted) {
                    // Content is also deleted long after a run has ended.
                    return;
                }
                run = new RunSpans(spans, measures, entry, event);
                open.put(entry.run(), run);
            }
            if (run.counting(counts).accept(entry, event, preview, attempts)) {
                open.remove(entry.run());
            }
        }
    }

    /** A body that makes no sense is for the verifier to complain about; here it is shown. */
    private static Event read(Entry entry) {
        try {
            return entry.event();
        } catch (Malformed nonsense) {
            return new Event.Other(entry.type(), entry.version(), entry.rawBody());
        }
    }

    /** Ends all spans; true if this had not been done. */
    synchronized boolean close() {
        if (closed) {
            return false;
        }
        closed = true;
        open.values().forEach(RunSpans::abandon);
        open.clear();
        return true;
    }
}
