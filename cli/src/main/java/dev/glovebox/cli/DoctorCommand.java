package dev.glovebox.cli;

import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.sandbox.spi.Tier;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Says which walls work on this machine. */
final class DoctorCommand implements Subcommand {

    static final int NONE_WORKS = 1;

    private static final String SWEEP = "--sweep";

    private final Shell shell;

    DoctorCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Options.command(
                        "glovebox doctor",
                        "Tries every wall on this machine: which work, which do not and why, and what to type"
                                + " to get them; which limits can be enforced; which interpreters a box"
                                + " gets.%n");
        spec.usageMessage()
                .footer("", "Exit codes: 0 if at least one wall works, else 1; 2 bad usage.");
        return spec.addOption(
                        Options.flag(SWEEP, "Removes what runs that crashed have left behind."))
                .addOption(Options.flag(Options.JSON, "One JSON document on standard output."))
                .addOption(Options.help());
    }

    @Override
    public int failed() {
        return Main.USAGE;
    }

    @Override
    public int run(ParseResult parsed) {
        // Before anything is tried: a tier sweeps by itself when it opens its first box.
        OptionalInt swept =
                parsed.hasMatchedOption(SWEEP)
                        ? OptionalInt.of(Sandboxes.tiers().stream().mapToInt(Tier::sweep).sum())
                        : OptionalInt.empty();
        Checkup checkup = Checkup.perform();
        if (parsed.hasMatchedOption(Options.JSON)) {
            DoctorJson.write(new JsonReport(shell), checkup, swept);
        } else {
            shell.print(new DoctorText(shell.coloured()).text(checkup, swept));
        }
        return checkup.anyWorks() ? Main.OK : NONE_WORKS;
    }
}
