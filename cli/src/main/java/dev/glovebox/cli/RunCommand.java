package dev.glovebox.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.coder.Check;
import dev.glovebox.coder.CodeArtifact;
import dev.glovebox.coder.CoderGraph;
import dev.glovebox.coder.CoderMemory;
import dev.glovebox.coder.ExecutionPlan;
import dev.glovebox.coder.Pipeline;
import dev.glovebox.coder.PipelineLog;
import dev.glovebox.coder.Settings;
import dev.glovebox.coder.Task;
import dev.glovebox.coder.Work;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import dev.glovebox.run.Suspended;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Program;
import dev.glovebox.telemetry.Telemetry;
import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.Subscription;
import dev.glovebox.trace.Trace;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Goes from a sentence, or from code that somebody has, to code that ran. */
final class RunCommand implements Subcommand {

    static final int STOPPED = 1;
    static final int NO_WALL = 3;

    private static final String CODE = "--code";
    private static final String LANG = "--lang";
    private static final String MODEL = "--model";
    private static final String ATTEMPTS = "--attempts";
    private static final String SAVE = "--save";
    private static final String QUIET = "-q";
    private static final String LOG = "--log";
    private static final int MOST_ATTEMPTS = 100;

    private final Shell shell;

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
                        "Exit codes: 0 it works; 1 stopped before that; 2 usage; 3 no wall here satisfies the"
                                + " policy; 130 interrupted.");
        spec.addOption(Options.one(CODE, "FILE", "Begins with this code instead of writing some."))
                .addOption(Options.one(LANG, "L", "The language: python, javascript or bash."))
                .addOption(
                        Options.one(
                                MODEL,
                                "SPEC",
                                "The model of all roles, such as openai:gpt-4o-mini; several, from small to"
                                        + " large, with commas."))
                .addOption(
                        Options.one(
                                ATTEMPTS,
                                "N",
                                "How many attempts are made; %d unless said otherwise."
                                        .formatted(Settings.ATTEMPTS)))
                .addOption(
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
                                Options.JSON, "One JSON document on standard output tells all."));
        PolicyOptions.addTo(spec);
        return spec.addOption(Options.help()).addPositional(Options.words());
    }

    @Override
    public int failed() {
        return Main.USAGE;
    }

    @Override
    public int run(ParseResult parsed) {
        Work work = work(parsed);
        Optional<OutputFiles> saved =
                Optional.ofNullable(Options.one(parsed, SAVE))
                        .map(folder -> OutputFiles.below(shell.path(folder), SAVE));
        boolean json = parsed.hasMatchedOption(Options.JSON);
        boolean quiet = parsed.hasMatchedOption(QUIET);
        try (Interruption interruption = new Interruption();
                RunProgress progress =
                        RunProgress.of(shell, json || quiet, Options.one(parsed, LOG));
                Trace trace = Traces.open(shell);
                Telemetry telemetry = Telemetry.fromEnvironment(shell.env(), trace::blob);
                Runs runs = Runs.in(trace)) {
            interruption.watch(runs::close);
            Pipeline pipeline =
                    CoderGraph.pipeline(work.settings(), shell.env(), progress.spectator());
            long began = System.nanoTime();
            Run<Work> run =
                    runs.start(
                            pipeline.graph(work), work, RunOptions.titled(title(work)).inPrivate());
            PipelineLog log = new PipelineLog(work.settings().attempts(), progress);
            try (Subscription seen = trace.follow(run.name(), log.andThen(telemetry))) {
                Status<Work> status = run.await();
                if (status.stop().isPresent()) {
                    seen.ended().join();
                }
                progress.end();
                learn(status);
                RunReport report = new RunReport(shell, trace, System.nanoTime() - began);
                return tell(status, report, saved, json, quiet);
            } catch (Suspended e) {
                progress.end();
                shell.say("interrupted; to go on: glovebox trace resume " + run.name());
                return ExecCommand.CANCELLED;
            }
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
        saved.ifPresent(folder -> report.save(end, folder));
        if (json) {
            report.json(end);
        } else if (quiet) {
            report.output(end);
        } else {
            report.text(end);
        }
        return exit(end);
    }

    private static int exit(Status.Finished<Work> end) {
        if (end.isCompleted()) {
            return Main.OK;
        }
        return end.reason() instanceof StopReason.NotEnforceable ? NO_WALL : STOPPED;
    }

    private Work work(ParseResult parsed) {
        String sentence = String.join(" ", Options.words(parsed));
        Optional<Language> language =
                Optional.ofNullable(Options.one(parsed, LANG)).map(Source::language);
        Settings settings = settings(parsed);
        @Nullable String file = Options.one(parsed, CODE);
        if (file == null) {
            if (sentence.isBlank()) {
                throw new BadInput(
                        "What is to be done? Say it in a sentence, or name code with --code FILE");
            }
            return Work.of(new Task(sentence, language), settings);
        }
        return given(file, sentence, Options.one(parsed, LANG), settings);
    }

    private Settings settings(ParseResult parsed) {
        String model = Optional.ofNullable(Options.one(parsed, MODEL)).orElse("");
        ModelOption.check(model, shell);
        Settings any =
                new Settings(
                                PolicyOptions.ofTask(parsed, shell).json(),
                                model,
                                attempts(Options.one(parsed, ATTEMPTS)))
                        .installing()
                        .remembering();
        @Nullable String tier = Options.one(parsed, PolicyOptions.TIER);
        return tier == null ? any : any.tier(tier);
    }

    /** Code that there is already. */
    private Work given(String file, String sentence, @Nullable String language, Settings settings) {
        Program.Script script = new Source(shell).script(file, language);
        CodeArtifact artifact =
                CodeArtifact.of(script.language(), script.filename(), text(file, script.source()));
        String task = sentence.isBlank() ? "Run " + script.filename() : sentence;
        ExecutionPlan plan =
                new ExecutionPlan(
                        script.language(),
                        List.of(),
                        false,
                        task,
                        "",
                        JsonNodeFactory.instance.objectNode(),
                        ExecutionPlan.OutputKind.TEXT,
                        List.of(new Check.Exits(0)));
        return Work.of(new Task(task, Optional.of(script.language())), settings, plan, artifact);
    }

    /** As it is: what is not text would not be the same code any more. */
    private static String text(String file, byte[] source) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(source)).toString();
        } catch (CharacterCodingException e) {
            throw new BadInput("'" + file + "' is not a text in UTF-8, so it is no source code", e);
        }
    }

    private static int attempts(@Nullable String number) {
        if (number == null) {
            return Settings.ATTEMPTS;
        }
        try {
            int wanted = Integer.parseInt(number);
            if (wanted >= 1 && wanted <= MOST_ATTEMPTS) {
                return wanted;
            }
            throw new NumberFormatException();
        } catch (NumberFormatException e) {
            throw new BadInput(
                    "%s wants a number from 1 to %d, not '%s'"
                            .formatted(ATTEMPTS, MOST_ATTEMPTS, number),
                    e);
        }
    }

    /** What was said may be private, and titles cannot be redacted. */
    private static String title(Work work) {
        return work.next().map(code -> code.language() + ": " + code.entry()).orElse("a task");
    }
}
