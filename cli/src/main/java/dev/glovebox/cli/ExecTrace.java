package dev.glovebox.cli;

import dev.glovebox.agent.ExecGraph;
import dev.glovebox.agent.ExecGraph.Progress;
import dev.glovebox.agent.Launch;
import dev.glovebox.agent.SandboxExec;
import dev.glovebox.agent.Spectator;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Result;
import dev.glovebox.telemetry.Telemetry;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.TraceException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Runs a program as a recorded run, and shows that as spans if somebody wants them. */
final class ExecTrace implements Recording {

    private final Shell shell;
    private final Trace trace;
    private final Runs runs;
    private final Telemetry telemetry;
    private Optional<RunRecord> written = Optional.empty();

    private ExecTrace(Shell shell, Trace trace, Telemetry telemetry) {
        this.shell = shell;
        this.trace = trace;
        this.runs = Runs.in(trace);
        this.telemetry = telemetry;
    }

    /**
     * Prepares a record.
     *
     * @param spans whether to show it as spans, on standard error
     */
    static ExecTrace open(Shell shell, boolean spans) {
        Trace trace = Traces.open(shell);
        try {
            return new ExecTrace(shell, trace, TelemetryOption.open(spans, shell, trace));
        } catch (RuntimeException e) {
            trace.close();
            throw e;
        }
    }

    /** What came of it, for the terminal; the record is the run's. */
    private record Witness(Spectator terminal, CompletableFuture<Result> seen)
            implements Spectator {

        @Override
        public void started(Execution execution) {
            terminal.started(execution);
        }

        @Override
        public void accept(Chunk chunk) {
            terminal.accept(chunk);
        }

        @Override
        public void ended(Result result) {
            seen.complete(result);
        }

        @Override
        public void failed(RuntimeException problem) {
            seen.completeExceptionally(problem);
        }
    }

    @Override
    public Result run(Launch launch) {
        CompletableFuture<Result> seen = new CompletableFuture<>();
        Spectator witness = new Witness(launch.spectator(), seen);
        SandboxExec exec = SandboxExec.of(launch.watched(witness));
        Run<Progress> run =
                runs.start(
                        ExecGraph.of(exec),
                        Progress.NONE,
                        RunOptions.titled(exec.title()).inPrivate());
        written = Optional.of(RunRecord.sealed(run.name()));
        try {
            Status<Progress> status = run.await();
            TelemetryOption.show(telemetry, trace, run.name());
            seen.completeExceptionally(
                    new IllegalStateException("The run ended before the program began: " + status));
        } catch (TraceException e) {
            if (!seen.isDone()) {
                throw e;
            }
            RunRecord.State state = unsealed(run.name());
            shell.say(
                    (state == RunRecord.State.NOT_SEALED
                                    ? "recorded, but not sealed: "
                                    : "what became of it could not be recorded: ")
                            + e.getMessage());
            written = Optional.of(new RunRecord(run.name(), state, Optional.of(e.getMessage())));
        }
        try {
            return seen.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException problem ? problem : e;
        }
    }

    /**
     * How far the record of a run came that was not sealed: the store knows, the error does not.
     */
    private RunRecord.State unsealed(String run) {
        try {
            return trace.run(run).finishedAt().isPresent()
                    ? RunRecord.State.NOT_SEALED
                    : RunRecord.State.NOT_FINISHED;
        } catch (TraceException e) {
            return RunRecord.State.NOT_FINISHED; // nor does it say anything now
        }
    }

    @Override
    public Optional<RunRecord> record() {
        return written;
    }

    @Override
    public void close() {
        try (trace;
                runs) {
            telemetry.close();
        }
    }
}
