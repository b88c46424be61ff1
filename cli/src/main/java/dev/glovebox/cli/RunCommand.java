package dev.glovebox.cli;

import dev.glovebox.coder.CoderGraph;
import dev.glovebox.coder.CoderMemory;
import dev.glovebox.coder.Pipeline;
import dev.glovebox.coder.PipelineLog;
import dev.glovebox.coder.Settings;
import dev.glovebox.coder.Work;
import dev.glovebox.run.Conclusion;
import dev.glovebox.run.Run;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import dev.glovebox.run.Suspended;
import dev.glovebox.telemetry.Telemetry;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.Subscription;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.TraceException;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Goes from a sentence, or from code that somebody has, to code that ran. */
final class RunCommand implements Subcommand {

    static final int STOPPED = 1;
    static final int NO_WALL = 3;

    private static final String SAVE = "--save";
    private static final String QUIET = "-q";
    private static final String LOG = "--log";

    private final Shell shell;
    private boolean begun;

    RunCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Options.command(
                        "glovebox run",
                        "Plans a task, writes code for it, runs that in a box and repairs it until it works."
                                + " All of it is recorded and sealed.%n");
        spec.usageMessage()
                .customSynopsis(
                        "glovebox run [OPTION]… TASK               a sentence, such as \"Compute the mean of 3, 5"
                                + " and 7\"",
                        "       glovebox run [OPTION]… --code FILE [TASK]   code that there is already: run,"
                                + " diagnose, repair",
                        "")
                .footer(
                        "",
                        "Without a model it knows the tasks of its recipes, and says so of others.",
                        "",
                        "Exit codes: 0 it works; 1 stopped before that, not sealed, or not saved; 2 bad usage, or"
                                + " nothing could begin;",
                        "3 no wall here satisfies the policy; 130 interrupted.");
        RunTask.addTo(spec);
        spec.addOption(
                        Options.one(
                                SAVE,
                                "DIR",
                                "Saves the code, and the files that the program left."))
                .addOption(
                        Options.one(
                                LOG,
                                "FORM",
                                "What happens, line by line on standard error: text or json."))
                .addOption(Options.flag(QUIET, "Only what the program prints."))
                .addOption(
                        Options.flag(
                                Options.JSON, "One JSON document on standard output tells all."))
                .addOption(
                        TelemetryOption.spec(
                                "Shows the run as OpenTelemetry spans on standard error."));
        PolicyOptions.addTo(spec);
        return spec.addOption(Options.help()).addPositional(Options.words());
    }

    @Override
    public int failed() {
        return begun ? STOPPED : Main.USAGE;
    }

    @Override
    public int run(ParseResult parsed) {
        RunTask task = RunTask.of(parsed, shell);
        boolean spansHere = TelemetryOption.isHere(parsed);
        Optional<OutputFiles> saved =
                Optional.ofNullable(Options.one(parsed, SAVE))
                        .map(folder -> OutputFiles.below(shell.path(folder), SAVE));
        boolean json = parsed.hasMatchedOption(Options.JSON);
        boolean quiet = parsed.hasMatchedOption(QUIET);
        try (Interruption interruption = new Interruption();
                RunProgress progress =
                        RunProgress.of(shell, json || quiet, Options.one(parsed, LOG));
                Trace trace = Traces.open(shell);
                Telemetry telemetry = TelemetryOption.open(spansHere, shell, trace);
                Runs runs = Runs.in(trace)) {
            interruption.watch(runs::close);
            Settings settings = task.work().settings();
            Pipeline pipeline = CoderGraph.pipeline(settings, shell.env(), progress.spectator());
            long began = System.nanoTime();
            begun = true;
            Run<Work> run = runs.start(pipeline.graph(task.work()), task.work(), task.options());
            PipelineLog log = new PipelineLog(settings.attempts(), progress);
            // Here they would stand in the middle of the progress: they are shown at the end.
            Consumer<Entry> listeners = spansHere ? log : log.andThen(telemetry);
            Conclusion<Work> end;
            try (Subscription seen = trace.follow(run.name(), listeners)) {
                end = Conclusion.of(run, trace);
                if (end.status() instanceof Status.Finished) {
                    seen.ended().join();
                }
            } catch (Suspended e) {
                progress.end();
                return new Ending(shell, json).interrupted(run.name());
            } catch (TraceException e) {
                progress.end();
                begun = Traces.has(trace, run.name());
                return new Ending(shell, json).lost(trace, run.name(), e);
            }
            progress.end();
            if (spansHere) {
                TelemetryOption.show(telemetry, trace, run.name());
            }
            learn(end.status());
            RunReport report =
                    new RunReport(
                            shell,
                            trace,
                            RunRecord.of(run.name(), end.unsealed()),
                            System.nanoTime() - began);
            return tell(end.status(), report, saved, json, quiet);
        }
    }

    /** What helped once may help again; without a model nobody would ask. */
    private void learn(Status<Work> status) {
        if (status instanceof Status.Finished<Work> end
                && end.isCompleted()
                && end.state().settings().memory()) {
            try {
                CoderMemory.of(shell.env()).learn(end.state(), end.run());
            } catch (NotKept e) {
                shell.say("what helped could not be remembered: " + e.getMessage());
            }
        }
    }

    private int tell(
            Status<Work> status,
            RunReport report,
            Optional<OutputFiles> saved,
            boolean json,
            boolean quiet) {
        if (!(status instanceof Status.Finished<Work> end)) {
            throw new IllegalStateException(
                    "The run " + status.run() + " has not ended: " + status);
        }
        boolean complete = saved.map(folder -> report.save(end, folder)).orElse(true);
        if (json) {
            report.json(end);
        } else if (quiet) {
            report.output(end);
        } else {
            report.text(end);
        }
        boolean kept = complete && report.isSealed();
        return kept || !end.isCompleted() ? exit(end) : STOPPED;
    }

    private static int exit(Status.Finished<Work> end) {
        if (end.isCompleted()) {
            return Main.OK;
        }
        return end.reason() instanceof StopReason.NotEnforceable ? NO_WALL : STOPPED;
    }
}
