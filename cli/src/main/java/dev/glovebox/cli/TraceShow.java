package dev.glovebox.cli;

import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Subscription;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.RunRow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Shows what happened in a run, step by step. */
final class TraceShow implements Subcommand {

    private static final String FOLLOW = "--follow";

    private final Shell shell;

    TraceShow(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Options.command(
                        "glovebox trace show",
                        "Shows what happened in a run: what was thought, done and observed, when, and for how"
                                + " long.%n");
        spec.usageMessage().customSynopsis("glovebox trace show RUN|last [--follow] [--json]");
        return spec.addOption(
                        Options.flag(
                                FOLLOW, "Goes on until the run is finished, as things happen."))
                .addOption(
                        Options.flag(
                                Options.JSON,
                                "One JSON document on standard output, with the records as they are."))
                .addOption(Options.help())
                .addPositional(Options.words());
    }

    @Override
    public int failed() {
        return Main.USAGE;
    }

    @Override
    public int run(ParseResult parsed) {
        List<String> words = Options.words(parsed);
        boolean json = parsed.hasMatchedOption(Options.JSON);
        boolean follow = parsed.hasMatchedOption(FOLLOW);
        if (json && follow) {
            throw new BadInput("Say either --follow or --json: a document does not go on");
        }
        try (Trace trace = Traces.open(shell)) {
            RunRow row = Traces.only(trace, words);
            if (json) {
                json(trace, row);
            } else {
                print(trace, row, follow);
            }
        }
        return Main.OK;
    }

    private void print(Trace trace, RunRow row, boolean follow) {
        Paint paint = new Paint(shell.coloured());
        Timeline timeline = new Timeline(trace::blob, row.startedAt(), paint);
        shell.print(title(row, paint));
        if (follow) {
            try (Subscription subscription =
                    trace.subscribe(row.run(), 0, true, entry -> print(timeline, entry))) {
                subscription.ended().join();
            }
        } else {
            try (Stream<Entry> entries = trace.entries(row.run(), 0)) {
                entries.forEach(entry -> print(timeline, entry));
            }
            Questions.of(trace, row).lines(paint).forEach(shell::print);
        }
        shell.print(paint.faint("Is this what was recorded? glovebox trace verify " + row.run()));
    }

    private void print(Timeline timeline, Entry entry) {
        timeline.lines(entry).forEach(shell::print);
    }

    private static String title(RunRow row, Paint paint) {
        String how =
                row.finishedAt().isEmpty()
                        ? "not finished"
                        : row.stop()
                                + " after "
                                + Times.took(
                                        Duration.ofNanos(
                                                (row.finishedAt().getAsLong() - row.startedAt())
                                                        * 1000));
        return paint.strong(row.run())
                + "  "
                + Shell.oneLine(row.kind())
                + ", "
                + Shell.oneLine(how)
                + paint.faint("  " + Times.local(row.startedAt()))
                + "\n"
                + Shell.oneLine(row.title())
                + "\n";
    }

    private void json(Trace trace, RunRow row) {
        new JsonReport(shell)
                .object(json -> {
                    TraceList.write(json, row);
                    json.writeArrayFieldStart("entries");
                    try (Stream<Entry> entries = trace.entries(row.run(), 0)) {
                        for (Iterator<Entry> all = entries.iterator(); all.hasNext(); ) {
                            json.writeRawValue(
                                    new String(all.next().bytes(), StandardCharsets.UTF_8));
                        }
                    }
                    json.writeEndArray();
                    Questions.of(trace, row).write(json);
                });
    }
}
