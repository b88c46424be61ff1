package dev.glovebox.telemetry;

/** The {@code OTEL_*} variables cannot be used as they are; the message says which and why. */
public final class TelemetryMisconfigured extends RuntimeException {

    TelemetryMisconfigured(String message) {
        super(message);
    }

    TelemetryMisconfigured(String message, Throwable cause) {
        super(message, cause);
    }
}
