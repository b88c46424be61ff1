package dev.glovebox.cli;

import dev.glovebox.agent.SandboxExec;
import dev.glovebox.run.Graph;
import dev.glovebox.run.KnownGraphs;
import dev.glovebox.run.Replay;
import dev.glovebox.run.Runs;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.RunRow;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Runs the program of a recorded run again: from the record, really, or on another way. */
final class TraceReplay implements Subcommand {

    private static final String EXECUTE = "--execute";
    private static final String FROM = "--from";
    private static final String MODEL = "--model";

    private final Shell shell;

    TraceReplay(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Options.command(
                        "glovebox trace replay",
                        "Runs the program of a run again with all that it observed taken from the record, and"
                                + " compares what follows from that. Nothing is done to the world.%n");
        spec.usageMessage()
                .customSynopsis(
                        "glovebox trace replay RUN|last [--execute]",
                        "       glovebox trace replay RUN|last --from N [--model MODEL]",
                        "")
                .footer(
                        "",
                        "Exit codes: 0 it does what was recorded; 1 it does not, what was executed gave something"
                                + " else, or the",
                        "record was tampered with; 3 it does, but the run is not finished; 2 nothing was replayed. With"
                                + " --from:",
                        "0 completed; 1 stopped for another reason, or not sealed; 3 it waits for an answer.");
        return spec.addOption(
                        Options.flag(
                                EXECUTE,
                                "Really runs the programs in boxes again, and tells whether each ended in the same"
                                        + " way with the same output."))
                .addOption(
                        Options.one(
                                FROM,
                                "N",
                                "Starts a new run that begins as this one did, up to record N, as trace show counts"
                                        + " them, and from there goes its own way."))
                .addOption(
                        Options.one(
                                MODEL, "MODEL", "With --from: asks another model from there on."))
                .addOption(Options.flag(Options.JSON, "One JSON document on standard output."))
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
        boolean execute = parsed.hasMatchedOption(EXECUTE);
        @Nullable String from = Options.one(parsed, FROM);
        @Nullable String model = Options.one(parsed, MODEL);
        if (execute && from != null) {
            throw new BadInput(
                    "Say either --execute or --from: a fork executes what is new anyway");
        }
        if (model != null && from == null) {
            throw new BadInput("--model needs --from: a replay asks no model");
        }
        try (Trace trace = Traces.open(shell)) {
            RunRow row = Traces.only(trace, Options.words(parsed));
            String run = row.run();
            long first = from == null ? 0 : record(from, row);
            if (new Tampering(shell, json).isFound(trace, run)) {
                return Tampering.EXIT;
            }
            KnownGraphs known = KnownGraphs.onClassPath();
            Graph<?> graph =
                    model == null ? known.graph(trace, run) : known.graph(trace, run, model);
            if (from != null) {
                return new Ending(shell, json)
                        .of(
                                trace,
                                0,
                                runs -> runs.fork(graph, run, first),
                                out -> {
                                    out.writeStringField("origin", run);
                                    out.writeNumberField("from", first);
                                });
            }
            Set<String> kinds = execute ? Set.of(SandboxExec.KIND) : Set.of();
            try (Runs runs = Runs.in(trace)) {
                return Interruption.during(
                        shell,
                        json,
                        interruption -> {
                            Replay replay = runs.replay(graph, run, kinds);
                            interruption.check();
                            return new Comparison(shell, json, execute).tell(replay, row.records());
                        });
            }
        }
    }

    private static long record(String text, RunRow row) {
        try {
            long record = Long.parseLong(text);
            if (record >= 1 && record <= row.records()) {
                return record;
            }
            throw new NumberFormatException();
        } catch (NumberFormatException e) {
            throw new BadInput(
                    "--from '%s' is not a record from 1 to %d, how many the run %s has"
                            .formatted(text, row.records(), row.run()),
                    e);
        }
    }
}
