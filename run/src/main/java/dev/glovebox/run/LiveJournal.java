package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.KeptList;
import dev.glovebox.trace.Recorder;
import dev.glovebox.trace.Trace;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Of a run that goes on: what is on the tape stays as it is, what is new is recorded. */
class LiveJournal extends Journal {

    private final Recorder recorder;

    LiveJournal(Trace trace, Tape tape, Recorder recorder) {
        super(trace, tape);
        this.recorder = recorder;
    }

    Recorder recorder() {
        return recorder;
    }

    @Override
    String run() {
        return recorder.run();
    }

    @Override
    boolean folds() {
        return true;
    }

    @Override
    void known(Event recorded) {
        // It is there already.
    }

    /**
     * Not waited for: whoever does something that must not be lost waits for its own record, which
     * is behind this one. A failure is told then.
     */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // The recorder remembers it.
    void fresh(Event event) {
        recorder.submit(event);
    }

    @Override
    Instant freshDurable(Event event) {
        return Instant.EPOCH.plus(recorder.record(event).at(), ChronoUnit.MICROS);
    }

    @Override
    void goesOn(String path, long done) {
        // What it does then is recorded when it does it.
    }

    @Override
    void beyond(EffectIntent intent) {
        // From here on it goes on.
    }

    @Override
    void different(Event event, Divergence divergence) {
        throw new Unwinding.Differs(divergence);
    }

    @Override
    BlobRef keep(byte[] content, String media, boolean hidden) {
        return hidden ? recorder.keepPrivate(content, media) : recorder.keep(content, media);
    }

    @Override
    KeptList keepList(KeptList base, List<JsonNode> elements) {
        return recorder.keepList(base, elements);
    }

    @Override
    void finish(StopReason stop, byte[] result, boolean hidden) {
        recorder.finish(stop.word(), keep(result, hidden || isSecret()));
    }
}
