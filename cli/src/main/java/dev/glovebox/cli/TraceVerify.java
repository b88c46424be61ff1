package dev.glovebox.cli;

import dev.glovebox.trace.Audit;
import dev.glovebox.trace.KeyProblem;
import dev.glovebox.trace.Malformed;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.Verdict;
import dev.glovebox.trace.Verifier;
import dev.glovebox.trace.VerifyingKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Says whether a run, or a file that was exported, is as it was recorded. */
final class TraceVerify implements Subcommand {

    private static final String KEY = "--key";
    private static final String ALL = "--all";
    private static final String HEAD = "--head";
    private static final String STDIN = "-";
    private static final int LONGEST_FILE = 1 << 20;

    private final Shell shell;

    TraceVerify(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Options.command(
                        "glovebox trace verify",
                        "Checks every hash, the content, the seal and the signatures of a run, of a file"
                                + " that was exported (- is standard input), or of all runs.%n");
        spec.usageMessage()
                .customSynopsis(
                        "glovebox trace verify RUN|last",
                        "       glovebox trace verify FILE|- --key FILE",
                        "       glovebox trace verify --all [--head FILE]",
                        "")
                .footer(
                        "",
                        "Exit codes: 0 intact, finished and sealed by a known key; 1 tampered with; 3 right as far as"
                                + " it goes,",
                        "but not finished, not sealed, or sealed by a key that is not known; 2 nothing was checked.");
        return spec.addOption(
                        Options.many(
                                KEY,
                                "FILE",
                                "A public key to believe, as glovebox trace key prints it, or several in one file;"
                                        + " for runs of this installation its own key is believed anyway."))
                .addOption(Options.flag(ALL, "Checks the whole log and every run."))
                .addOption(
                        Options.one(
                                HEAD,
                                "FILE",
                                "A head that was kept elsewhere: nothing that it covers may be gone or"
                                        + " rewritten."))
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
        boolean all = parsed.hasMatchedOption(ALL);
        @Nullable String head = Options.one(parsed, HEAD);
        if (all ? !words.isEmpty() : words.size() != 1) {
            throw new BadInput("Say what to verify: one RUN or FILE, or --all");
        }
        if (head != null && !all) {
            throw new BadInput("--head is about all runs: say --all as well");
        }
        if (all && parsed.hasMatchedOption(KEY)) {
            throw new BadInput(
                    "--all is about this installation and its own keys: leave out --key");
        }
        boolean json = parsed.hasMatchedOption(Options.JSON);
        if (all) {
            return audit(head, json);
        }
        List<VerifyingKey> keys = Options.many(parsed, KEY).stream().flatMap(this::keys).toList();
        Verdict verdict =
                words.getFirst().equals(STDIN) || Traces.isFile(shell, words.getFirst())
                        ? file(words.getFirst(), keys)
                        : stored(words.getFirst(), keys);
        tell(List.of(verdict.sentence()), verdict.exitCode(), json);
        return verdict.exitCode();
    }

    private int audit(@Nullable String head, boolean json) {
        try (Trace trace = Traces.open(shell)) {
            Audit audit = head == null ? trace.verifyAll() : audit(trace, head);
            tell(audit.sentences(), audit.exitCode(), json);
            return audit.exitCode();
        }
    }

    private Audit audit(Trace trace, String head) {
        try {
            return trace.verifyAll(read(head));
        } catch (Malformed e) {
            throw new BadInput(
                    "'%s' is no head, as glovebox trace head prints it: %s"
                            .formatted(head, e.getMessage()),
                    e);
        }
    }

    private Verdict stored(String name, List<VerifyingKey> keys) {
        try (Trace trace = Traces.open(shell)) {
            List<VerifyingKey> believed = new ArrayList<>(keys);
            believed.add(trace.key());
            return trace.verify(Traces.run(trace, name).run(), believed);
        }
    }

    private Verdict file(String name, List<VerifyingKey> keys) {
        Verifier verifier = Verifier.trusting(keys);
        try {
            return name.equals(STDIN) ? verifier.file(shell.in()) : verifier.file(shell.path(name));
        } catch (IOException e) {
            throw new BadInput("'" + name + "' cannot be read: " + InputFiles.why(e), e);
        }
    }

    private Stream<VerifyingKey> keys(String name) {
        try {
            return VerifyingKey.allOfPem(new String(read(name), StandardCharsets.UTF_8)).stream();
        } catch (KeyProblem e) {
            throw new BadInput(
                    "'%s' is no public key, as glovebox trace key prints it: %s"
                            .formatted(name, e.getMessage()),
                    e);
        }
    }

    private byte[] read(String name) {
        try (InputStream in = Files.newInputStream(shell.path(name))) {
            byte[] content = in.readNBytes(LONGEST_FILE + 1);
            if (content.length > LONGEST_FILE) {
                throw new BadInput("'" + name + "' is too long to be a key or a head");
            }
            return content;
        } catch (IOException e) {
            throw new BadInput("'" + name + "' cannot be read: " + InputFiles.why(e), e);
        }
    }

    private void tell(List<String> sentences, int exitCode, boolean json) {
        String word = exitCode == 0 ? "intact" : exitCode == 1 ? "tampered" : "incomplete";
        if (json) {
            new JsonReport(shell)
                    .object(out -> {
                        out.writeStringField("verdict", word);
                        out.writeArrayFieldStart("findings");
                        for (String sentence : sentences) {
                            out.writeString(sentence);
                        }
                        out.writeEndArray();
                    });
            return;
        }
        Paint paint = new Paint(shell.coloured());
        for (String sentence : sentences) {
            String plain = Shell.oneLine(sentence);
            shell.print(
                    exitCode == 0
                            ? paint.good(plain)
                            : exitCode == 1 ? paint.bad(plain) : paint.doubtful(plain));
        }
    }
}
