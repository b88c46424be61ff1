package dev.glovebox.run;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Conflict;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event.RunStarted;
import dev.glovebox.trace.NoSuchRun;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.TraceException;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What is sent to a run by somebody who does not own it: answers, and orders to stop.
 *
 * <p>A letter is a small run of its own, whose name follows from what it is about. So it is durable
 * and evidence like any other run, there can be one of each only, and whoever owns the run that it
 * is for is not disturbed: only the owner records there what came. A letter that was read is
 * finished.
 */
final class Letters {

    /** The kind of run that a letter is. */
    static final String KIND = "letter";

    /** The key of an order to stop. */
    static final String CANCEL = "cancel";

    private static final int NAME = 40;
    private static final int PAGE = 1_000;

    private final Trace trace;

    Letters(Trace trace) {
        this.trace = trace;
    }

    /**
     * Sends a letter.
     *
     * @return whether it was the first one of its key
     */
    boolean post(String run, String key, Answer answer) {
        try {
            byte[] content = Json.bytes(answer);
            boolean secret = started(run).map(start -> start.input().salted()).orElse(false);
            trace.startAs(
                    name(run, key),
                    KIND,
                    run,
                    letter ->
                            secret
                                    ? letter.keepPrivate(content, BlobRef.JSON)
                                    : letter.keep(content, BlobRef.JSON));
            return true;
        } catch (Conflict e) {
            return false;
        }
    }

    Optional<Answer> find(String run, String key) {
        return started(name(run, key))
                .flatMap(letter -> trace.blob(letter.input().digest()))
                .map(Blob::content)
                .map(content -> Json.value(content, Answer.class));
    }

    private Optional<RunStarted> started(String run) {
        try (Stream<Entry> entries = trace.entries(run, 0)) {
            return entries.findFirst()
                    .map(Entry::event)
                    .filter(RunStarted.class::isInstance)
                    .map(RunStarted.class::cast);
        } catch (NoSuchRun e) {
            return Optional.empty();
        }
    }

    /** Notes that a letter was read, and need not be looked at again. */
    void read(String run, String key) {
        try {
            trace.resume(name(run, key), "the run " + run).finish("read");
        } catch (TraceException e) {
            // There is none, or somebody did that before us; else it is looked at once more.
        }
    }

    /** The runs for which there are letters that nobody has read. */
    Set<String> addressees() {
        Set<String> runs = new HashSet<>();
        Optional<RunRow> last = Optional.empty();
        List<RunRow> page;
        do {
            page =
                    trace.runs(
                            new RunQuery(
                                    Optional.of(KIND),
                                    Optional.of(""),
                                    Optional.empty(),
                                    last,
                                    PAGE));
            page.forEach(letter -> runs.add(letter.title()));
            last = page.isEmpty() ? last : Optional.of(page.getLast());
        } while (page.size() == PAGE);
        return runs;
    }

    static String name(String run, String key) {
        try {
            byte[] about = (run + "\n" + key).getBytes(StandardCharsets.UTF_8);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(about);
            return "letter-" + HexFormat.of().formatHex(digest).substring(0, NAME);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
