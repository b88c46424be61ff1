package dev.glovebox.cli;

import dev.glovebox.telemetry.Telemetry;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Trace;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Who else is shown a run. */
final class TelemetryOption {

    private static final String NAME = "--otel";
    private static final String CONSOLE = "console";

    private TelemetryOption() {}

    static OptionSpec spec(String description) {
        return Options.one(NAME, CONSOLE, description);
    }

    /**
     * Whether spans are to be shown here.
     *
     * @throws BadInput if they are to be shown in a way that there is not
     */
    static boolean isHere(ParseResult parsed) {
        @Nullable String where = Options.one(parsed, NAME);
        if (where != null && !where.equals(CONSOLE)) {
            throw new BadInput("--otel knows 'console' only; OTLP is set up by OTEL_* variables");
        }
        return where != null;
    }

    /**
     * Opens it.
     *
     * @param here whether spans are to be shown on standard error, and not where the environment
     *     says
     */
    static Telemetry open(boolean here, Shell shell, Trace trace) {
        return here
                ? Telemetry.console(
                        new PrintStream(shell.err(), true, StandardCharsets.UTF_8), trace::blob)
                : fromEnvironment(shell, trace);
    }

    /** Sends to where the environment says. */
    static Telemetry fromEnvironment(Shell shell, Trace trace) {
        if (shell.env().keySet().stream().anyMatch(name -> name.startsWith("OTEL_"))) {
            SdkLog.install();
        }
        return Telemetry.fromEnvironment(shell.env(), trace::blob);
    }

    /** Shows a run from its record. */
    static void show(Telemetry telemetry, Trace trace, String run) {
        try (Stream<Entry> entries = trace.entries(run, 0)) {
            entries.forEach(telemetry);
        }
    }
}
