package dev.glovebox.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.glovebox.run.Runs;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Lists runs, newest first. */
final class TraceList implements Subcommand {

    private static final String KIND = "--kind";
    private static final String STOP = "--stop";
    private static final String OPEN = "--open";
    private static final String TEXT = "--text";
    private static final String BEFORE = "--before";
    private static final String MOST = "--most";
    private static final int DEFAULT_MOST = 20;
    private static final int LARGEST_MOST = 10_000;

    private final Shell shell;

    TraceList(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        return Options.command("glovebox trace list", "Lists runs, newest first.%n")
                .addOption(Options.one(KIND, "KIND", "Only runs of this kind, such as exec."))
                .addOption(Options.one(STOP, "WHY", "Only runs that ended so, such as completed."))
                .addOption(Options.flag(OPEN, "Only runs that are not finished."))
                .addOption(Options.one(TEXT, "TEXT", "Only runs with this in their title."))
                .addOption(
                        Options.one(
                                BEFORE, "RUN", "Only runs that come after this one in the list."))
                .addOption(
                        Options.one(MOST, "N", "So many at most; by default " + DEFAULT_MOST + "."))
                .addOption(Options.flag(Options.JSON, "One JSON document on standard output."))
                .addOption(Options.help());
    }

    @Override
    public int failed() {
        return Main.USAGE;
    }

    @Override
    public int run(ParseResult parsed) {
        if (parsed.hasMatchedOption(OPEN) && Options.one(parsed, STOP) != null) {
            throw new BadInput("--open runs have not stopped: say either --open or --stop");
        }
        int most = most(Options.one(parsed, MOST));
        try (Trace trace = Traces.open(shell)) {
            // One more than is shown tells whether there are more.
            List<RunRow> rows = trace.runs(query(parsed, trace, most + 1));
            boolean more = rows.size() > most;
            List<RunRow> shown = more ? rows.subList(0, most) : rows;
            if (parsed.hasMatchedOption(Options.JSON)) {
                json(shown, more);
            } else {
                print(shown, more);
            }
        }
        return Main.OK;
    }

    private static RunQuery query(ParseResult parsed, Trace trace, int most) {
        Optional<String> stop =
                parsed.hasMatchedOption(OPEN)
                        ? Optional.of("")
                        : Optional.ofNullable(Options.one(parsed, STOP));
        Optional<String> kind = Optional.ofNullable(Options.one(parsed, KIND));
        RunQuery query =
                new RunQuery(
                        kind,
                        stop,
                        Optional.ofNullable(Options.one(parsed, TEXT)),
                        Optional.ofNullable(Options.one(parsed, BEFORE)).map(trace::run),
                        most);
        // Answers to questions are of interest to whoever asks for them.
        return kind.isPresent() ? query : query.without(Runs.LETTER);
    }

    private static int most(@Nullable String text) {
        try {
            int most = text == null ? DEFAULT_MOST : Integer.parseInt(text);
            if (most >= 1 && most <= LARGEST_MOST) {
                return most;
            }
            throw new NumberFormatException();
        } catch (NumberFormatException e) {
            throw new BadInput("'" + text + "' is not a number from 1 to " + LARGEST_MOST, e);
        }
    }

    private void print(List<RunRow> rows, boolean more) {
        Paint paint = new Paint(shell.coloured());
        for (RunRow row : rows) {
            shell.print(
                    row.run()
                            + "  "
                            + paint.faint(Times.local(row.startedAt()))
                            + "  "
                            + pad(row.kind(), 6)
                            + "  "
                            + stop(paint, row)
                            + "  "
                            + paint.faint(pad(took(row), 8))
                            + "  "
                            + Shell.oneLine(row.title()));
        }
        if (rows.isEmpty()) {
            shell.say("no such runs; glovebox exec --trace records one");
        } else if (more) {
            shell.say("there are more: --before " + rows.getLast().run());
        }
    }

    private static String pad(String text, int width) {
        return String.format(Locale.ROOT, "%-" + width + "s", Shell.oneLine(text));
    }

    private static String stop(Paint paint, RunRow row) {
        String word = pad(row.finishedAt().isEmpty() ? "open" : row.stop(), 9);
        return switch (row.stop()) {
            case "" -> paint.doubtful(word);
            case "completed" -> paint.good(word);
            default -> paint.bad(word);
        };
    }

    private static String took(RunRow row) {
        return row.finishedAt().isEmpty()
                ? ""
                : Times.took(
                        Duration.ofNanos((row.finishedAt().getAsLong() - row.startedAt()) * 1000));
    }

    private void json(List<RunRow> rows, boolean more) {
        new JsonReport(shell)
                .object(json -> {
                    json.writeArrayFieldStart("runs");
                    for (RunRow row : rows) {
                        json.writeStartObject();
                        write(json, row);
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                    json.writeBooleanField("more", more);
                });
    }

    static void write(JsonGenerator json, RunRow row) throws IOException {
        json.writeStringField("run", row.run());
        json.writeStringField("kind", row.kind());
        json.writeStringField("title", row.title());
        json.writeStringField("started", Times.exact(row.startedAt()));
        if (row.finishedAt().isPresent()) {
            json.writeStringField("finished", Times.exact(row.finishedAt().getAsLong()));
            json.writeStringField("stop", row.stop());
        }
        json.writeNumberField("records", row.records());
    }
}
