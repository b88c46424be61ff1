package dev.glovebox.cli;

import dev.glovebox.trace.Trace;
import dev.glovebox.trace.VerifyingKey;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Prints the public key that seals runs here. */
final class TraceKey implements Subcommand {

    private static final String ROTATE = "--rotate";

    private final Shell shell;

    TraceKey(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Options.command(
                        "glovebox trace key",
                        "Prints the public key that seals runs here, in the form that OpenSSL reads. Give it to"
                                + " whoever verifies exports, by another way than the exports.%n");
        return spec.addOption(
                        Options.flag(
                                ROTATE,
                                "Replaces the key first. The old one signs the new one, so that whoever has the"
                                        + " old one can go on."))
                .addOption(Options.help());
    }

    @Override
    public int failed() {
        return Main.USAGE;
    }

    @Override
    public int run(ParseResult parsed) {
        try (Trace trace = Traces.open(shell)) {
            VerifyingKey key = parsed.hasMatchedOption(ROTATE) ? trace.rotate() : trace.key();
            shell.print(key.pem().strip());
        }
        return Main.OK;
    }
}
