package dev.glovebox.coder;

import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says what went wrong when nobody knows what to change. */
final class Verdict {

    private static final String NO_RULE = "No rule of the offline debugger changes that: ";
    private static final Pattern QUOTED = Pattern.compile("'([^'\n]{1,200})'");

    private static final Map<String, Mistake> BY_TYPE =
            Map.ofEntries(
                    Map.entry("ModuleNotFoundError", Mistake.MISSING_MODULE),
                    Map.entry("ImportError", Mistake.MISSING_IMPORT),
                    Map.entry("SyntaxError", Mistake.SYNTAX),
                    Map.entry("IndentationError", Mistake.INDENTATION),
                    Map.entry("TabError", Mistake.INDENTATION),
                    Map.entry("NameError", Mistake.NAME),
                    Map.entry("UnboundLocalError", Mistake.NAME),
                    Map.entry("ReferenceError", Mistake.NAME),
                    Map.entry("AttributeError", Mistake.NAME),
                    Map.entry("TypeError", Mistake.TYPE),
                    Map.entry("IndexError", Mistake.INDEX),
                    Map.entry("KeyError", Mistake.KEY),
                    Map.entry("ValueError", Mistake.VALUE),
                    Map.entry("RangeError", Mistake.VALUE),
                    Map.entry("ZeroDivisionError", Mistake.DIVISION),
                    Map.entry("RecursionError", Mistake.RECURSION),
                    Map.entry("FileNotFoundError", Mistake.MISSING_FILE),
                    Map.entry("EOFError", Mistake.INPUT),
                    Map.entry("UnicodeDecodeError", Mistake.ENCODING),
                    Map.entry("UnicodeEncodeError", Mistake.ENCODING),
                    Map.entry("AssertionError", Mistake.ASSERTION),
                    Map.entry("MemoryError", Mistake.MEMORY),
                    Map.entry("TimeoutError", Mistake.TIME_OUT));

    private Verdict() {}

    /** Of a program that did not end by itself; empty: it did. */
    static Optional<Diagnosis> ofOutcome(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Exited e -> Optional.empty();
            case Outcome.Signalled s -> Optional.empty();
            case Outcome.TimedOut t ->
                    said(
                            Mistake.TIME_OUT,
                            "It was still running after " + t.limit().toMillis() + " ms",
                            "Make it do less, or allow more time");
            case Outcome.LimitHit l ->
                    said(
                            l.limit() == Limit.MEMORY
                                    ? Mistake.MEMORY
                                    : l.limit() == Limit.CPU_TIME || l.limit() == Limit.WALL
                                            ? Mistake.TIME_OUT
                                            : Mistake.LIMIT,
                            "It needed more " + l.limit() + " than the " + l.value() + " allowed",
                            "Make it need less, or allow more");
            case Outcome.Denied d ->
                    said(
                            Mistake.DENIED,
                            "It was stopped for something that is forbidden: " + d.what(),
                            "Do it in another way; what the policy forbids stays forbidden");
            case Outcome.Cancelled c -> said(Mistake.UNKNOWN, "It was cancelled", "Start it again");
            case Outcome.NotStarted n ->
                    said(Mistake.UNKNOWN, "It did not start: " + n.reason(), "See why");
            case Outcome.Unknown u ->
                    said(Mistake.UNKNOWN, "How it ended was lost: " + u.reason(), "Start it again");
        };
    }

    private static Optional<Diagnosis> said(Mistake mistake, String cause, String fix) {
        return Optional.of(new Diagnosis(mistake.word(), cause, fix, 1));
    }

    /** Of an error, or of the lack of one. */
    static Diagnosis of(Scene scene) {
        Problem problem = scene.problem();
        if (scene.report().step() == ExecutionReport.Step.INSTALL) {
            return new Diagnosis(
                    Mistake.INSTALLATION.word(),
                    "What it depends on cannot be installed: %s. %s"
                            .formatted(scene.artifact().dependencies(), lastLine(scene)),
                    "Check the names, and whether the package index can be reached",
                    0.9);
        }
        if (!problem.exists()) {
            return scene.report().outcome().success()
                    ? new Diagnosis(
                            Mistake.OUTPUT.word(),
                            "It ran without an error, but what it did is not what the plan asks for",
                            NO_RULE + "somebody has to look at what it computes",
                            0.5)
                    : new Diagnosis(
                            Mistake.UNKNOWN.word(),
                            "It failed and said nothing that is understood",
                            NO_RULE + "somebody has to look at it",
                            0.1);
        }
        Mistake mistake = mistake(problem);
        String place =
                scene.line() == 0 ? "" : " (" + scene.file() + ", line " + scene.line() + ")";
        return new Diagnosis(
                mistake.word(), problem.sentence() + place, NO_RULE + advice(mistake, scene), 0.5);
    }

    private static String lastLine(Scene scene) {
        return scene.report()
                .stderr()
                .lines()
                .filter(line -> !line.isBlank())
                .reduce("", (before, line) -> line)
                .strip();
    }

    static Mistake mistake(Problem problem) {
        if (problem.says("ENOENT")) {
            return Mistake.MISSING_FILE;
        }
        if (problem.says("No such built-in module")
                || problem.says("Cannot find module")
                || problem.says("Cannot find package")) {
            return Mistake.MISSING_MODULE;
        }
        if (problem.says("Maximum call stack")) {
            return Mistake.RECURSION;
        }
        if (problem.says("heap out of memory")) {
            return Mistake.MEMORY;
        }
        return BY_TYPE.getOrDefault(problem.type(), Mistake.UNKNOWN);
    }

    private static String advice(Mistake mistake, Scene scene) {
        Matcher quoted = QUOTED.matcher(scene.problem().message());
        String named = quoted.find() ? " '" + quoted.group(1) + "'" : "";
        return switch (mistake) {
            case MISSING_MODULE ->
                    "the module" + named + " has to be installed, or its use written differently";
            case MISSING_FILE -> "bring the file" + named + ", or say what is to be in it";
            case INPUT -> "the program asks for input that the task does not name; name the value";
            case ASSERTION -> "the program computes something else than is expected of it";
            case MEMORY -> "make it need less memory, or allow more";
            case RECURSION -> "the recursion may have no end; give it one, or write a loop";
            default -> "somebody has to look at it";
        };
    }
}
