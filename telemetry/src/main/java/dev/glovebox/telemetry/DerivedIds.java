package dev.glovebox.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.glovebox.trace.Digests;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.sdk.trace.IdGenerator;

/**
 * Ids that follow from what a span shows: a run exported twice, or by two processes that each saw a
 * part of it, is one trace.
 *
 * <p>The SDK asks for ids without saying for what, so that is told beforehand. Not for several
 * threads: {@link Runs} has a lock around both.
 */
final class DerivedIds implements IdGenerator {

    private String trace = TraceId.getInvalid();
    private String span = SpanId.getInvalid();

    /** Makes these the ids of the next span. */
    void next(String run, String what) {
        trace = trace(run);
        span = span(run, what);
    }

    @Override
    public String generateTraceId() {
        return trace;
    }

    @Override
    public String generateSpanId() {
        return span;
    }

    static String trace(String run) {
        return digest("glovebox.trace\n" + run).substring(0, TraceId.getLength());
    }

    static String span(String run, String what) {
        return digest("glovebox.span\n" + run + "\n" + what).substring(0, SpanId.getLength());
    }

    /** What the root of a run shows. */
    static String root() {
        return "run";
    }

    static String node(String path) {
        return "node\n" + path;
    }

    static String effect(String key) {
        return "effect\n" + key;
    }

    /** The program that an effect ran. */
    static String program(String key) {
        return "program\n" + key;
    }

    private static String digest(String text) {
        return Digests.hex(text.getBytes(UTF_8));
    }
}
