package dev.glovebox.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.telemetry.Telemetry;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.CanonicalJson;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Recorder;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.TraceException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Records one execution as a run: what was to be run under which policy before it is, and what
 * became of it, with its receipt, after.
 *
 * <p>All content is private: its digests tell nothing, and it can be redacted.
 */
final class ExecTrace implements Recording {

    static final String COMPLETED = "completed";

    private static final String KIND = "exec";
    private static final EffectId EFFECT = new EffectId("", 1, "exec-1", "sandbox.exec");
    private static final JsonMapper MAPPER = new JsonMapper();

    private final Shell shell;
    private final Trace trace;
    private final Recorder recorder;
    private final Telemetry telemetry;

    private ExecTrace(Shell shell, Trace trace, Recorder recorder, Telemetry telemetry) {
        this.shell = shell;
        this.trace = trace;
        this.recorder = recorder;
        this.telemetry = telemetry;
    }

    /**
     * Begins a run, and says what is about to happen; durable when this returns.
     *
     * @param spans whether to show it as spans, on standard error
     */
    static ExecTrace begin(Shell shell, Policy policy, Program program, boolean spans) {
        Trace trace = Traces.open(shell);
        try {
            Telemetry telemetry =
                    spans
                            ? Telemetry.console(
                                    new PrintStream(shell.err(), true, StandardCharsets.UTF_8),
                                    trace::blob)
                            : Telemetry.fromEnvironment(shell.env(), trace::blob);
            return new ExecTrace(shell, trace, begin(trace, policy, program), telemetry);
        } catch (RuntimeException e) {
            trace.close();
            throw e;
        }
    }

    private static Recorder begin(Trace trace, Policy policy, Program program) {
        Recorder recorder =
                trace.startPrivate(
                        KIND,
                        title(program),
                        policy.json().getBytes(StandardCharsets.UTF_8),
                        BlobRef.JSON);
        byte[] code = code(program);
        BlobRef source = recorder.keepPrivate(code, BlobRef.TEXT);
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        details.put("codeLength", code.length);
        details.put("timeoutMillis", policy.limits().wall().toMillis());
        details.put("memoryBytes", policy.limits().memory().count());
        if (!program.arguments().isEmpty()) {
            byte[] words = CanonicalJson.bytes(MAPPER.valueToTree(program.arguments()));
            details.set("arguments", recorder.keepPrivate(words, BlobRef.JSON).json());
        }
        ObjectNode inputs = JsonNodeFactory.instance.objectNode();
        program.inputs()
                .forEach((name, content) ->
                        inputs.set(name, recorder.keepPrivate(content, BlobRef.BYTES).json()));
        if (!inputs.isEmpty()) {
            details.set("inputs", inputs);
        }
        program.stdin()
                .filter(stdin -> stdin.length > 0)
                .ifPresent(stdin ->
                        details.set("stdin", recorder.keepPrivate(stdin, BlobRef.BYTES).json()));
        recorder.record(new Event.EffectIntent(EFFECT, name(program), source, details));
        return recorder;
    }

    @Override
    public Optional<String> run() {
        return Optional.of(recorder.run());
    }

    @Override
    public boolean end(Result result, PassedInput input) {
        return kept(() -> record(result, input));
    }

    @Override
    public void failed(RuntimeException why) {
        kept(() -> record(Problem.of(why).message()));
    }

    private boolean kept(Runnable recording) {
        try {
            recording.run();
            try (Stream<Entry> entries = trace.entries(recorder.run(), 0)) {
                entries.forEach(telemetry);
            }
            return true;
        } catch (TraceException e) {
            shell.say("what became of it could not be recorded: " + e.getMessage());
            return false;
        }
    }

    private void record(Result result, PassedInput input) {
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        details.put("tier", result.receipt().tier());
        details.set("outcome", JsonReport.tree(result.outcome()));
        details.put("stdoutBytes", result.stdout().total());
        details.put("stderrBytes", result.stderr().total());
        if (input.total() > 0) {
            details.put("stdinBytes", input.total());
            details.set("stdin", recorder.keepPrivate(input.first(), BlobRef.BYTES).json());
        }
        keep("stdout", result.stdout(), details);
        keep("stderr", result.stderr(), details);
        byte[] receipt = JsonReport.bytes(result.receipt());
        details.set("receipt", recorder.keepPrivate(receipt, BlobRef.JSON).json());
        ObjectNode files = JsonNodeFactory.instance.objectNode();
        result.files()
                .forEach((name, content) ->
                        files.set(name, recorder.keepPrivate(content, BlobRef.BYTES).json()));
        if (!files.isEmpty()) {
            details.set("files", files);
        }
        Event.Status status =
                switch (result.outcome()) {
                    case Outcome.NotStarted _ -> Event.Status.FAILED;
                    case Outcome.Unknown _ -> Event.Status.UNKNOWN;
                    case Outcome.Exited _,
                            Outcome.Signalled _,
                            Outcome.TimedOut _,
                            Outcome.LimitHit _,
                            Outcome.Denied _,
                            Outcome.Cancelled _ ->
                            Event.Status.DONE;
                };
        recorder.record(
                new Event.EffectOutcome(
                        EFFECT, status, Optional.empty(), result.usage().wall(), details));
        recorder.finish(
                result.outcome().equals(new Outcome.Exited(0)) ? COMPLETED : "failed",
                Optional.empty());
    }

    private void record(String why) {
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        details.set(
                "outcome",
                JsonNodeFactory.instance
                        .objectNode()
                        .put("type", "not-started")
                        .put("reason", why));
        recorder.record(
                new Event.EffectOutcome(
                        EFFECT, Event.Status.FAILED, Optional.empty(), Duration.ZERO, details));
        recorder.finish("failed", Optional.empty());
    }

    private void keep(String name, Output output, ObjectNode details) {
        if (output.total() > 0) {
            details.set(name, recorder.keepPrivate(output.bytes(), BlobRef.TEXT).json());
        }
    }

    private static byte[] code(Program program) {
        return switch (program.code()) {
            case Program.Script script -> script.source();
            case Program.Command command -> command.name().getBytes(StandardCharsets.UTF_8);
        };
    }

    private static String name(Program program) {
        return switch (program.code()) {
            case Program.Script script -> script.language().toString();
            case Program.Command command -> command.name();
        };
    }

    /** Nothing private: the name of the file or of the command, without arguments. */
    private static String title(Program program) {
        return switch (program.code()) {
            case Program.Script script -> script.language() + ": " + script.filename();
            case Program.Command command -> command.name();
        };
    }

    @Override
    public void close() {
        try (trace) {
            telemetry.close();
        }
    }
}
