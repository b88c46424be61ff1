package dev.glovebox.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Prints a line for each span that ends, indented by its depth.
 *
 * <p>A span ends after those in it, so the lines of a run are a tree with its root at the bottom.
 */
final class Console implements SpanProcessor {

    private static final String INDENT = "  ";

    /** What people look for, in this order; the rest is for machines. */
    private static final List<AttributeKey<?>> SHOWN =
            List.of(
                    Names.RUN_ID,
                    Names.STOP,
                    Names.PROVIDER,
                    Names.RESPONSE_MODEL,
                    Names.INPUT_TOKENS,
                    Names.OUTPUT_TOKENS,
                    Names.EFFECT_NAME,
                    Names.TIER,
                    Names.EXIT_CODE,
                    Names.STDOUT_BYTES,
                    Names.STDERR_PREVIEW,
                    Names.EDGE,
                    Names.ERROR_TYPE,
                    Names.PARTIAL,
                    Names.UNFINISHED);

    private final PrintStream out;
    private final Map<String, Integer> depths = new HashMap<>();

    Console(PrintStream out) {
        this.out = out;
    }

    @Override
    public synchronized void onStart(Context parentContext, ReadWriteSpan span) {
        boolean root = !span.getParentSpanContext().isValid();
        int above = depths.getOrDefault(span.getParentSpanContext().getSpanId(), 0);
        depths.put(span.getSpanContext().getSpanId(), root ? 0 : above + 1);
    }

    @Override
    public boolean isStartRequired() {
        return true;
    }

    @Override
    public synchronized void onEnd(ReadableSpan span) {
        Integer depth = depths.remove(span.getSpanContext().getSpanId());
        out.println(INDENT.repeat(depth == null ? 0 : depth) + line(span.toSpanData()));
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    private static String line(SpanData span) {
        StringBuilder line = new StringBuilder(plain(span.getName()));
        line.append(INDENT).append(duration(span.getEndEpochNanos() - span.getStartEpochNanos()));
        StatusCode status = span.getStatus().getStatusCode();
        if (status != StatusCode.UNSET) {
            line.append(INDENT).append(status);
        }
        for (AttributeKey<?> shown : SHOWN) {
            Object value = span.getAttributes().get(shown);
            if (value != null) {
                line.append(INDENT).append(shown).append('=').append(value(value));
            }
        }
        return line.toString();
    }

    private static String duration(long nanos) {
        return nanos < 1_000_000_000
                ? String.format(Locale.ROOT, "%.1f ms", nanos / 1e6)
                : String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
    }

    private static String value(Object value) {
        String text = plain(value.toString());
        return text.indexOf(' ') < 0 ? text : '"' + text + '"';
    }

    /** What a program wrote must not move the cursor of whoever looks at it. */
    private static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        text.codePoints()
                .forEach(c -> {
                    if (c == '\n') {
                        plain.append("\\n");
                    } else if (harmless(c)) {
                        plain.appendCodePoint(c);
                    } else {
                        plain.append(String.format("\\u%04x", c));
                    }
                });
        return plain.toString();
    }

    private static boolean harmless(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            default -> true;
        };
    }
}
