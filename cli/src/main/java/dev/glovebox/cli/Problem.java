package dev.glovebox.cli;

import dev.glovebox.run.NotReplayable;
import dev.glovebox.run.RunException;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.InvalidPolicy;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.SandboxException;
import dev.glovebox.telemetry.TelemetryMisconfigured;
import dev.glovebox.trace.TraceException;
import java.util.Optional;

/**
 * An error of ours, as it is told: in one sentence, or as {@code {"error":…}}.
 *
 * @param type a word for programs, such as {@code not-enforceable}
 * @param control the control that cannot be enforced, where it is about one
 */
record Problem(String type, Optional<String> control, String message) {

    /** One that is about no control. */
    static Problem of(String type, String message) {
        return new Problem(type, Optional.empty(), Shell.oneLine(message));
    }

    static Problem of(Throwable thrown) {
        return switch (thrown) {
            case BadInput e -> plain("usage", e);
            case OutputLost e -> plain("output-lost", e);
            case Interruption.Came e -> plain("interrupted", e);
            case SandboxException e ->
                    switch (e) {
                        case NotEnforceable n ->
                                new Problem(
                                        "not-enforceable", Optional.of(n.control()), message(n));
                        case InvalidPolicy i -> plain("invalid-policy", i);
                        case FileRefused f -> plain("file-refused", f);
                        case BoxGone b -> plain("box-gone", b);
                    };
            case TraceException e -> plain("trace", e);
            case TelemetryMisconfigured e -> plain("usage", e);
            case NotReplayable e -> plain("not-replayable", e);
            case RunException e -> plain("run", e);
            default ->
                    of(
                            "internal",
                            "something went wrong inside Glovebox: "
                                    + message(thrown)
                                    + " (GLOVEBOX_DEBUG=1 shows where)");
        };
    }

    /** Tells it in a sentence, and as a document to whoever wants one. */
    void tell(Shell shell, boolean json) {
        shell.say(message);
        if (json) {
            new JsonReport(shell).problem(this);
        }
    }

    private static Problem plain(String type, Throwable thrown) {
        return of(type, message(thrown));
    }

    private static String message(Throwable thrown) {
        String said = thrown.getMessage();
        return said == null ? thrown.getClass().getSimpleName() : Shell.oneLine(said);
    }
}
