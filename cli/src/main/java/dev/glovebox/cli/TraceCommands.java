package dev.glovebox.cli;

import org.jspecify.annotations.Nullable;

/** The words behind {@code glovebox trace}. */
final class TraceCommands {

    static final String HELP =
            """
            Usage: glovebox trace COMMAND [OPTION]…

            What happened in runs, hash-chained and sealed. A run is named by its id, by the beginning
            of it, or as "last".

              list      the runs, newest first
              show      what happened in a run, step by step
              replay    does the program still do what was recorded? without doing it, or really again
              resume    go on with a run that was interrupted
              answer    answer a question that a run waits for
              verify    is a run, or an exported file, as it was recorded?
              export    a run as one file that anybody can verify
              redact    delete private content for good; the run still verifies
              key       the public key, to verify exports with elsewhere; also to replace it
              head      the signed state of all runs; kept elsewhere, it shows what is removed later

              glovebox trace COMMAND --help    all about a command
            """;

    private TraceCommands() {}

    static @Nullable Subcommand named(String word, Shell shell) {
        return switch (word) {
            case "list" -> new TraceList(shell);
            case "show" -> new TraceShow(shell);
            case "replay" -> new TraceReplay(shell);
            case "resume" -> new TraceResume(shell);
            case "answer" -> new TraceAnswer(shell);
            case "verify" -> new TraceVerify(shell);
            case "export" -> new TraceExport(shell);
            case "redact" -> new TraceRedact(shell);
            case "key" -> new TraceKey(shell);
            case "head" -> new TraceHead(shell);
            default -> null;
        };
    }
}
