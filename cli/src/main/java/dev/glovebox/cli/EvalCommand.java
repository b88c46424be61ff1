package dev.glovebox.cli;

import dev.glovebox.agent.Spectator;
import dev.glovebox.coder.CoderGraph;
import dev.glovebox.coder.Corpus;
import dev.glovebox.coder.CorpusTask;
import dev.glovebox.coder.Eval;
import dev.glovebox.coder.ModelCoder;
import dev.glovebox.coder.ModelDebugger;
import dev.glovebox.coder.Settings;
import dev.glovebox.coder.StatsRun;
import dev.glovebox.run.Budget;
import dev.glovebox.run.Runs;
import dev.glovebox.run.StopReason;
import dev.glovebox.run.Suspended;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.telemetry.Telemetry;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.TraceException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Tries a coder on a corpus. */
final class EvalCommand implements Subcommand {

    static final int FAILED = 1;
    static final int NO_WALL = 3;
    static final int NO_ANSWER = 4;

    private static final String ORACLE = "--oracle";
    private static final String BUGS = "--oracle-with-bugs";
    private static final String JOBS = "--jobs";
    private static final String LIMIT = "--limit";
    private static final String ATTEMPTS = "--attempts";
    private static final String RESUME = "--resume";
    private static final List<String> ROLES = List.of(ModelCoder.ROLE, ModelDebugger.ROLE);
    private static final int MOST_JOBS = 256;
    private static final int MOST_ATTEMPTS = 100;

    /** Many run at once, on machines that have other things to do. */
    private static final Policy POLICY = Policy.denyAll().wall(Duration.ofSeconds(30));

    private final Shell shell;
    private boolean begun;

    EvalCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Options.command(
                        "glovebox eval",
                        "Tries a coder on each problem of a corpus in HumanEval's format: JSON lines, plain or",
                        "gzip, with task_id, prompt, entry_point, canonical_solution and test. Each problem is a",
                        "run with a sealed trace; code runs in boxes, and never sees the tests.%n");
        spec.usageMessage()
                .customSynopsis(
                        "glovebox eval CORPUS (--model SPEC | --oracle | --oracle-with-bugs) [OPTION]…")
                .footer(
                        "",
                        "Exit codes: 0 ran to its end, 1 out of budget, not sealed or failed, 2 bad usage,",
                        "3 no acceptable wall, 4 no model answered for any problem, 130 interrupted.");
        spec.addOption(ModelOption.spec(ROLES));
        BudgetOptions.addTo(spec, "the whole evaluation, however often it is resumed");
        return spec.addOption(
                        Options.flag(ORACLE, "The corpus's own solutions stand in for a model."))
                .addOption(
                        Options.flag(
                                BUGS,
                                "The same with a mistake in each, for the debugger to repair."))
                .addOption(
                        Options.one(
                                JOBS, "N", "So many at once; as many as processors unless told."))
                .addOption(Options.one(LIMIT, "N", "Only the first problems."))
                .addOption(
                        Options.one(
                                ATTEMPTS,
                                "N",
                                "So many for each problem; " + Settings.ATTEMPTS + " unless told."))
                .addOption(
                        Options.one(
                                RESUME,
                                "ID",
                                "Goes on with an evaluation that was interrupted; what is done stays done."))
                .addOption(
                        TelemetryOption.spec(
                                "Shows the runs as OpenTelemetry spans on standard error."))
                .addOption(Options.flag(Options.JSON, "One JSON document on standard output."))
                .addOption(Options.help())
                .addPositional(Options.words());
    }

    @Override
    public int failed() {
        return begun ? FAILED : Main.USAGE;
    }

    @Override
    public int run(ParseResult parsed) {
        Corpus corpus = corpus(parsed);
        ModelOption models = ModelOption.of(parsed, ROLES);
        Eval.Writer writer = writer(parsed, models);
        int attempts = number(parsed, ATTEMPTS, Settings.ATTEMPTS, MOST_ATTEMPTS);
        int processors = Math.min(MOST_JOBS, Runtime.getRuntime().availableProcessors());
        int jobs = number(parsed, JOBS, processors, MOST_JOBS);
        Budget budget = BudgetOptions.of(parsed, models.names(shell));
        boolean spansHere = TelemetryOption.isHere(parsed);
        Settings settings =
                new Settings(POLICY.json(), models.all(), attempts).models(models.own());
        Eval eval =
                new Eval(
                        corpus,
                        writer,
                        settings,
                        CoderGraph.pipeline(settings, shell.env(), Spectator.NONE));
        String name = name(parsed, eval);
        begun = true;
        // The first to be opened: on Ctrl-C all the others are waited for.
        try (Interruption interruption = new Interruption();
                Trace trace = Traces.open(shell);
                Telemetry telemetry = TelemetryOption.open(spansHere, shell, trace)) {
            Job job = new Job(corpus, name, jobs, budget, interruption);
            return run(eval, job, trace, telemetry, parsed.hasMatchedOption(Options.JSON));
        }
    }

    /** What is to be done. */
    private record Job(
            Corpus corpus, String name, int jobs, Budget budget, Interruption interruption) {

        /** An engine whose runs share the budget. */
        Runs runs(Trace trace) {
            return budget.equals(Budget.unlimited())
                    ? Runs.in(trace)
                    : Runs.sharing(trace, budget.most(), Eval.spent(trace, name));
        }
    }

    private int run(Eval eval, Job job, Trace trace, Telemetry telemetry, boolean json) {
        int all = job.corpus().tasks().size();
        shell.say("evaluation " + job.name() + ", problems: " + all);
        EvalProgress progress = new EvalProgress(shell, eval.tried(trace, job.name()), all);
        long start = System.nanoTime();
        Eval.Lack lack;
        try (Runs runs = job.runs(trace)) {
            job.interruption().watch(runs::close);
            lack = eval.run(trace, runs, job.name(), job.jobs(), progress);
        } catch (Suspended e) {
            progress.end();
            return failed(
                    Problem.of(
                            "interrupted",
                            "interrupted; to go on, say the same with --resume " + job.name()),
                    json,
                    ExecCommand.CANCELLED);
        } catch (TraceException e) {
            progress.end();
            return lost(e, job, json);
        }
        progress.end();
        if (lack.stopped().orElse(null) instanceof StopReason.NotEnforceable why) {
            return failed(Problem.of("not-enforceable", why.what()), json, NO_WALL);
        }
        Map<String, StatsRun> results = results(trace, job);
        show(trace, telemetry, results);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        EvalReport report = new EvalReport(job.name(), all, results, lack, took);
        if (json) {
            report.json(new JsonReport(shell));
        } else {
            report.lines(new Paint(shell.coloured())).forEach(shell::print);
        }
        return told(lack, job);
    }

    /** What is recorded need not be done again. */
    private int lost(TraceException why, Job job, boolean json) {
        shell.say("not all could be recorded: " + why.getMessage());
        shell.say("to go on, when that is repaired, say the same with --resume " + job.name());
        if (json) {
            new JsonReport(shell).problem(Problem.of(why));
        }
        return FAILED;
    }

    private int failed(Problem problem, boolean json, int exit) {
        problem.tell(shell, json);
        return exit;
    }

    /** Says what the evaluation lacks, if anything. */
    private int told(Eval.Lack lack, Job job) {
        lack.unsealed()
                .ifPresent(why -> shell.say("recorded, but not all of it is sealed: " + why));
        if (lack.stopped().orElse(null) instanceof StopReason.ModelFailed why) {
            shell.say("no problem was tried, since no model answered: " + Ending.words(why));
            shell.say("to go on, when one does, say the same with --resume " + job.name());
            return NO_ANSWER;
        }
        lack.stopped()
                .ifPresent(why -> {
                    shell.say(why.word() + ": " + Ending.words(why));
                    shell.say("to go on, say the same with more of it and --resume " + job.name());
                });
        return lack.unsealed().isEmpty() && lack.stopped().isEmpty() ? Main.OK : FAILED;
    }

    private static Map<String, StatsRun> results(Trace trace, Job job) {
        Map<String, StatsRun> known = Eval.results(trace, job.name());
        Map<String, StatsRun> results = new LinkedHashMap<>();
        for (CorpusTask task : job.corpus().tasks()) {
            StatsRun run = known.get(task.id());
            if (run != null) {
                results.put(task.id(), run);
            }
        }
        return results;
    }

    private static void show(Trace trace, Telemetry telemetry, Map<String, StatsRun> results) {
        if (!telemetry.on()) {
            return;
        }
        for (StatsRun run : results.values()) {
            TelemetryOption.show(telemetry, trace, run.row().run());
        }
    }

    private Corpus corpus(ParseResult parsed) {
        List<String> words = Options.words(parsed);
        if (words.size() != 1) {
            throw new BadInput("Say which corpus: one file of problems");
        }
        try {
            Corpus corpus = Corpus.read(shell.path(words.getFirst()));
            return corpus.limit(number(parsed, LIMIT, Integer.MAX_VALUE, Integer.MAX_VALUE));
        } catch (IllegalArgumentException e) {
            throw new BadInput(String.valueOf(e.getMessage()), e);
        }
    }

    private static Eval.Writer writer(ParseResult parsed, ModelOption models) {
        boolean oracle = parsed.hasMatchedOption(ORACLE);
        boolean bugs = parsed.hasMatchedOption(BUGS);
        int writers = (oracle ? 1 : 0) + (bugs ? 1 : 0) + (models.isEmpty() ? 0 : 1);
        if (writers != 1) {
            throw new BadInput(
                    "Say who writes the code: either --model SPEC, --oracle or --oracle-with-bugs");
        }
        if (!oracle && !bugs && models.of(ModelCoder.ROLE).isEmpty()) {
            throw new BadInput(
                    "Say which model writes the code: --model SPEC or --model coder=SPEC");
        }
        return oracle
                ? Eval.Writer.ORACLE
                : bugs ? Eval.Writer.ORACLE_WITH_BUGS : Eval.Writer.CODER;
    }

    private static String name(ParseResult parsed, Eval eval) {
        @Nullable String name = Options.one(parsed, RESUME);
        if (name == null) {
            return eval.name();
        }
        if (!eval.isNamed(name)) {
            throw new BadInput(
                    "The evaluation "
                            + name
                            + " had another corpus, other roles or other settings than these");
        }
        return name;
    }

    private static int number(ParseResult parsed, String option, int otherwise, int most) {
        String text = Options.one(parsed, option);
        try {
            int number = text == null ? otherwise : Integer.parseInt(text);
            if (number >= 1 && number <= most) {
                return number;
            }
            throw new NumberFormatException();
        } catch (NumberFormatException e) {
            throw new BadInput(option + ": '" + text + "' is not a number from 1 to " + most, e);
        }
    }
}
