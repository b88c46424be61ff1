package dev.glovebox.run;

import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Trace;
import java.util.List;
import java.util.stream.Stream;

/** Reads what is recorded of runs of graphs. */
final class Archive {

    private final Trace trace;

    Archive(Trace trace) {
        this.trace = trace;
    }

    /** All of it so far. */
    Tape tape(String run) {
        return tape(run, Long.MAX_VALUE);
    }

    /** What comes before a record. */
    Tape tape(String run, long to) {
        try (Stream<Entry> entries = trace.entries(run, 0)) {
            return Tape.of(entries.takeWhile(entry -> entry.seq() < to));
        }
    }

    Beginning beginning(String run, Tape tape) {
        BlobRef input = tape.started().input();
        return Beginning.read(
                run,
                trace.blob(input.digest())
                        .orElseThrow(() ->
                                new NotReplayable("What the run " + run + " was given was deleted"))
                        .content());
    }

    /** The questions of a run, answered or not, of which it has recorded no answer. */
    List<OpenQuestion> questions(String run) {
        Tape tape = tape(run);
        return tape.finished().isPresent()
                ? List.of()
                : Desk.open(new ReplayJournal(trace, tape, run));
    }
}
