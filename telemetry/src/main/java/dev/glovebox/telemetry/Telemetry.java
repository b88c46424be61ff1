package dev.glovebox.telemetry;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.spi.TraceStore;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Shows runs to OpenTelemetry: takes their records, live or from a store, and makes spans and
 * metrics of them.
 *
 * <p>Many threads may give it records of many runs, those of one run in their order. It never fails
 * and never waits for a receiver: spans that a receiver does not take are dropped, counted, and
 * told once.
 */
public final class Telemetry implements Consumer<Entry>, AutoCloseable {

    // Somebody waits at a prompt for this, and a receiver that is well answers in milliseconds.
    private static final Duration LONGEST_FLUSH = Duration.ofSeconds(3);

    private final Optional<Live> live;

    private record Live(Runs runs, OpenTelemetrySdk sdk, Outbox outbox) {}

    private Telemetry(Optional<Live> live) {
        this.live = live;
    }

    /** Shows nothing, and costs nothing. */
    public static Telemetry none() {
        return new Telemetry(Optional.empty());
    }

    /** Prints a line for each span; no metrics. */
    public static Telemetry console(PrintStream out) {
        return console(out, digest -> Optional.empty());
    }

    /**
     * Prints a line for each span; no metrics.
     *
     * @param blobs where the beginnings of error outputs are read, such as {@link TraceStore#blob}
     */
    public static Telemetry console(PrintStream out, Function<String, Optional<Blob>> blobs) {
        DerivedIds ids = new DerivedIds();
        SdkTracerProvider tracers =
                SdkTracerProvider.builder()
                        .setIdGenerator(ids)
                        .addSpanProcessor(new Console(out))
                        .build();
        OpenTelemetrySdk sdk = OpenTelemetrySdk.builder().setTracerProvider(tracers).build();
        return over(sdk, ids, blobs, new Outbox());
    }

    /**
     * Sends to where the standard {@code OTEL_*} variables say; if they name no receiver, this is
     * {@link #none}.
     *
     * @throws TelemetryMisconfigured if they cannot be used
     */
    public static Telemetry fromEnvironment() {
        return fromEnvironment(System.getenv(), digest -> Optional.empty());
    }

    /**
     * The same, with variables from elsewhere.
     *
     * @param blobs where the beginnings of error outputs are read, such as {@link TraceStore#blob}
     */
    public static Telemetry fromEnvironment(
            Map<String, String> environment, Function<String, Optional<Blob>> blobs) {
        Otlp otlp = new Otlp(environment);
        if (!otlp.wanted()) {
            return none();
        }
        DerivedIds ids = new DerivedIds();
        Outbox outbox = new Outbox();
        return over(otlp.sdk(ids, outbox), ids, blobs, outbox);
    }

    private static Telemetry over(
            OpenTelemetrySdk sdk,
            DerivedIds ids,
            Function<String, Optional<Blob>> blobs,
            Outbox outbox) {
        Runs runs = new Runs(sdk, ids, blobs, outbox::dropped);
        return new Telemetry(Optional.of(new Live(runs, sdk, outbox)));
    }

    /** Whether anybody looks; if not, nobody needs to give it records. */
    public boolean on() {
        return live.isPresent();
    }

    /** Takes the next record of a run; one that it has already seen is passed over. */
    @Override
    public void accept(Entry entry) {
        live.ifPresent(to -> to.runs().accept(entry, true));
    }

    /**
     * Takes the records of a run that another process has begun, and shown: its spans are made of
     * all of them, and those from a number on are counted.
     */
    public Consumer<Entry> countingFrom(long seq) {
        return entry -> live.ifPresent(to -> to.runs().accept(entry, entry.seq() >= seq));
    }

    /** How many spans were not taken by their receiver. */
    public long dropped() {
        return live.map(to -> to.outbox().dropped()).orElse(0L);
    }

    /**
     * Ends the spans of runs that have not ended, marked as such, and sends what is left; waits a
     * few seconds at most.
     */
    @Override
    public void close() {
        live.ifPresent(Telemetry::close);
    }

    private static void close(Live live) {
        if (!live.runs().close()) {
            return;
        }
        // The SDK itself would wait much longer for a receiver that hangs.
        Thread flush =
                Thread.ofVirtual()
                        .start(() ->
                                live.sdk().shutdown().join(LONGEST_FLUSH.toMillis(), MILLISECONDS));
        try {
            flush.join(LONGEST_FLUSH);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        live.outbox().close();
    }
}
