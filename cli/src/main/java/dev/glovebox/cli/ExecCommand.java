package dev.glovebox.cli;

import dev.glovebox.agent.Launch;
import dev.glovebox.agent.StandardInput;
import dev.glovebox.agent.Wall;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Runs one program in a fresh box and ends as the program did. */
final class ExecCommand implements Subcommand {

    static final int TIMED_OUT = 124;
    static final int FAILED = 125;
    static final int KILLED = 126;
    static final int SIGNALLED = 128;
    static final int CANCELLED = 130;

    private static final String LANG = "--lang";
    private static final String IN = "--in";
    private static final String OUT = "--out";
    private static final String TRACE = "--trace";

    private final Shell shell;

    ExecCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Options.command(
                        "glovebox exec",
                        "Runs a program in a fresh box, which is gone afterwards.%n");
        spec.usageMessage()
                .customSynopsis(
                        "glovebox exec [OPTION]… FILE [ARG]…     source code: .py .js .mjs .cjs .sh .bash or a"
                                + " #! line",
                        "       glovebox exec [OPTION]… --lang L -      source code from standard input",
                        "       glovebox exec [OPTION]… -- CMD [ARG]…   a command of the box",
                        "")
                .footer(
                        "",
                        "The program reads our standard input, unless the source came from there, and its"
                                + " output comes out",
                        "untouched. Without options it gets no network, no files of this machine, 30 s, 256"
                                + " MiB, a jail.",
                        "",
                        "Exit codes: the program's own; 124 out of time; 125 nothing ran, its output could not be"
                                + " handed on,",
                        "or it exited with 0 and a file of --out is not there; 126 killed by another limit or"
                                + " for something",
                        "forbidden; 128+N ended by signal N; 130 interrupted; 141 nobody reads the output any"
                                + " more (as with",
                        "| head).");
        spec.parser().stopAtPositional(true); // what is behind the program's name is the program's
        PolicyOptions.addTo(spec);
        return spec.addOption(
                        Options.one(
                                LANG,
                                "L",
                                "The language of the source: python, javascript or bash."))
                .addOption(
                        Options.many(
                                IN,
                                "FILE[:NAME]",
                                "Copies a file into the box's scratch, its working directory."))
                .addOption(
                        Options.many(
                                OUT,
                                "FILE",
                                "Copies a file of the scratch to the current directory at the end."))
                .addOption(
                        Options.flag(
                                TRACE,
                                "Records what was run and what became of it, sealed; see glovebox trace."))
                .addOption(
                        TelemetryOption.spec(
                                "Records it, and shows it as OpenTelemetry spans on standard error."))
                .addOption(
                        Options.flag(
                                Options.JSON,
                                "One JSON document on standard output tells all, with a receipt of the"
                                        + " confinement."))
                .addOption(Options.help())
                .addPositional(Options.words());
    }

    @Override
    public int failed() {
        return FAILED;
    }

    @Override
    public int run(ParseResult parsed) {
        Policy policy = PolicyOptions.policy(parsed, shell);
        OutputFiles saved = new OutputFiles(shell.directory());
        saved.check(Options.many(parsed, OUT));
        Program program = program(parsed, policy);
        Launch launch =
                launch(Options.one(parsed, PolicyOptions.TIER), policy, program)
                        .input(StandardInput.of(shell.in()));
        try (Interruption interruption = new Interruption();
                Recording recording = recording(parsed)) {
            Passage passage =
                    new Passage(shell, parsed.hasMatchedOption(Options.JSON), interruption);
            Result result;
            try {
                result = recording.run(launch.watched(passage));
            } catch (RuntimeException e) {
                if (interruption.stopping()) {
                    // The terminal has sent Ctrl-C to the box's own processes as well.
                    return interrupted(passage);
                }
                throw e;
            }
            int exit =
                    interruption.stopping()
                            ? interrupted(result, recording, passage)
                            : end(result, program, recording, passage, saved);
            return recording.isKept() ? exit : FAILED;
        }
    }

    private static Launch launch(@Nullable String tier, Policy policy, Program program) {
        Launch any = Launch.of(policy, program);
        return tier == null ? any : any.behind(Wall.named(tier));
    }

    private Recording recording(ParseResult parsed) {
        boolean spans = TelemetryOption.isHere(parsed);
        return spans || parsed.hasMatchedOption(TRACE)
                ? ExecTrace.open(shell, spans)
                : Recording.NONE;
    }

    private Program program(ParseResult parsed, Policy policy) {
        List<String> words = Options.words(parsed);
        if (words.isEmpty()) {
            throw new BadInput(
                    "What is to be run? Name a FILE, - or -- CMD; glovebox exec --help shows how");
        }
        // The words are the end of what was typed.
        List<String> typed = parsed.originalArgs();
        int before = typed.size() - words.size() - 1;
        boolean command = before >= 0 && typed.get(before).equals("--");
        Map<String, byte[]> inputs =
                new InputFiles(shell, policy.limits().disk()).read(Options.many(parsed, IN));
        Program.Code code =
                new Source(shell).code(words.getFirst(), command, Options.one(parsed, LANG));
        if (code instanceof Program.Script script && inputs.containsKey(script.filename())) {
            throw new BadInput(
                    "--in '" + script.filename() + "' has the name of the program itself");
        }
        boolean stdinIsSource = !command && words.getFirst().equals(Source.STDIN);
        return new Program(
                code,
                words.subList(1, words.size()),
                Map.of(),
                stdinIsSource ? Optional.of(new byte[0]) : Optional.empty(),
                inputs,
                Options.many(parsed, OUT));
    }

    /** Hands on what came out. The box is closed by now: nothing in it can interfere. */
    private int end(
            Result result,
            Program program,
            Recording recording,
            Passage passage,
            OutputFiles saved) {
        Optional<IOException> lost = passage.finish(result);
        if (lost.isPresent()) {
            throw OutputLost.writing("The program was stopped, since its output", lost.get());
        }
        List<String> lines = new ArrayList<>(Explanation.of(result, passage));
        boolean complete = save(result, program.outputs(), saved, lines);
        recording
                .record()
                .filter(RunRecord::isWhole)
                .filter(written -> !passage.closed())
                .ifPresent(written -> lines.add("recorded: glovebox trace show " + written.run()));
        if (!lines.isEmpty() && passage.midLine()) {
            shell.endLine();
        }
        lines.forEach(shell::say);
        if (passage.closed()) {
            new JsonReport(shell).result(result, recording.record());
        }
        int exit = exitCode(result.outcome());
        return exit == Main.OK && !complete ? FAILED : exit;
    }

    /**
     * Ends on Ctrl-C; the JVM's exit code will be 128 and the signal's number, whatever is given
     * here.
     */
    private int interrupted(Result result, Recording recording, Passage passage) {
        shell.say("interrupted");
        if (passage.closed()) {
            new JsonReport(shell).result(result, recording.record());
        }
        return CANCELLED;
    }

    private int interrupted(Passage passage) {
        Problem.of("interrupted", "interrupted").tell(shell, passage.closed());
        return CANCELLED;
    }

    /** Saves the result files; false if one of them is not there afterwards. */
    private static boolean save(
            Result result, List<String> names, OutputFiles saved, List<String> lines) {
        boolean complete = true;
        for (String name : names) {
            byte[] content = result.files().get(name);
            if (content == null) {
                String why = result.refusedFiles().get(name);
                lines.add(
                        why == null
                                ? "--out '" + name + "': the program left no such file"
                                : "--out '" + name + "' was not taken: " + why);
                complete = false;
                continue;
            }
            try {
                saved.save(name, content);
            } catch (OutputLost e) {
                lines.add(String.valueOf(e.getMessage()));
                complete = false;
            }
        }
        return complete;
    }

    static int exitCode(Outcome outcome) {
        if (outcome instanceof Outcome.Exited(int code)) {
            return code; // spares the usual end the 3 ms that Java takes to link a switch over
            // types
        }
        return switch (outcome) {
            case Outcome.Exited(int code) -> code;
            case Outcome.Signalled(int signal) -> SIGNALLED + signal;
            case Outcome.TimedOut _ -> TIMED_OUT;
            case Outcome.LimitHit _, Outcome.Denied _, Outcome.Unknown _ -> KILLED;
            case Outcome.Cancelled _ -> CANCELLED;
            case Outcome.NotStarted _ -> FAILED;
        };
    }
}
