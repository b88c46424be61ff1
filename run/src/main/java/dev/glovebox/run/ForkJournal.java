package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.NodeFinished;
import dev.glovebox.trace.Event.NodeStarted;
import dev.glovebox.trace.Recorder;
import dev.glovebox.trace.Trace;
import java.time.Duration;
import java.util.Optional;

/**
 * Of a run that begins as another one did: what is on that one's tape is copied, so that the new
 * run is whole by itself; from where it differs it goes its own way.
 */
final class ForkJournal extends LiveJournal {

    private final BlobRef input;

    /**
     * Copies a tape.
     *
     * @param input what the new run is given
     */
    ForkJournal(Trace trace, Tape tape, Recorder recorder, BlobRef input) {
        super(trace, tape, recorder);
        this.input = input;
    }

    /** What has no outcome there is not begun here. */
    @Override
    Cost spent() {
        return tape().settled();
    }

    @Override
    void known(Event recorded) {
        if (!(recorded instanceof EffectIntent intent) || outcome(intent.id()).isPresent()) {
            fresh(recorded);
        }
    }

    @Override
    void different(Event event, Divergence divergence) {
        // That is what forks are for.
    }

    @Override
    Optional<NodeFinished> folded(String path) {
        Optional<NodeFinished> finished = super.folded(path);
        finished.ifPresent(any -> tape().within(path).forEach(taped -> copy(taped.event())));
        return finished;
    }

    /** What was given to the other run this one has as its own. */
    private void copy(Event event) {
        fresh(
                event instanceof NodeStarted node && node.input().equals(tape().started().input())
                        ? new NodeStarted(node.path(), input)
                        : event);
    }

    @Override
    Intent intent(EffectId id, String name, byte[] arguments, JsonNode details, boolean hidden) {
        Intent intent = super.intent(id, name, arguments, details, hidden);
        // Without an outcome it was never done in this run.
        return outcome(id).isPresent() ? intent : new Intent(intent.event(), Optional.empty());
    }

    @Override
    String failed(String path, String problem, boolean hidden, Duration took) {
        super.failed(path, problem, hidden, took);
        return problem;
    }
}
