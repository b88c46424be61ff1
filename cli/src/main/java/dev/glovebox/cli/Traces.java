package dev.glovebox.cli;

import dev.glovebox.run.Runs;
import dev.glovebox.sandbox.Home;
import dev.glovebox.trace.NoSuchRun;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.TraceException;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import dev.glovebox.trace.store.PostgresStore;
import dev.glovebox.trace.store.SqliteStore;
import java.nio.file.Path;
import java.util.List;

/** Finds the traces that this user's commands record. */
final class Traces {

    /** Where runs are kept instead of in a file: the JDBC address of a PostgreSQL database. */
    private static final String STORE = "GLOVEBOX_STORE";

    private static final String LAST = "last";

    private Traces() {}

    static Trace open(Shell shell) {
        Path home = Home.of(shell.env());
        return Trace.open(store(shell, home), home.resolve("keys"));
    }

    private static TraceStore store(Shell shell, Path home) {
        String address = shell.env().getOrDefault(STORE, "");
        if (address.isEmpty()) {
            return SqliteStore.open(home.resolve("trace.db"));
        }
        if (!address.startsWith("jdbc:postgresql:")) {
            throw new BadInput(STORE + " must begin with jdbc:postgresql:, or not be set");
        }
        return PostgresStore.open(
                address,
                shell.env().getOrDefault("PGUSER", ""),
                shell.env().getOrDefault("PGPASSWORD", ""));
    }

    /**
     * The run that a word names. The last one is the last that somebody started: an answer to a
     * question is none.
     */
    static RunRow run(Trace trace, String word) {
        if (!word.equals(LAST)) {
            return trace.run(word);
        }
        return trace.runs(RunQuery.newest(1).without(Runs.LETTER)).stream()
                .findFirst()
                .orElseThrow(() -> new BadInput("Nothing was recorded here yet"));
    }

    /** Whether there is a record of a run; there is, where the store does not answer. */
    static boolean has(Trace trace, String run) {
        try {
            return trace.run(run).run().equals(run);
        } catch (NoSuchRun e) {
            return false;
        } catch (TraceException e) {
            return true;
        }
    }

    /** The run that a command line names, with no more words. */
    static RunRow only(Trace trace, List<String> words) {
        if (words.size() != 1) {
            throw new BadInput("Say which run: its id, the beginning of it, or last");
        }
        return run(trace, words.getFirst());
    }

    /** Whether a word is rather a file than a run. */
    static boolean isFile(Shell shell, String word) {
        return word.contains("/") || word.contains(".") || shell.hasFile(word);
    }
}
