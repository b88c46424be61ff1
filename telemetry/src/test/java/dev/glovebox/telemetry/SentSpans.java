package dev.glovebox.telemetry;

import static dev.glovebox.telemetry.Receiver.attributes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Entry;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Sends runs to a receiver, and looks at the spans that it gets. */
abstract class SentSpans {

    static final Blob STDERR = Tape.blob("Traceback: division by zero\n");

    Receiver receiver;

    @BeforeEach
    void start() throws IOException {
        receiver = new Receiver(Receiver.Health.WELL);
    }

    @AfterEach
    void stop() {
        receiver.close();
    }

    final void send(Tape... tapes) {
        send(digest -> Optional.of(STDERR), Stream.of(tapes).map(Tape::entries).toList());
    }

    final void send(Function<String, Optional<Blob>> blobs, List<List<Entry>> runs) {
        try (Telemetry telemetry = Telemetry.fromEnvironment(receiver.environment(), blobs)) {
            runs.forEach(run -> run.forEach(telemetry));
        }
    }

    static Tape coder(String run) {
        return Tape.coder(run, STDERR.reference(BlobRef.TEXT));
    }

    final Map<String, Object> of(String span) {
        return attributes(receiver.span(span).getAttributesList());
    }

    final StatusCode status(String span) {
        return receiver.span(span).getStatus().getCode();
    }

    static long millis(long sinceStart) {
        return Tape.START * 1_000 + sinceStart * 1_000_000;
    }

    final void assertParent(String child, String parent) {
        assertThat(receiver.span(child).getParentSpanId())
                .as("parent of " + child)
                .isEqualTo(receiver.span(parent).getSpanId());
    }
}
