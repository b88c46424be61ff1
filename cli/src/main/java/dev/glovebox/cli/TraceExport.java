package dev.glovebox.cli;

import dev.glovebox.trace.Trace;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Writes a run as one file that anybody can verify. */
final class TraceExport implements Subcommand {

    private static final String OUT = "-o";
    private static final String STDOUT = "-";

    private final Shell shell;

    TraceExport(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Options.command(
                        "glovebox trace export",
                        "Writes a run with all its content and seals as one file that needs nothing else; private"
                                + " content included, so mind whom you give it to.%n");
        spec.usageMessage().customSynopsis("glovebox trace export RUN|last [-o FILE|-]");
        return spec.addOption(
                        Options.one(
                                OUT,
                                "FILE",
                                "Where to; by default RUN.trace; - is standard output."))
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
        if (words.size() != 1) {
            throw new BadInput("Say which run to export: its id, the beginning of it, or last");
        }
        @Nullable String out = Options.one(parsed, OUT);
        try (Trace trace = Traces.open(shell)) {
            String run = Traces.run(trace, words.getFirst()).run();
            if (STDOUT.equals(out)) {
                write(trace, run, shell.out());
            } else {
                Path file = shell.path(out == null ? run + ".trace" : out);
                save(trace, run, file);
                shell.say("wrote " + file);
            }
        }
        return Main.OK;
    }

    private static void write(Trace trace, String run, OutputStream out) {
        try (BufferedOutputStream buffered = new BufferedOutputStream(out)) {
            trace.export(run, buffered);
        } catch (IOException e) {
            throw OutputLost.writing("The export", e);
        }
    }

    /** Half a file is worse than none, and a device or a link that became a file is worse still. */
    private static void save(Trace trace, String run, Path file) {
        try {
            OutputFiles.checkReplaceable(file);
            Path half = Files.createTempFile(file.toAbsolutePath().getParent(), ".trace", ".half");
            try {
                write(trace, run, Files.newOutputStream(half));
                Files.move(half, file, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(half);
            }
        } catch (IOException e) {
            throw OutputLost.writing("'" + file + "'", e);
        }
    }
}
