package dev.glovebox.cli;

import dev.glovebox.coder.CoderMemory;
import dev.glovebox.trace.Trace;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Deletes content from all runs that have it. */
final class TraceRedact implements Subcommand {

    private static final String REASON = "--reason";

    private final Shell shell;

    TraceRedact(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Options.command(
                        "glovebox trace redact",
                        "Deletes content for good. Each run that refers to it gets a record of that, and still"
                                + " verifies. What was exported before is not in our hands.%n");
        spec.usageMessage().customSynopsis("glovebox trace redact DIGEST --reason TEXT");
        return spec.addOption(Options.one(REASON, "TEXT", "Why; this is recorded, and stays."))
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
        @Nullable String reason = Options.one(parsed, REASON);
        if (words.size() != 1 || reason == null || reason.isBlank()) {
            throw new BadInput("Say which content, by its digest, and why: DIGEST --reason TEXT");
        }
        try (Trace trace = Traces.open(shell)) {
            Set<String> runs = trace.redact(words.getFirst(), reason);
            // What was learned from a run repeats some of it in other words.
            CoderMemory memory = CoderMemory.of(shell.env());
            runs.forEach(memory::forgetSource);
        }
        shell.say("deleted");
        return Main.OK;
    }
}
