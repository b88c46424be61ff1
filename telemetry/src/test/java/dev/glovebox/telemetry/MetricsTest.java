package dev.glovebox.telemetry;

import static dev.glovebox.telemetry.Receiver.attributes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event.RunFinished;
import dev.glovebox.trace.Event.Status;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The numbers that a receiver gets. */
class MetricsTest {

    private Receiver receiver;

    @BeforeEach
    void start() throws IOException {
        receiver = new Receiver(Receiver.Health.WELL);
    }

    @AfterEach
    void stop() {
        receiver.close();
    }

    private void send(Tape... tapes) {
        try (Telemetry telemetry =
                Telemetry.fromEnvironment(receiver.environment(), digest -> Optional.empty())) {
            for (Tape tape : tapes) {
                tape.play(telemetry);
            }
        }
    }

    private static Tape coder(String run) {
        return Tape.coder(run, Tape.blob("").reference(BlobRef.TEXT));
    }

    private List<HistogramDataPoint> points(String name, String unit) {
        Metric metric = receiver.metric(name);
        assertThat(metric.getUnit()).isEqualTo(unit);
        return metric.getHistogram().getDataPointsList();
    }

    private Map<Map<String, Object>, Long> counts(String name) {
        return receiver.metric(name).getSum().getDataPointsList().stream()
                .collect(
                        Collectors.toMap(
                                point -> attributes(point.getAttributesList()),
                                NumberDataPoint::getAsInt));
    }

    @Test
    void tokens_are_counted_by_model_and_type() {
        send(coder("run-1"), coder("run-2"));

        List<HistogramDataPoint> points = points("gen_ai.client.token.usage", "{token}");
        assertThat(points).hasSize(2);
        for (HistogramDataPoint point : points) {
            Map<String, Object> about = attributes(point.getAttributesList());
            boolean input = "input".equals(about.get("gen_ai.token.type"));
            assertThat(about)
                    .isEqualTo(
                            Map.of(
                                    "gen_ai.operation.name",
                                    "chat",
                                    "gen_ai.agent.name",
                                    "planner",
                                    "gen_ai.provider.name",
                                    "openai",
                                    "gen_ai.request.model",
                                    "gpt-4o",
                                    "gen_ai.response.model",
                                    "gpt-4o-2024",
                                    "gen_ai.token.type",
                                    input ? "input" : "output",
                                    "server.address",
                                    "api.example.com",
                                    "server.port",
                                    443L));
            assertThat(point.getCount()).isEqualTo(2);
            assertThat(point.getSum()).isEqualTo(input ? 2400 : 160);
            assertThat(point.getExplicitBoundsList())
                    .containsExactly(
                            1.0,
                            4.0,
                            16.0,
                            64.0,
                            256.0,
                            1024.0,
                            4096.0,
                            16384.0,
                            65536.0,
                            262144.0,
                            1048576.0,
                            4194304.0,
                            16777216.0,
                            67108864.0);
            // 1200 is in the bucket up to 4096, 80 in that up to 256.
            assertThat(point.getBucketCounts(input ? 6 : 4)).isEqualTo(2);
        }
    }

    @Test
    void model_calls_are_timed_in_the_buckets_of_the_conventions() {
        send(coder("run-1"));

        assertThat(points("gen_ai.client.operation.duration", "s"))
                .singleElement()
                .satisfies(point -> {
                    assertThat(point.getSum()).isEqualTo(1.5);
                    assertThat(point.getExplicitBoundsList())
                            .containsExactly(
                                    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12,
                                    10.24, 20.48, 40.96, 81.92);
                    assertThat(point.getBucketCounts(8)).isEqualTo(1);
                });
    }

    @Test
    void of_a_run_that_another_process_began_what_is_new_is_counted() {
        List<Entry> entries = coder("run-1").entries();
        try (Telemetry telemetry =
                Telemetry.fromEnvironment(receiver.environment(), digest -> Optional.empty())) {
            entries.forEach(telemetry.countingFrom(4));
        }

        assertThat(receiver.has("gen_ai.client.token.usage")).isFalse();
        assertThat(receiver.has("gen_ai.client.operation.duration")).isFalse();
        assertThat(points("gen_ai.execute_tool.duration", "s")).hasSize(1);
        assertThat(counts("glovebox.run.count")).hasSize(1);
        assertThat(receiver.span("chat gpt-4o").getAttributesCount()).isPositive();
    }

    @Test
    void failed_calls_are_timed_apart() {
        send(
                new Tape("run-1")
                        .starts("agent")
                        .intends(0, "a", 0, "tool", "t", "{}")
                        .gets(20, "a", 0, "tool", Status.DONE, "{}")
                        .intends(0, "a", 1, "tool", "t", "{}")
                        .gets(40, "a", 1, "tool", Status.FAILED, "{'problem':{'code':'time-out'}}")
                        .stops(0, "completed"));

        assertThat(points("gen_ai.execute_tool.duration", "s"))
                .extracting(point -> attributes(point.getAttributesList()).get("error.type"))
                .containsExactlyInAnyOrder(null, "time-out");
    }

    @Test
    void runs_are_timed_and_counted_by_why_they_stopped() {
        send(
                coder("run-1"),
                coder("run-2"),
                new Tape("run-3").starts("exec").stops(100, "TimedOut"),
                new Tape("run-4").starts("exec"));

        assertThat(counts("glovebox.run.count"))
                .isEqualTo(
                        Map.of(
                                Map.of(
                                        "gen_ai.workflow.name",
                                        "coder",
                                        "glovebox.stop",
                                        "completed"),
                                2L,
                                Map.of("gen_ai.workflow.name", "exec", "glovebox.stop", "TimedOut"),
                                1L));
        assertThat(points("gen_ai.workflow.duration", "s"))
                .extracting(HistogramDataPoint::getSum)
                .containsExactlyInAnyOrder(2 * 1.543, 0.1);
    }

    @Test
    void a_run_that_was_seen_from_its_middle_on_is_counted_but_not_timed() {
        List<Entry> all = coder("run-1").entries();
        try (Telemetry telemetry =
                Telemetry.fromEnvironment(receiver.environment(), digest -> Optional.empty())) {
            all.subList(8, all.size()).forEach(telemetry);
        }

        assertThat(counts("glovebox.run.count")).hasSize(1);
        assertThat(receiver.has("gen_ai.workflow.duration")).isFalse();
    }

    @Test
    void programs_in_boxes_are_timed_and_counted_by_tier_and_outcome() {
        send(coder("run-1"));

        Map<String, Object> about =
                Map.of("sandbox.tier", "jail", "glovebox.sandbox.outcome", "exited");
        assertThat(counts("glovebox.sandbox.outcome")).isEqualTo(Map.of(about, 1L));
        assertThat(points("glovebox.sandbox.duration", "s"))
                .singleElement()
                .satisfies(point -> {
                    assertThat(attributes(point.getAttributesList())).isEqualTo(about);
                    assertThat(point.getSum()).isEqualTo(0.03);
                });
    }

    private void sendWith(Tape tape, Blob... blobs) {
        try (Telemetry telemetry =
                Telemetry.fromEnvironment(
                        receiver.environment(),
                        digest ->
                                Stream.of(blobs)
                                        .filter(blob -> blob.digest().equals(digest))
                                        .findFirst())) {
            tape.play(telemetry);
        }
    }

    private static Tape ended(String stop, Blob state) {
        return new Tape("run-1")
                .starts("coder")
                .after(
                        1,
                        new RunFinished(
                                stop, Optional.of(state.reference(BlobRef.JSON)), Entry.NOTHING));
    }

    private static final String STATE =
            Tape.json(
                            "{'state':{'attempts':[{'diagnosis':{'category':'syntax'}},"
                                    + "{'diagnosis':{'category':'Oh, what a mess!'}},{}]}}")
                    .toString();

    @Test
    void attempts_are_counted_by_how_the_run_ended_and_failures_by_category() {
        Blob state = Tape.blob(STATE);
        sendWith(ended("completed", state), state);

        assertThat(points("glovebox.run.attempts", "{attempt}"))
                .singleElement()
                .satisfies(point -> {
                    assertThat(point.getSum()).isEqualTo(3);
                    assertThat(attributes(point.getAttributesList()))
                            .isEqualTo(
                                    Map.of(
                                            "gen_ai.workflow.name",
                                            "coder",
                                            "glovebox.stop",
                                            "completed"));
                });
        assertThat(counts("glovebox.attempt.failures"))
                .isEqualTo(
                        Map.of(
                                Map.of(
                                        "gen_ai.workflow.name",
                                        "coder",
                                        "glovebox.failure.category",
                                        "syntax"),
                                1L,
                                Map.of(
                                        "gen_ai.workflow.name",
                                        "coder",
                                        "glovebox.failure.category",
                                        "_OTHER"),
                                1L));
    }

    @Test
    void of_a_private_state_only_numbers_and_our_own_words_are_told() {
        Blob secret =
                Tape.privateBlob(
                        Tape.json(
                                        "{'state':{'attempts':[{'diagnosis':{'category':'syntax'}},"
                                                + "{'diagnosis':{'category':'patient-smith'}},{}]}}")
                                .toString());
        sendWith(ended("completed", secret), secret);

        assertThat(points("glovebox.run.attempts", "{attempt}"))
                .singleElement()
                .satisfies(point -> assertThat(point.getSum()).isEqualTo(3));
        assertThat(counts("glovebox.attempt.failures").keySet())
                .extracting(about -> about.get("glovebox.failure.category"))
                .containsExactlyInAnyOrder("syntax", "_OTHER");
    }

    @Test
    void attempts_of_which_the_state_is_gone_or_nonsense_are_not_counted() {
        Blob secret = Tape.privateBlob(STATE);
        sendWith(ended("completed", secret));
        sendWith(ended("completed", Tape.blob(STATE)));
        Blob nonsense = Tape.blob("{'state'");
        sendWith(ended("completed", nonsense), nonsense);

        assertThat(receiver.has("glovebox.run.attempts")).isFalse();
        assertThat(receiver.has("glovebox.attempt.failures")).isFalse();
    }

    @Test
    void tokens_and_cost_are_counted_by_role() {
        send(
                new Tape("run-1")
                        .starts("coder")
                        .intends(0, "code", 0, "model", "m", "{'agent':'coder'}")
                        .gets(
                                5,
                                "code",
                                0,
                                "model",
                                Status.DONE,
                                "{'inputTokens':7,'cost':{'microDollars':1500000}}")
                        .intends(0, "debug", 0, "model", "m", "{'agent':'debugger'}")
                        .gets(5, "debug", 0, "model", Status.DONE, "{'inputTokens':9}")
                        .stops(0, "completed"));

        assertThat(points("gen_ai.client.token.usage", "{token}"))
                .extracting(
                        point -> attributes(point.getAttributesList()).get("gen_ai.agent.name"),
                        HistogramDataPoint::getSum)
                .containsExactlyInAnyOrder(tuple("coder", 7.0), tuple("debugger", 9.0));
        Metric cost = receiver.metric("glovebox.model.cost");
        assertThat(cost.getUnit()).isEqualTo("{USD}");
        assertThat(cost.getSum().getDataPointsList())
                .singleElement()
                .satisfies(point -> {
                    assertThat(point.getAsDouble()).isEqualTo(1.5);
                    assertThat(attributes(point.getAttributesList()))
                            .containsEntry("gen_ai.agent.name", "coder");
                });
    }

    @Test
    void metrics_can_be_left_out_for_runs_of_the_past() {
        try (Telemetry telemetry =
                Telemetry.fromEnvironment(
                        receiver.environment("OTEL_METRICS_EXPORTER", "none"),
                        digest -> Optional.empty())) {
            coder("run-1").play(telemetry);
        }

        assertThat(receiver.spans()).hasSize(6);
        assertThat(receiver.has("glovebox.run.count")).isFalse();
    }
}
