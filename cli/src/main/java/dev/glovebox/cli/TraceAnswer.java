package dev.glovebox.cli;

import dev.glovebox.run.OpenQuestion;
import dev.glovebox.run.Runs;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.RunRow;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Answers a question that a run waits for. */
final class TraceAnswer implements Subcommand {

    private static final String BY = "--by";

    private final Shell shell;

    TraceAnswer(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Options.command(
                        "glovebox trace answer",
                        "Answers a question that a run waits for, once and for all; glovebox trace show has the"
                                + " questions. Whoever works on the run goes on at once; if nobody does, glovebox"
                                + " trace resume goes on.%n");
        spec.usageMessage()
                .customSynopsis("glovebox trace answer RUN|last [QUESTION] ANSWER [--by NAME]");
        return spec.addOption(
                        Options.one(BY, "NAME", "Who answers, for the record; by default you."))
                .addOption(Options.flag(Options.JSON, "One JSON document on standard output."))
                .addOption(Options.help())
                .addPositional(Options.words());
    }

    @Override
    public int failed() {
        return Main.USAGE;
    }

    @Override
    public int run(ParseResult parsed) {
        List<String> words = Options.words(parsed);
        if (words.size() < 2 || words.size() > 3) {
            throw new BadInput("Say which run, and the answer: RUN|last [QUESTION] ANSWER");
        }
        @Nullable String given = Options.one(parsed, BY);
        String by = given == null ? System.getProperty("user.name") : given;
        String answer = words.getLast();
        try (Trace trace = Traces.open(shell);
                Runs runs = Runs.in(trace)) {
            RunRow row = Traces.run(trace, words.getFirst());
            String question =
                    words.size() == 3 ? words.get(1) : only(row, runs.questions(row.run()));
            try {
                runs.answer(row.run(), question, answer, by);
            } catch (IllegalArgumentException e) {
                throw new BadInput(String.valueOf(e.getMessage()), e);
            }
            tell(row.run(), question, answer, by, parsed.hasMatchedOption(Options.JSON));
        }
        return Main.OK;
    }

    private static String only(RunRow row, List<OpenQuestion> open) {
        return switch (open.size()) {
            case 0 -> throw new BadInput("The run " + row.run() + " waits for no answer");
            case 1 -> open.getFirst().key();
            default ->
                    throw new BadInput(
                            "Say which question: "
                                    + String.join(
                                            ", ",
                                            open.stream()
                                                    .map(one -> "'" + one.key() + "'")
                                                    .toList()));
        };
    }

    private void tell(String run, String question, String answer, String by, boolean json) {
        if (json) {
            new JsonReport(shell)
                    .object(out -> {
                        out.writeStringField("run", run);
                        out.writeStringField("question", question);
                        out.writeStringField("answer", answer);
                        out.writeStringField("by", by);
                    });
        } else {
            shell.say("answered; if nobody works on it: glovebox trace resume " + run);
        }
    }
}
