package dev.glovebox.run;

import dev.glovebox.trace.Event.RunFinished;
import dev.glovebox.trace.Trace;
import java.util.List;
import java.util.Optional;

/**
 * What is on record of a run, for whoever finds its graph, or what it has come to; see {@link
 * spi.GraphSource}.
 */
public final class RecordedRun {

    private final String name;
    private final Tape tape;
    private final ReplayJournal journal;
    private final Beginning beginning;

    private RecordedRun(Trace trace, String name, Tape tape, Beginning beginning) {
        this.beginning = beginning;
        this.name = name;
        this.tape = tape;
        this.journal = new ReplayJournal(trace, tape, name);
    }

    /**
     * Reads it.
     *
     * @throws NotReplayable if it is no run of a graph, or what it was given was deleted
     */
    public static RecordedRun of(Trace trace, String name) {
        Archive archive = new Archive(trace);
        Tape tape = archive.tape(name);
        return new RecordedRun(trace, name, tape, archive.beginning(name, tape));
    }

    public String name() {
        return name;
    }

    /** The name of its graph. */
    public String kind() {
        return tape.started().kind();
    }

    /** The state that it began with. */
    public <S> S beginning(Class<S> type) {
        return Json.value(beginning.state(), type);
    }

    /** What it has used so far. */
    public Cost spent() {
        return tape.spent();
    }

    /**
     * How it ended, and the state that it reached; empty if it has not ended.
     *
     * @throws NotReplayable if that was deleted
     */
    public <S> Optional<Status.Finished<S>> end(Class<S> type) {
        return tape.finished()
                .flatMap(RunFinished::result)
                .map(kept -> {
                    byte[] result = journal.content(kept);
                    return new Status.Finished<>(
                            name,
                            Json.value(member(result, "stop"), StopReason.class),
                            Json.value(member(result, "state"), type),
                            tape.spent(),
                            beginning.budget().most().minus(tape.spent()));
                });
    }

    private static byte[] member(byte[] result, String name) {
        return Snapshot.member(result, name).orElseThrow();
    }

    /** What it has done of a kind, in the order of the record. */
    public List<RecordedEffect> effects(String kind) {
        return tape.intents(kind).stream()
                .map(intent -> new RecordedEffect(journal, intent, journal.outcome(intent.id())))
                .toList();
    }
}
