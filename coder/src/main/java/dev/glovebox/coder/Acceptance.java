package dev.glovebox.coder;

import dev.glovebox.agent.BoundedPattern;
import dev.glovebox.agent.OutcomeJson;
import dev.glovebox.sandbox.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Whether what a program did is what a plan wants. */
final class Acceptance {

    private static final int LONGEST_EXCERPT = 200;

    private Acceptance() {}

    /** The checks that it does not pass, in words. */
    static List<String> problems(List<Check> checks, ExecutionReport report) {
        if (report.step() == ExecutionReport.Step.INSTALL && !report.outcome().success()) {
            return List.of("What it needs could not be installed: " + ending(report));
        }
        List<String> problems = new ArrayList<>();
        for (Check check : checks) {
            problem(check, checks, report).ifPresent(problems::add);
        }
        return problems;
    }

    /** Whether a program ended as it should: with 0, unless a check says otherwise. */
    static boolean isEndWanted(List<Check> checks, Outcome outcome) {
        List<Check> ends = checks.stream().filter(Check.Exits.class::isInstance).toList();
        return outcome instanceof Outcome.Exited(int code)
                && (ends.isEmpty() ? List.of(new Check.Exits(0)) : ends)
                        .stream().allMatch(new Check.Exits(code)::equals);
    }

    private static Optional<String> problem(
            Check check, List<Check> checks, ExecutionReport report) {
        return switch (check) {
            case Check.Exits(int code) ->
                    report.step() != ExecutionReport.Step.RUN
                                    || report.outcome().equals(new Outcome.Exited(code))
                            ? Optional.empty()
                            : Optional.of(
                                    "It should exit with " + code + ", and " + ending(report));
            case Check.Matches(String expression) ->
                    finds(expression, report.stdout())
                            ? Optional.empty()
                            : Optional.of("What it printed does not match " + expression);
            case Check.Prints(String text) ->
                    report.stdout().strip().equals(text.strip())
                            ? Optional.empty()
                            : Optional.of(
                                    "It should print '%s', and printed '%s'"
                                            .formatted(excerpt(text), excerpt(report.stdout())));
            case Check.Passes test -> problem(test, checks, report);
        };
    }

    /** The report is that of a test only if the test did not pass. */
    private static Optional<String> problem(
            Check.Passes test, List<Check> checks, ExecutionReport report) {
        if (report.step() == ExecutionReport.Step.TEST) {
            return Optional.of("The test " + test.filename() + " fails: " + end(report));
        }
        return isEndWanted(checks, report.outcome())
                ? Optional.empty()
                : Optional.of(
                        "The test %s was not run, since the program %s"
                                .formatted(test.filename(), ending(report)));
    }

    private static boolean finds(String expression, String text) {
        try {
            return BoundedPattern.finds(Pattern.compile(expression), text);
        } catch (PatternSyntaxException | BoundedPattern.TooCostly e) {
            return false;
        }
    }

    private static String end(ExecutionReport report) {
        return report.outcome().success()
                ? "it ended before it had come to its end"
                : ending(report);
    }

    private static String ending(ExecutionReport report) {
        return OutcomeJson.words(report.outcome());
    }

    private static String excerpt(String text) {
        String all = text.strip();
        return all.length() > LONGEST_EXCERPT ? all.substring(0, LONGEST_EXCERPT) + "…" : all;
    }
}
