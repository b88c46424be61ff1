package dev.glovebox.coder;

import dev.glovebox.agent.Excerpt;
import dev.glovebox.agent.Guarded;
import dev.glovebox.agent.Guardrail;
import dev.glovebox.agent.Guardrails;
import dev.glovebox.agent.OutcomeJson;
import dev.glovebox.run.Context;
import dev.glovebox.run.Stop;
import dev.glovebox.run.StopReason;
import java.util.List;
import java.util.stream.Collectors;

/** What went wrong, as a model reads it. What a program printed stands behind bars: it is data. */
final class PromptTrouble {

    private static final int MOST_ERROR = 8_000;
    private static final int MOST_OUTPUT = 4_000;
    private static final int MOST_CODE = 64 * 1024;
    private static final int MOST_EARLIER_CODE = 4_000;
    private static final int MOST_EARLIER = 4;
    private static final int MOST_PROBLEM = 1_000;

    private PromptTrouble() {}

    /** What a program said last, by which similar mistakes are found. */
    static String error(Attempt attempt) {
        String said = attempt.report().stderr().strip();
        return Excerpt.ends(
                said.isEmpty() ? String.join("\n", attempt.problems()) : said, MOST_ERROR);
    }

    static String told(
            Debugger.Trouble trouble, String similar, Guardrails guardrails, Context context) {
        Attempt last = trouble.last();
        StringBuilder text = new StringBuilder();
        section(text, "The plan", ModelCoder.told(trouble.plan()));
        section(text, "The code", code(last.artifact(), MOST_CODE));
        section(text, "What happened", happened(last, guardrails, context));
        List<Attempt> before = trouble.attempts().subList(0, trouble.attempts().size() - 1);
        int from = Math.max(0, before.size() - MOST_EARLIER);
        for (int i = from; i < before.size(); i++) {
            Attempt earlier = before.get(i);
            section(
                    text,
                    "Attempt %d, which failed too".formatted(i + 1),
                    code(earlier.artifact(), MOST_EARLIER_CODE)
                            + problems(earlier)
                            + earlier.diagnosis()
                                    .map(why -> "\nThe diagnosis was: " + why.cause())
                                    .orElse(""));
        }
        if (!similar.isEmpty()) {
            section(text, "Similar mistakes, and what was done about them", similar);
        }
        if (trouble.refusals() > 0) {
            section(
                    text,
                    "Note",
                    "Your last repair was refused: it is one of the attempts above. Change something else.");
        }
        return text.toString();
    }

    private static void section(StringBuilder text, String title, String body) {
        text.append("## ").append(title).append("\n\n").append(body.strip()).append("\n\n");
    }

    private static String code(CodeArtifact code, int most) {
        StringBuilder text = new StringBuilder();
        code.files()
                .forEach((name, content) ->
                        text.append("File ")
                                .append(name)
                                .append(name.equals(code.entry()) ? " (the entry)" : "")
                                .append(":\n")
                                .append(content)
                                .append(content.endsWith("\n") ? "\n" : "\n\n"));
        return Excerpt.ends(text.toString(), most)
                + "\nDependencies: "
                + code.dependencies()
                + "\nArguments: "
                + code.arguments()
                + "\n";
    }

    private static String happened(Attempt last, Guardrails guardrails, Context context) {
        ExecutionReport report = last.report();
        return switch (report.step()) {
                    case INSTALL -> "The installation ";
                    case RUN -> "The program ";
                    case TEST -> "The plan's test ";
                }
                + OutcomeJson.words(report.outcome())
                + ".\n"
                + problems(last)
                + "\nStandard error:\n"
                + barred(report.stderr(), MOST_ERROR, guardrails, context)
                + "\nStandard output:\n"
                + barred(report.stdout(), MOST_OUTPUT, guardrails, context);
    }

    private static String problems(Attempt attempt) {
        return attempt.problems().stream()
                .map(problem -> "- " + Excerpt.line(problem, MOST_PROBLEM) + "\n")
                .collect(Collectors.joining());
    }

    private static String barred(String output, int most, Guardrails guardrails, Context context) {
        Guarded guarded =
                guardrails.check(
                        new Guardrail.Passage(
                                Guardrail.Point.TOOL_RESULT,
                                ModelDebugger.ROLE,
                                "program",
                                Excerpt.ends(output, most)));
        guarded.findings().forEach(finding -> context.note(finding.sentence()));
        guarded.blocked()
                .ifPresent(why -> {
                    int colon = why.indexOf(':');
                    throw new Stop(
                            new StopReason.GuardrailTripped(
                                    why.substring(0, colon), why.substring(colon + 1).strip()));
                });
        return guarded.text().isBlank()
                ? "(nothing)\n"
                : guarded.text()
                        .lines()
                        .map(line -> "| " + line + "\n")
                        .collect(Collectors.joining());
    }
}
