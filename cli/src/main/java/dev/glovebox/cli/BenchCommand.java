package dev.glovebox.cli;

import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.microvm.MicrovmTier;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Measures Glovebox side by side with what one would use instead. */
final class BenchCommand implements Subcommand {

    private static final String ROUNDS = "--rounds";
    private static final int DEFAULT_ROUNDS = 100;
    private static final int MOST_ROUNDS = 100_000;

    private final Shell shell;

    BenchCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Options.command(
                        "glovebox bench",
                        "Measures a one-line Python program as a bare process, behind each wall that works here,"
                                + " through this command, and in docker where an engine answers; all in one run,"
                                + " turn by turn, with the same interpreter. Walls without Python run it in"
                                + " JavaScript, beside a bare node. Ratios are to the first row.%n");
        spec.usageMessage()
                .customSynopsis(
                        "glovebox bench exec [--rounds N] [--json]   a program in a box, and what one"
                                + " would use instead",
                        "       glovebox bench run [--rounds N] [--json]    from a sentence to code that"
                                + " ran, and the box alone",
                        "       glovebox bench microvm [--rounds N] [--json]    a virtual machine from its"
                                + " kernel, and from a snapshot",
                        "");
        return spec.addOption(
                        Options.one(
                                ROUNDS,
                                "N",
                                "Runs of each for the percentiles; by default "
                                        + DEFAULT_ROUNDS
                                        + "."))
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
        String name = words.size() == 1 ? words.getFirst() : "";
        boolean json = parsed.hasMatchedOption(Options.JSON);
        int rounds = rounds(parsed);
        return Interruption.during(
                shell, json, interruption -> run(name, rounds, json, interruption));
    }

    private int run(String name, int rounds, boolean json, Interruption interruption) {
        List<ExecBench.Row> rows = measured(name, rounds, interruption);
        if (json) {
            json(name, rows);
        } else {
            rows.forEach(row -> shell.print(line(row)));
        }
        return Main.OK;
    }

    private List<ExecBench.Row> measured(String name, int rounds, Interruption interruption) {
        return switch (name) {
            case "exec" -> exec(rounds, interruption);
            case "run" -> pipeline(rounds, interruption);
            case "microvm" -> machines(rounds, interruption);
            default ->
                    throw new BadInput("Say what to measure: glovebox bench exec, run or microvm");
        };
    }

    private List<ExecBench.Row> exec(int rounds, Interruption interruption) {
        try (Contenders contenders = Contenders.assemble(shell)) {
            return new ExecBench(contenders.all(), rounds, shell, interruption).run();
        }
    }

    private List<ExecBench.Row> pipeline(int rounds, Interruption interruption) {
        try (RunContenders contenders = RunContenders.assemble()) {
            return new ExecBench(contenders.all(), rounds, shell, interruption).run();
        }
    }

    private List<ExecBench.Row> machines(int rounds, Interruption interruption) {
        Program program = Program.python(Contender.PROGRAM);
        return new ExecBench(
                        List.of(
                                new BoxContender(
                                        "microvm, cold boot",
                                        MicrovmTier.withoutSnapshots(),
                                        program),
                                new BoxContender(
                                        "microvm, from snapshot", new MicrovmTier(), program)),
                        rounds,
                        shell,
                        interruption)
                .run();
    }

    private static int rounds(ParseResult parsed) {
        String text = Options.one(parsed, ROUNDS);
        try {
            int rounds = text == null ? DEFAULT_ROUNDS : Integer.parseInt(text);
            if (rounds >= 1 && rounds <= MOST_ROUNDS) {
                return rounds;
            }
            throw new NumberFormatException();
        } catch (NumberFormatException e) {
            throw new BadInput(
                    "'" + text + "' is not a number of rounds from 1 to " + MOST_ROUNDS, e);
        }
    }

    private void json(String name, List<ExecBench.Row> rows) {
        new JsonReport(shell)
                .object(json -> {
                    json.writeStringField("bench", name);
                    json.writeArrayFieldStart("rows");
                    for (ExecBench.Row row : rows) {
                        json.writeStartObject();
                        json.writeStringField("name", row.name());
                        json.writeNumberField("p50_ms", rounded(row.p50()));
                        json.writeNumberField("p99_ms", rounded(row.p99()));
                        json.writeNumberField("per_second", rounded(row.perSecond()));
                        json.writeNumberField("per_second_2_workers", rounded(row.perSecondTwo()));
                        json.writeNumberField("ratio", rounded(row.ratio()));
                        json.writeNumberField("runs", row.runs());
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                });
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    private static String line(ExecBench.Row row) {
        return String.format(
                Locale.ROOT,
                "%-24s p50 %8.1f ms   p99 %8.1f ms   %7.1f/s alone %7.1f/s by two   %6.2f x",
                row.name(),
                row.p50(),
                row.p99(),
                row.perSecond(),
                row.perSecondTwo(),
                row.ratio());
    }
}
