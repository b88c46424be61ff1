package dev.glovebox.cli;

import dev.glovebox.run.Graph;
import dev.glovebox.run.KnownGraphs;
import dev.glovebox.trace.NoSuchRun;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.RunRow;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Goes on with a run that was interrupted, or was answered since. */
final class TraceResume implements Subcommand {

    private final Shell shell;

    TraceResume(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Options.command(
                        "glovebox trace resume",
                        "Goes on with a run that is not finished, from where it was left. What has an outcome is"
                                + " not done again; a program that was running is run again, in a fresh box and with"
                                + " nothing on standard input. Whoever still works on the run loses it.%n");
        spec.usageMessage()
                .customSynopsis("glovebox trace resume RUN|last [--json]")
                .footer(
                        "",
                        "Exit codes: 0 completed; 1 stopped for another reason, not sealed, or tampered with;",
                        "3 it waits for an answer; 130 interrupted, and can be resumed again; 2 nothing was done.");
        return spec.addOption(Options.flag(Options.JSON, "One JSON document on standard output."))
                .addOption(Options.help())
                .addPositional(Options.words());
    }

    @Override
    public int failed() {
        return Main.USAGE;
    }

    @Override
    public int run(ParseResult parsed) {
        boolean json = parsed.hasMatchedOption(Options.JSON);
        try (Trace trace = Traces.open(shell)) {
            RunRow row = Traces.only(trace, Options.words(parsed));
            if (row.finishedAt().isPresent()) {
                throw new NoSuchRun("The run " + row.run() + " is finished");
            }
            if (new Tampering(shell, json).isFound(trace, row.run())) {
                return Tampering.EXIT;
            }
            Graph<?> graph = KnownGraphs.onClassPath().graph(trace, row.run());
            return new Ending(shell, json)
                    .of(trace, row.records(), runs -> runs.resume(graph, row.run()), none -> {});
        }
    }
}
