package dev.glovebox.cli;

import dev.glovebox.coder.Stats;
import dev.glovebox.sandbox.Durations;
import dev.glovebox.trace.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Tells what the traces of coders tell together. */
final class StatsCommand implements Subcommand {

    private static final String SINCE = "--since";
    private static final Pattern DAYS = Pattern.compile("([0-9]{1,5}) ?d");

    private final Shell shell;

    StatsCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        return Options.command(
                        "glovebox stats",
                        "What the traces of coders tell: how many tasks were solved, with how many attempts, how",
                        "long programs took, what was wrong, and what each role cost. There are no other books.%n")
                .addOption(
                        Options.one(
                                SINCE,
                                "TIME",
                                "Only runs that began at most so long ago, such as 90m, 12h or 7d."))
                .addOption(Options.flag(Options.JSON, "One JSON document on standard output."))
                .addOption(Options.help());
    }

    @Override
    public int failed() {
        return Main.USAGE;
    }

    @Override
    public int run(ParseResult parsed) {
        Instant since = since(Options.one(parsed, SINCE));
        try (Trace trace = Traces.open(shell)) {
            Stats stats = Stats.since(trace, since);
            if (parsed.hasMatchedOption(Options.JSON)) {
                new JsonReport(shell).object(json -> StatsJson.write(json, stats));
            } else if (stats.runs().isEmpty()) {
                shell.say("no coder has run here yet; glovebox eval records some");
            } else {
                StatsText.lines(stats, new Paint(shell.coloured())).forEach(shell::print);
            }
        }
        return Main.OK;
    }

    private static Instant since(@Nullable String text) {
        if (text == null) {
            return Instant.EPOCH;
        }
        Matcher days = DAYS.matcher(text.strip());
        try {
            return Instant.now()
                    .minus(
                            days.matches()
                                    ? Duration.ofDays(Integer.parseInt(days.group(1)))
                                    : Durations.parse(text));
        } catch (IllegalArgumentException e) {
            throw new BadInput(String.valueOf(e.getMessage()) + ", or 7d", e);
        }
    }
}
