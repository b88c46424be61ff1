package dev.glovebox.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleCounter;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.api.metrics.Meter;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The metrics; their attributes are those of the spans which do not take too many values. */
final class Measures {

    private static final List<AttributeKey<?>> OF_MODEL_CALLS =
            List.of(
                    Names.OPERATION,
                    Names.AGENT,
                    Names.PROVIDER,
                    Names.REQUEST_MODEL,
                    Names.RESPONSE_MODEL,
                    Names.SERVER_ADDRESS,
                    Names.SERVER_PORT);
    private static final List<AttributeKey<?>> OF_TOOL_CALLS =
            List.of(Names.OPERATION, Names.TOOL_NAME, Names.TOOL_TYPE, Names.ERROR_TYPE);
    private static final List<AttributeKey<?>> OF_BOXES = List.of(Names.TIER, Names.OUTCOME);
    private static final List<AttributeKey<?>> OF_AGENTS = List.of(Names.AGENT, Names.ERROR_TYPE);
    private static final List<AttributeKey<?>> OF_RUNS =
            List.of(Names.OPERATION, Names.WORKFLOW, Names.ERROR_TYPE);
    private static final List<AttributeKey<?>> OF_STOPS = List.of(Names.WORKFLOW, Names.STOP);

    private static final int MOST_CATEGORIES = 50;

    private final LongHistogram tokens;
    private final DoubleCounter costs;
    private final DoubleHistogram modelCalls;
    private final DoubleHistogram toolCalls;
    private final DoubleHistogram boxes;
    private final DoubleHistogram agents;
    private final DoubleHistogram runs;
    private final LongCounter boxOutcomes;
    private final LongCounter runStops;
    private final LongHistogram attempts;
    private final LongCounter failures;
    private final Set<String> categories = new HashSet<>();

    Measures(Meter meter, LongSupplier dropped) {
        tokens =
                meter.histogramBuilder(Names.TOKEN_USAGE)
                        .ofLongs()
                        .setUnit("{token}")
                        .setDescription("Tokens of a model call")
                        .setExplicitBucketBoundariesAdvice(Names.TOKEN_BUCKETS)
                        .build();
        costs =
                meter.counterBuilder(Names.MODEL_COST)
                        .ofDoubles()
                        .setUnit("{USD}")
                        .setDescription("What model calls cost, by list prices")
                        .build();
        modelCalls =
                seconds(
                        meter,
                        Names.OPERATION_DURATION,
                        "How long a model call took",
                        Names.OPERATION_BUCKETS);
        toolCalls =
                seconds(
                        meter,
                        Names.TOOL_DURATION,
                        "How long a tool call took",
                        Names.OPERATION_BUCKETS);
        boxes =
                seconds(
                        meter,
                        Names.SANDBOX_DURATION,
                        "How long a program in a box took",
                        Names.SANDBOX_BUCKETS);
        agents =
                seconds(meter, Names.AGENT_DURATION, "How long an agent took", Names.AGENT_BUCKETS);
        runs =
                seconds(
                        meter,
                        Names.WORKFLOW_DURATION,
                        "How long a run took",
                        Names.WORKFLOW_BUCKETS);
        boxOutcomes =
                counter(meter, Names.SANDBOX_OUTCOME, "{execution}", "How programs in boxes ended");
        runStops = counter(meter, Names.RUN_COUNT, "{run}", "Why runs ended");
        attempts =
                meter.histogramBuilder(Names.ATTEMPTS)
                        .ofLongs()
                        .setUnit("{attempt}")
                        .setDescription("How many attempts a run has made")
                        .setExplicitBucketBoundariesAdvice(Names.ATTEMPT_BUCKETS)
                        .build();
        failures = counter(meter, Names.FAILURES, "{attempt}", "What was wrong with attempts");
        meter.counterBuilder(Names.DROPPED)
                .setUnit("{span}")
                .setDescription("Spans that the receiver did not take")
                .buildWithCallback(measurement -> measurement.record(dropped.getAsLong()));
    }

    private static DoubleHistogram seconds(
            Meter meter, String name, String description, List<Double> buckets) {
        return meter.histogramBuilder(name)
                .setUnit("s")
                .setDescription(description)
                .setExplicitBucketBoundariesAdvice(buckets)
                .build();
    }

    private static LongCounter counter(Meter meter, String name, String unit, String description) {
        return meter.counterBuilder(name).setUnit(unit).setDescription(description).build();
    }

    void modelCall(Attributes span, Duration took) {
        Attributes call = some(span, OF_MODEL_CALLS);
        AttributesBuilder ended = call.toBuilder();
        copy(span, Names.ERROR_TYPE, ended);
        modelCalls.record(seconds(took), ended.build());
        tokens(call, "input", span.get(Names.INPUT_TOKENS));
        tokens(call, "output", span.get(Names.OUTPUT_TOKENS));
        Double cost = span.get(Names.COST);
        if (cost != null && cost > 0) {
            costs.add(cost, call);
        }
    }

    private void tokens(Attributes call, String type, @Nullable Long count) {
        if (count != null && count >= 0) {
            tokens.record(count, call.toBuilder().put(Names.TOKEN_TYPE, type).build());
        }
    }

    void toolCall(Attributes span, Duration took) {
        toolCalls.record(seconds(took), some(span, OF_TOOL_CALLS));
    }

    void sandboxExec(Attributes span, Duration took) {
        Attributes box = some(span, OF_BOXES);
        boxes.record(seconds(took), box);
        boxOutcomes.add(1, box);
    }

    void agent(Attributes span, Duration took) {
        agents.record(seconds(took), some(span, OF_AGENTS));
    }

    void run(Attributes span, Duration took) {
        runs.record(seconds(took), some(span, OF_RUNS));
    }

    void stop(Attributes span) {
        runStops.add(1, some(span, OF_STOPS));
    }

    void attempts(Attributes span, RunAttempts made) {
        if (made.count() > 0) {
            attempts.record(made.count(), some(span, OF_STOPS));
        }
        for (String category : made.failures()) {
            failures.add(
                    1,
                    some(span, List.of(Names.WORKFLOW)).toBuilder()
                            .put(Names.FAILURE, oneOfFew(category))
                            .build());
        }
    }

    /** Whoever invents categories gets no new series for each. */
    private String oneOfFew(String category) {
        boolean known = categories.contains(category);
        if (!known && categories.size() == MOST_CATEGORIES) {
            return EffectKind.SOME_ERROR;
        }
        categories.add(category);
        return category;
    }

    private static double seconds(Duration took) {
        return took.toNanos() / 1e9;
    }

    private static Attributes some(Attributes of, List<AttributeKey<?>> keys) {
        AttributesBuilder attributes = Attributes.builder();
        keys.forEach(key -> copy(of, key, attributes));
        return attributes.build();
    }

    private static <T> void copy(Attributes from, AttributeKey<T> key, AttributesBuilder to) {
        T value = from.get(key);
        if (value != null) {
            to.put(key, value);
        }
    }
}
