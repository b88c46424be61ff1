package dev.glovebox.telemetry;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.glovebox.telemetry.Receiver.Health;
import dev.glovebox.trace.BlobRef;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** A receiver that is ill: recording goes on. */
@Timeout(60)
class OutageTest {

    private static final int RUNS = 1_000;
    private static final int SPANS_OF_A_RUN = 6;
    private static final Duration SOON = Duration.ofSeconds(5);

    // The SDK complains here, with stack traces; kept in a field, else it is forgotten.
    private static final java.util.logging.Logger SDK =
            java.util.logging.Logger.getLogger("io.opentelemetry");

    private final ListAppender<ILoggingEvent> told = new ListAppender<>();
    private final Logger log = (Logger) LoggerFactory.getLogger(Outbox.class);

    @BeforeEach
    void listen() {
        SDK.setLevel(Level.OFF);
        told.start();
        log.addAppender(told);
        log.setAdditive(false);
    }

    @AfterEach
    void listenNoMore() {
        SDK.setLevel(null);
        log.detachAppender(told);
        log.setAdditive(true);
    }

    private static Telemetry to(Map<String, String> environment) {
        return Telemetry.fromEnvironment(environment, digest -> Optional.empty());
    }

    private static void play(Telemetry telemetry, int runs) {
        for (int i = 0; i < runs; i++) {
            Tape.coder("run-" + i, Tape.blob("").reference(BlobRef.TEXT)).play(telemetry);
        }
    }

    private void assertRecordingGoesOn(Map<String, String> environment) {
        Telemetry telemetry = to(environment);
        Instant before = Instant.now();
        play(telemetry, RUNS);
        Duration recording = Duration.between(before, Instant.now());
        Instant closing = Instant.now();
        telemetry.close();

        assertThat(recording).isLessThan(SOON);
        assertThat(Duration.between(closing, Instant.now())).isLessThan(SOON);
        assertThat(telemetry.dropped()).isEqualTo((long) RUNS * SPANS_OF_A_RUN);
        assertThat(told.list)
                .singleElement()
                .satisfies(event ->
                        assertThat(event.getFormattedMessage())
                                .contains("OTEL_EXPORTER_OTLP_ENDPOINT"));
    }

    @Test
    void a_receiver_that_hangs_holds_nothing_up() throws IOException {
        try (Receiver receiver = new Receiver(Health.HANGS)) {
            assertRecordingGoesOn(receiver.environment());
        }
    }

    @Test
    void a_receiver_that_is_not_there_holds_nothing_up() throws IOException {
        Map<String, String> environment;
        try (Receiver receiver = new Receiver(Health.WELL)) {
            environment = receiver.environment();
        }
        assertRecordingGoesOn(environment);
    }

    @Test
    void a_receiver_that_is_overloaded_holds_nothing_up() throws IOException {
        try (Receiver receiver = new Receiver(Health.UNAVAILABLE)) {
            assertRecordingGoesOn(receiver.environment());
        }
    }

    @Test
    void what_happens_after_an_outage_is_seen_again() throws Exception {
        try (Receiver receiver = new Receiver(Health.UNAVAILABLE)) {
            Telemetry telemetry =
                    to(
                            receiver.environment(
                                    "OTEL_BSP_SCHEDULE_DELAY",
                                    "50",
                                    "OTEL_EXPORTER_OTLP_TIMEOUT",
                                    "5000"));
            play(telemetry, 1);
            while (telemetry.dropped() < SPANS_OF_A_RUN) {
                MILLISECONDS.sleep(20);
            }
            receiver.becomes(Health.WELL);
            Tape.coder("run-after", Tape.blob("").reference(BlobRef.TEXT)).play(telemetry);
            telemetry.close();

            assertThat(receiver.spans()).hasSize(SPANS_OF_A_RUN);
            assertThat(telemetry.dropped()).isEqualTo(SPANS_OF_A_RUN);
            assertThat(
                            receiver.metric("glovebox.telemetry.dropped")
                                    .getSum()
                                    .getDataPoints(0)
                                    .getAsInt())
                    .isEqualTo(SPANS_OF_A_RUN);
        }
    }

    @Test
    void a_receiver_that_is_well_gets_everything() throws IOException {
        try (Receiver receiver = new Receiver(Health.WELL)) {
            Telemetry telemetry = to(receiver.environment("OTEL_BSP_MAX_QUEUE_SIZE", "100000"));
            play(telemetry, RUNS);
            telemetry.close();

            assertThat(telemetry.dropped()).isZero();
            assertThat(told.list).isEmpty();
            assertThat(receiver.spans()).hasSize(RUNS * SPANS_OF_A_RUN);
        }
    }
}
