package dev.glovebox.cli;

import dev.glovebox.trace.Trace;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Prints the signed state of the log. */
final class TraceHead implements Subcommand {

    private final Shell shell;

    TraceHead(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        return Options.command(
                        "glovebox trace head",
                        "Prints the signed state of the log of all runs, as one line. Kept elsewhere, it shows later"
                                + " whether a run was removed or rewritten: glovebox trace verify --all --head FILE.%n")
                .addOption(Options.help());
    }

    @Override
    public int failed() {
        return Main.USAGE;
    }

    @Override
    public int run(ParseResult parsed) {
        try (Trace trace = Traces.open(shell)) {
            byte[] head =
                    trace.head().orElseThrow(() -> new BadInput("Nothing was recorded here yet"));
            shell.print(new String(head, StandardCharsets.UTF_8).strip());
        }
        return Main.OK;
    }
}
