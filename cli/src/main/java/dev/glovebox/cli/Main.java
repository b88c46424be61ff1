package dev.glovebox.cli;

import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.sandbox.spi.Tier;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code glovebox} command.
 *
 * <p>It is started anew for each program, so it looks at the first word itself and makes only that
 * command: the options of all the others cost nothing.
 */
public final class Main {

    static final int OK = 0;
    static final int USAGE = 2;

    /** What a shell shows of a tool that writes to a closed pipe: 128 and SIGPIPE. */
    static final int NOBODY_READS = 141;

    /** How long threads that others left running may hold up the end. */
    private static final Duration LINGER = Duration.ofMillis(50);

    private static final String TRACE = "trace";
    private static final char UNREADABLE = '\ufffd';

    private static final String HELP =
            """
            Usage: glovebox COMMAND [OPTION]…

            Runs code behind a wall: nothing gets out, and everyone can see what was done.

              run       from a sentence to code that ran: plans, writes, runs and repairs it
              exec      run a file, standard input or a command in a fresh box
              layer     packages for programs, installed once: add, list, remove
              trace     what happened in runs: show, verify, replay, resume, export; provable by anyone
              eval      try a coder on the problems of a corpus, and report
              stats     what the traces of coders tell: successes, attempts, times, failures, cost
              image     what the virtual machines of the microvm tier start from: build
              doctor    which walls work here, which not and why, what to type to get them
              bench     measure it side by side with what one would use instead

              glovebox COMMAND --help    all about a command
              glovebox --version
            """;

    private final Shell shell;

    Main(Shell shell) {
        this.shell = shell;
    }

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        ServiceIndex.install();
        end(new Main(Shell.ofThisProcess()).run(arguments));
    }

    /**
     * Ends the process, at once if all is well.
     *
     * <p>{@link System#exit} looks into every jar for a logger to tell of it, which takes a quarter
     * of the start of a command. When the main thread returns, nobody is told; that takes effect
     * only when no thread of a library is left, so somebody stays to exit nevertheless.
     */
    private static void end(int exit) {
        if (exit != OK) {
            System.exit(exit);
        }
        Thread.ofPlatform().daemon().name("glovebox-exit").start(Main::exitAfterAll);
    }

    private static void exitAfterAll() {
        try {
            Thread.sleep(LINGER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.exit(OK);
    }

    int run(String... arguments) {
        try {
            return begin(arguments);
        } catch (OutputLost e) {
            return failed(e, false, USAGE);
        }
    }

    private int begin(String... arguments) {
        if (arguments.length == 0) {
            print(shell.err(), HELP);
            return USAGE;
        }
        List<String> rest = Arrays.asList(arguments).subList(1, arguments.length);
        return switch (arguments[0]) {
            case "--version", "-V", "version" ->
                    print(shell.out(), "glovebox " + Version.number() + "\n");
            case "--help", "-h" -> print(shell.out(), HELP);
            case "help" ->
                    rest.isEmpty() ? print(shell.out(), HELP) : begin(rest.getFirst(), "--help");
            default -> run(arguments[0], rest);
        };
    }

    private int run(String word, List<String> arguments) {
        if (word.equals(TRACE)) {
            return trace(arguments);
        }
        Subcommand command = command(word);
        if (command == null) {
            String all = word.startsWith(TRACE + " ") ? "glovebox trace" : "glovebox";
            shell.say(
                    "There is no command '%s'; %s --help shows which there are"
                            .formatted(word, all));
            return USAGE;
        }
        boolean json = asksForJson(arguments);
        try {
            checkReadable(arguments);
            CommandLine parser = Options.parser(command.spec());
            parser.setExpandAtFiles(false); // @name is a word like any other
            ParseResult parsed = parse(parser, arguments);
            if (parsed.isUsageHelpRequested()) {
                Ansi ansi = shell.coloured() ? Ansi.ON : Ansi.OFF;
                return print(shell.out(), parser.getUsageMessage(ansi));
            }
            json = parsed.hasMatchedOption(Options.JSON);
            shell.checkLog();
            return command.run(parsed);
        } catch (RuntimeException | OutOfMemoryError e) {
            return failed(e, json, command.failed());
        }
    }

    /** Its words are commands of their own, with options of their own. */
    private int trace(List<String> arguments) {
        if (arguments.isEmpty()) {
            print(shell.err(), TraceCommands.HELP);
            return USAGE;
        }
        List<String> rest = arguments.subList(1, arguments.size());
        return switch (arguments.getFirst()) {
            case "--help", "-h" -> print(shell.out(), TraceCommands.HELP);
            case "help" ->
                    rest.isEmpty()
                            ? print(shell.out(), TraceCommands.HELP)
                            : trace(List.of(rest.getFirst(), "--help"));
            default -> run(TRACE + " " + arguments.getFirst(), rest);
        };
    }

    /**
     * Java puts a sign of its own in the place of bytes that are no text: it would be passed on.
     */
    private static void checkReadable(List<String> arguments) {
        for (String argument : arguments) {
            if (argument.indexOf(UNREADABLE) >= 0) {
                throw new BadInput(
                        "'"
                                + argument
                                + "' is not UTF-8, or has the sign for what is not: it would become another one");
            }
        }
    }

    /** A guess, for when the options could not be parsed. */
    private static boolean asksForJson(List<String> arguments) {
        int end = arguments.indexOf("--");
        return arguments.subList(0, end < 0 ? arguments.size() : end).contains(Options.JSON);
    }

    /** Only the wall that is taken if nobody says otherwise: others pull images and start boxes. */
    private static void prepare() {
        Sandboxes.tiers().stream()
                .filter(tier -> !tier.onlyByName())
                .filter(tier -> tier.isolation().atLeast(Policy.denyAll().isolation()))
                .findFirst()
                .ifPresent(Tier::prepare);
    }

    private @Nullable Subcommand command(String word) {
        return switch (word) {
            case "run" -> {
                Thread.ofPlatform().daemon().name("glovebox-prepare").start(Main::prepare);
                yield new RunCommand(shell);
            }
            case "exec" -> {
                // Linking system calls takes as long as reading the command line: both at once.
                Thread.ofPlatform().daemon().name("glovebox-prepare").start(Main::prepare);
                yield new ExecCommand(shell);
            }
            case "eval" -> new EvalCommand(shell);
            case "stats" -> new StatsCommand(shell);
            case "layer" -> new LayerCommand(shell);
            case "image" -> new ImageCommand(shell);
            case "doctor" -> new DoctorCommand(shell);
            case "bench" -> new BenchCommand(shell);
            default ->
                    word.startsWith(TRACE + " ")
                            ? TraceCommands.named(word.substring(TRACE.length() + 1), shell)
                            : null;
        };
    }

    private static ParseResult parse(CommandLine parser, List<String> arguments) {
        try {
            return parser.parseArgs(arguments.toArray(String[]::new));
        } catch (UnmatchedArgumentException e) {
            List<String> near = e.getSuggestions();
            String guess =
                    near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
            throw new BadInput(e.getMessage() + guess, e);
        } catch (ParameterException e) {
            throw new BadInput(String.valueOf(e.getMessage()), e);
        }
    }

    private int failed(Throwable thrown, boolean json, int exit) {
        if (thrown instanceof OutputLost e && e.nobodyReads()) {
            return NOBODY_READS;
        }
        Problem problem = Problem.of(thrown);
        shell.say(problem.message());
        if (shell.debugging()) {
            thrown.printStackTrace();
        }
        if (json) {
            new JsonReport(shell).problem(problem);
        }
        return exit;
    }

    private static int print(OutputStream to, String text) {
        try {
            to.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw OutputLost.writing("The answer", e);
        }
        return OK;
    }
}
