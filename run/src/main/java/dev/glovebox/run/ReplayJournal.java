package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.trace.Blob;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.RunFinished;
import dev.glovebox.trace.KeptList;
import dev.glovebox.trace.ReplayDigest;
import dev.glovebox.trace.Trace;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Of a replay: nothing is recorded, and what is derived must be what was. */
final class ReplayJournal extends Journal {

    private final String run;
    private final ReplayDigest digest = new ReplayDigest();

    ReplayJournal(Trace trace, Tape tape, String run) {
        super(trace, tape);
        this.run = run;
        digest.add(tape.started());
    }

    @Override
    String run() {
        return run;
    }

    @Override
    boolean folds() {
        return false;
    }

    @Override
    synchronized void known(Event recorded) {
        digest.add(recorded);
    }

    @Override
    void fresh(Event event) {
        String path = event.body().derived().path("path").asText();
        throw new Unwinding.OffTape(
                new Divergence(path, event.type(), "not there", event.body().derived().toString()));
    }

    @Override
    Instant freshDurable(Event event) {
        fresh(event);
        throw new AssertionError("unreachable");
    }

    /** How far a node came that did not end nobody knows: it may have computed for ever. */
    @Override
    void goesOn(String path, long done) {
        if (done >= tape().ordinal(path) && tape().end(path).isEmpty()) {
            throw new Unwinding.OffTape(
                    new Divergence(path, "the end of the node", "not there", "unknown"));
        }
    }

    @Override
    void beyond(EffectIntent intent) {
        fresh(intent);
    }

    @Override
    void different(Event event, Divergence divergence) {
        throw new Unwinding.Differs(divergence);
    }

    @Override
    BlobRef keep(byte[] content, String media, boolean hidden) {
        return Blob.of(content).reference(media);
    }

    @Override
    KeptList keepList(KeptList base, List<JsonNode> elements) {
        Blob blob = Blob.of(base.difference(elements));
        return new KeptList(blob.reference(BlobRef.LIST), List.copyOf(elements));
    }

    @Override
    void finish(StopReason stop, byte[] result, boolean hidden) {
        tape().finished()
                .ifPresent(recorded -> {
                    BlobRef kept = refer(recorded.result(), result, false, "the run", "its result");
                    RunFinished now =
                            new RunFinished(
                                    stop.word(), Optional.of(kept), recorded.replayDigest());
                    sameFinish(recorded, now);
                });
    }

    /** What the replay has derived. */
    synchronized String digest() {
        return digest.value();
    }
}
