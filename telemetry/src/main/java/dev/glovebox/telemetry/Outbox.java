package dev.glovebox.telemetry;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds how many spans wait for the receiver, and counts those that it will never have.
 *
 * <p>The SDK's own queue is bounded too, but does not tell what it dropped: so it is never let run
 * full. A span waits from its end until the receiver has taken its batch.
 */
final class Outbox {

    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

    private final AtomicLong waiting = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicBoolean told = new AtomicBoolean();

    long dropped() {
        return dropped.get();
    }

    /** Whatever waits now is lost. */
    void close() {
        drop(waiting.getAndSet(0));
    }

    private void drop(long spans) {
        dropped.addAndGet(spans);
        if (spans > 0 && told.compareAndSet(false, true)) {
            LOG.warn(
                    "Spans are lost: the OpenTelemetry receiver does not take them, see"
                            + " OTEL_EXPORTER_OTLP_ENDPOINT. Runs go on and their traces are"
                            + " complete. This is told once.");
        }
    }

    /** Passes spans on to a processor unless too many wait. */
    SpanProcessor before(SpanProcessor next, int most) {
        return new Bounded(next, most);
    }

    /** Passes spans on to an exporter and sees what becomes of them. */
    SpanExporter watching(SpanExporter next) {
        return new Watched(next);
    }

    private final class Bounded implements SpanProcessor {

        private final SpanProcessor next;
        private final int most;

        Bounded(SpanProcessor next, int most) {
            this.next = next;
            this.most = most;
        }

        @Override
        public void onStart(Context parentContext, ReadWriteSpan span) {
            next.onStart(parentContext, span);
        }

        @Override
        public boolean isStartRequired() {
            return next.isStartRequired();
        }

        @Override
        public void onEnd(ReadableSpan span) {
            if (!span.getSpanContext().isSampled()) {
                return;
            }
            if (waiting.incrementAndGet() > most) {
                waiting.decrementAndGet();
                drop(1);
            } else {
                next.onEnd(span);
            }
        }

        @Override
        public boolean isEndRequired() {
            return true;
        }

        @Override
        public CompletableResultCode forceFlush() {
            return next.forceFlush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return next.shutdown();
        }
    }

    private final class Watched implements SpanExporter {

        private final SpanExporter next;

        Watched(SpanExporter next) {
            this.next = next;
        }

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            // The collection is used again when this returns.
            int size = spans.size();
            CompletableResultCode result = next.export(spans);
            return result.whenComplete(() -> {
                long before = waiting.getAndUpdate(count -> Math.max(0, count - size));
                if (!result.isSuccess()) {
                    // After close they were counted already.
                    drop(Math.min(before, size));
                }
            });
        }

        @Override
        public CompletableResultCode flush() {
            return next.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return next.shutdown();
        }
    }
}
