package dev.glovebox.cli;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Channel;
import dev.glovebox.sandbox.Durations;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Pressure;
import dev.glovebox.sandbox.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a person is told about an ending, one line each; nothing when all is well. */
final class Explanation {

    private static final long KIBI = 1024;
    private static final long MEBI = KIBI * KIBI;
    // From here on a fraction of the unit says nothing.
    private static final long MANY = 10;

    private Explanation() {}

    static List<String> of(Result result, Passage passage) {
        List<String> lines = new ArrayList<>();
        if (!(result.outcome() instanceof Outcome.Exited)) {
            lines.add(ending(result.outcome()));
        }
        truncated(Channel.STDOUT, result.stdout(), passage, lines);
        truncated(Channel.STDERR, result.stderr(), passage, lines);
        for (Pressure pressure : result.pressure()) {
            switch (pressure.limit()) {
                case OUTPUT -> {} // said above, with numbers
                case NETWORK -> lines.add("network: " + pressure.detail());
                case WALL, CPU_TIME, CPUS, MEMORY, PROCESSES, DISK, DISK_RATE, INODES, OPEN_FILES ->
                        lines.add(pressure.limit() + " limit reached: " + pressure.detail());
            }
        }
        return lines;
    }

    private static String ending(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Exited(int code) -> "ended with " + code;
            case Outcome.Signalled(int signal) -> "ended by signal " + signal + signalName(signal);
            case Outcome.TimedOut(Duration limit) ->
                    "stopped after " + Durations.format(limit) + " (wall limit)";
            case Outcome.LimitHit(Limit limit, long value, long peak) ->
                    "killed: "
                            + limit
                            + " limit of "
                            + amount(limit, value)
                            + " reached (peak "
                            + amount(limit, peak)
                            + ")";
            case Outcome.Denied(String rule, String what) -> "killed: " + rule + " refused " + what;
            case Outcome.Cancelled(String reason) -> "cancelled: " + reason;
            case Outcome.NotStarted(String reason) -> "not started: " + reason;
            case Outcome.Unknown(String reason) -> "how the program ended is not known: " + reason;
        };
    }

    private static void truncated(
            Channel channel, Output output, Passage passage, List<String> lines) {
        long omitted = passage.omitted(channel);
        if (omitted > 0) {
            lines.add(
                    channel
                            + " truncated: "
                            + omitted
                            + " of "
                            + output.total()
                            + " bytes are left out of the middle (output limit)");
        }
    }

    private static String amount(Limit limit, long value) {
        return switch (limit) {
            case MEMORY, DISK, DISK_RATE, OUTPUT -> size(value);
            case WALL, CPU_TIME -> Durations.format(Duration.ofMillis(value));
            case CPUS, PROCESSES, INODES, OPEN_FILES, NETWORK -> Long.toString(value);
        };
    }

    static String size(long bytes) {
        if (bytes >= MANY * MEBI) {
            return Math.round((double) bytes / MEBI) + "MiB";
        }
        return bytes >= MANY * KIBI && bytes % MEBI != 0
                ? Math.round((double) bytes / KIBI) + "KiB"
                : new Bytes(bytes).toString();
    }

    /** The same numbers on all architectures that have a jail. */
    private static String signalName(int signal) {
        return switch (signal) {
            case 1 -> " (SIGHUP)";
            case 2 -> " (SIGINT)";
            case 3 -> " (SIGQUIT)";
            case 4 -> " (SIGILL)";
            case 5 -> " (SIGTRAP)";
            case 6 -> " (SIGABRT)";
            case 7 -> " (SIGBUS)";
            case 8 -> " (SIGFPE)";
            case 9 -> " (SIGKILL)";
            case 10 -> " (SIGUSR1)";
            case 11 -> " (SIGSEGV)";
            case 12 -> " (SIGUSR2)";
            case 13 -> " (SIGPIPE)";
            case 14 -> " (SIGALRM)";
            case 15 -> " (SIGTERM)";
            default -> "";
        };
    }
}
