package dev.glovebox.telemetry;

import static dev.glovebox.telemetry.Receiver.attributes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.trace.BlobRef;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The standard variables. */
class EnvironmentTest {

    private Receiver receiver;

    @BeforeEach
    void start() throws IOException {
        receiver = new Receiver(Receiver.Health.WELL);
    }

    @AfterEach
    void stop() {
        receiver.close();
    }

    private static Telemetry from(Map<String, String> environment) {
        return Telemetry.fromEnvironment(environment, digest -> Optional.empty());
    }

    private ResourceSpans sent(Map<String, String> environment) {
        try (Telemetry telemetry = from(environment)) {
            Tape.coder("run-1", Tape.blob("").reference(BlobRef.TEXT)).play(telemetry);
        }
        assertThat(receiver.resourceSpans()).hasSize(1);
        return receiver.resourceSpans().getFirst();
    }

    private Map<String, Object> resource(Map<String, String> environment) {
        return attributes(sent(environment).getResource().getAttributesList());
    }

    @Test
    void nothing_is_sent_where_nobody_named_a_receiver() {
        assertThat(from(Map.of()).on()).isFalse();
        assertThat(from(Map.of("OTEL_SERVICE_NAME", "x", "PATH", "/bin")).on()).isFalse();
        assertThat(from(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "")).on()).isFalse();
    }

    @Test
    void nothing_is_sent_where_somebody_says_so() {
        assertThat(from(receiver.environment("OTEL_SDK_DISABLED", "true")).on()).isFalse();
        assertThat(
                        from(receiver.environment(
                                        "OTEL_TRACES_EXPORTER",
                                        "none",
                                        "OTEL_METRICS_EXPORTER",
                                        "none"))
                                .on())
                .isFalse();
    }

    @Test
    void telemetry_that_is_off_takes_everything_and_does_nothing() {
        try (Telemetry none = Telemetry.none()) {
            Tape.coder("run-1", Tape.blob("").reference(BlobRef.TEXT)).play(none);
            assertThat(none.dropped()).isZero();
        }
    }

    @Test
    void the_service_is_glovebox_unless_it_is_named() {
        assertThat(resource(receiver.environment()))
                .containsEntry("service.name", "glovebox")
                .containsEntry("telemetry.sdk.name", "opentelemetry");
    }

    @Test
    void service_and_resource_are_as_the_variables_say() {
        assertThat(
                        resource(
                                receiver.environment(
                                        "OTEL_SERVICE_NAME",
                                        "coder",
                                        "OTEL_RESOURCE_ATTRIBUTES",
                                        "deployment.environment.name=test,team=a")))
                .containsEntry("service.name", "coder")
                .containsEntry("deployment.environment.name", "test")
                .containsEntry("team", "a");
    }

    @Test
    void a_service_may_also_be_named_among_the_resource_attributes() {
        assertThat(resource(receiver.environment("OTEL_RESOURCE_ATTRIBUTES", "service.name=coder")))
                .containsEntry("service.name", "coder");
    }

    @Test
    void headers_and_compression_are_as_the_variables_say() {
        sent(
                receiver.environment(
                        "OTEL_EXPORTER_OTLP_HEADERS",
                        "x-token=abc",
                        "OTEL_EXPORTER_OTLP_COMPRESSION",
                        "gzip"));

        assertThat(receiver.header("X-token")).isEqualTo("abc");
        assertThat(receiver.header("Content-encoding")).isEqualTo("gzip");
        assertThat(receiver.header("Content-type")).isEqualTo("application/x-protobuf");
    }

    @Test
    void a_receiver_of_traces_alone_gets_no_metrics() {
        sent(Map.of("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", receiver.endpoint() + "/v1/traces"));

        assertThat(receiver.has("glovebox.run.count")).isFalse();
    }

    @Test
    void spans_say_by_which_conventions_they_are_named() {
        assertThat(sent(receiver.environment()).getScopeSpansList())
                .singleElement()
                .satisfies(scope -> {
                    assertThat(scope.getScope().getName()).isEqualTo("dev.glovebox");
                    assertThat(scope.getSchemaUrl()).isEqualTo(Names.SCHEMA);
                });
    }

    @Test
    void a_sampler_that_takes_none_is_obeyed() {
        try (Telemetry telemetry =
                from(receiver.environment("OTEL_TRACES_SAMPLER", "always_off"))) {
            Tape.coder("run-1", Tape.blob("").reference(BlobRef.TEXT)).play(telemetry);
        }

        assertThat(receiver.spans()).isEmpty();
        assertThat(receiver.has("glovebox.run.count")).isTrue();
    }

    @Test
    void variables_that_cannot_be_used_are_named() {
        assertThatThrownBy(() -> from(receiver.environment("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")))
                .isInstanceOf(TelemetryMisconfigured.class)
                .hasMessageContaining("OTEL_EXPORTER_OTLP_PROTOCOL")
                .hasMessageContaining("http/protobuf");
        assertThatThrownBy(() -> from(receiver.environment("OTEL_TRACES_EXPORTER", "zipkin")))
                .isInstanceOf(TelemetryMisconfigured.class)
                .hasMessageContaining("zipkin");
        assertThatThrownBy(() -> from(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "not a place")))
                .isInstanceOf(TelemetryMisconfigured.class)
                .hasMessageContaining("not a place");
    }
}
