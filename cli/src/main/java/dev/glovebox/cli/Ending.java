package dev.glovebox.cli;

import dev.glovebox.run.Conclusion;
import dev.glovebox.run.Resource;
import dev.glovebox.run.Run;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import dev.glovebox.run.Suspended;
import dev.glovebox.sandbox.Durations;
import dev.glovebox.telemetry.Telemetry;
import dev.glovebox.trace.Conflict;
import dev.glovebox.trace.Subscription;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.TraceException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What became of a run that a command went on with, as it is told. */
final class Ending {

    static final int STOPPED = 1;
    static final int WAITS = 3;

    private final Shell shell;
    private final boolean json;

    Ending(Shell shell, boolean json) {
        this.shell = shell;
        this.json = json;
    }

    /**
     * Goes on with a run for as long as it goes on by itself; on Ctrl-C it is left for another
     * time.
     *
     * @param known how many records of it were there before
     * @param more members of the document
     */
    int of(Trace trace, long known, Function<Runs, Run<?>> going, JsonReport.Part more) {
        try (Interruption interruption = new Interruption();
                Telemetry telemetry = TelemetryOption.fromEnvironment(shell, trace);
                Runs runs = Runs.in(trace)) {
            interruption.watch(runs::close);
            Run<?> run = going.apply(runs);
            try (Subscription seen = trace.follow(run.name(), telemetry.countingFrom(known))) {
                Conclusion<?> end = Conclusion.of(run, trace);
                if (end.status() instanceof Status.Finished) {
                    seen.ended().join();
                }
                return tell(end, more);
            } catch (Suspended e) {
                return interrupted(run.name());
            } catch (TraceException e) {
                return lost(trace, run.name(), e);
            }
        }
    }

    /** It is left for another time. */
    int interrupted(String run) {
        Problem problem =
                Problem.of("interrupted", "interrupted; to go on: glovebox trace resume " + run);
        shell.say(problem.message());
        if (json) {
            RunRecord record =
                    new RunRecord(
                            run, RunRecord.State.NOT_FINISHED, Optional.of(problem.message()));
            new JsonReport(shell).lost(record, problem);
        }
        return ExecCommand.CANCELLED;
    }

    /**
     * The record does not say what became of it; what it does say need not be done again.
     *
     * @throws TraceException the same, if there is no record
     */
    int lost(Trace trace, String run, TraceException why) {
        if (!Traces.has(trace, run)) {
            throw why;
        }
        shell.say("what became of it could not be recorded: " + why.getMessage());
        shell.say(
                why instanceof Conflict
                        ? "what somebody else makes of it: glovebox trace show " + run
                        : "to go on, when that is repaired: glovebox trace resume " + run);
        if (json) {
            RunRecord record =
                    new RunRecord(run, RunRecord.State.NOT_FINISHED, Optional.of(why.getMessage()));
            new JsonReport(shell).lost(record, Problem.of(why));
        }
        return STOPPED;
    }

    private int tell(Conclusion<?> end, JsonReport.Part more) {
        Status<?> status = end.status();
        end.unsealed().ifPresent(why -> shell.say("recorded, but not sealed: " + why));
        int exit = end.unsealed().isPresent() ? STOPPED : exit(status);
        Questions questions =
                new Questions(
                        status.run(),
                        status instanceof Status.Waiting<?> waiting
                                ? waiting.questions()
                                : List.of());
        if (json) {
            new JsonReport(shell)
                    .object(out -> {
                        if (status instanceof Status.Finished<?>) {
                            JsonReport.write(out, RunRecord.of(status.run(), end.unsealed()));
                        } else {
                            out.writeStringField("run", status.run());
                        }
                        more.write(out);
                        Optional<StopReason> stop = status.stop();
                        if (stop.isPresent()) {
                            out.writeStringField("stop", stop.get().word());
                            out.writeStringField("why", words(stop.get()));
                        }
                        questions.write(out);
                    });
            return exit;
        }
        Paint paint = new Paint(shell.coloured());
        switch (status) {
            case Status.Finished<?> done when done.isCompleted() ->
                    shell.print(status.run() + "  " + paint.good("completed"));
            case Status.Finished<?> stopped ->
                    shell.print(
                            status.run()
                                    + "  "
                                    + paint.bad(stopped.reason().word())
                                    + "  "
                                    + Shell.oneLine(words(stopped.reason())));
            case Status.Waiting<?> waiting -> {
                shell.print(status.run() + "  " + paint.doubtful("waits"));
                questions.lines(paint).forEach(shell::print);
            }
            case Status.Differs<?> differs ->
                    shell.print(
                            status.run()
                                    + "  "
                                    + paint.bad("diverged")
                                    + "  "
                                    + Shell.oneLine(differs.divergence().sentence()));
        }
        shell.say("what happened: glovebox trace show " + status.run());
        return exit;
    }

    private static int exit(Status<?> status) {
        return switch (status) {
            case Status.Finished<?> end -> end.isCompleted() ? Main.OK : STOPPED;
            case Status.Waiting<?> waiting -> WAITS;
            case Status.Differs<?> differs -> STOPPED;
        };
    }

    static String words(StopReason reason) {
        return switch (reason) {
            case StopReason.Completed r -> "";
            case StopReason.AttemptsExhausted r -> r.attempts() + " attempts";
            case StopReason.BudgetExhausted r ->
                    "what is left of " + amount(r) + " is not enough for what comes next";
            case StopReason.TimedOut r -> "after " + Durations.format(r.limit());
            case StopReason.Cancelled r -> "by " + r.by();
            case StopReason.ApprovalDenied r -> r.question() + " by " + r.by();
            case StopReason.GuardrailTripped r -> r.guardrail() + ": " + r.why();
            case StopReason.LoopDetected r -> r.what();
            case StopReason.NotEnforceable r -> r.what();
            case StopReason.ModelFailed r -> named(r.model(), r.problem());
            case StopReason.ToolFailed r -> r.tool() + ": " + r.problem();
            case StopReason.NeedsInput r -> r.what();
            case StopReason.Failed r -> r.path() + ": " + r.problem();
            case StopReason.Diverged r -> r.what();
        };
    }

    /** Most problems of models name theirs. */
    private static String named(String model, String problem) {
        return problem.startsWith(model + ": ") ? problem : model + ": " + problem;
    }

    private static String amount(StopReason.BudgetExhausted budget) {
        return budget.which() == Resource.MONEY
                ? BudgetOptions.dollars(budget.limit())
                : budget.limit() + " " + budget.which().unit();
    }
}
