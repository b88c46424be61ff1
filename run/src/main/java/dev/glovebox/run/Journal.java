package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.trace.Blob;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.CanonicalJson;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.NodeFailed;
import dev.glovebox.trace.Event.NodeFinished;
import dev.glovebox.trace.Event.NodeStarted;
import dev.glovebox.trace.Event.Noted;
import dev.glovebox.trace.Event.RunFinished;
import dev.glovebox.trace.KeptList;
import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.Trace;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a run writes down, and what it finds written: each event of the graph comes here first, and
 * is compared with what the tape has in its place. What then becomes of it depends on whether the
 * run is live, replayed or forked.
 */
abstract class Journal {

    private final Trace trace;
    private final Tape tape;
    private final boolean secret;

    Journal(Trace trace, Tape tape) {
        this.trace = trace;
        this.tape = tape;
        this.secret = tape.isSecret();
    }

    /** Whether all that the run keeps is private. */
    boolean isSecret() {
        return secret;
    }

    Tape tape() {
        return tape;
    }

    Trace trace() {
        return trace;
    }

    /** The name of the run. */
    abstract String run();

    /** What the run has used so far. */
    Cost spent() {
        return tape.spent();
    }

    /** An event that the tape has in this place, derived in the same way. */
    abstract void known(Event recorded);

    /** An event that the tape does not have. */
    abstract void fresh(Event event);

    /** An event that must be durable before the program goes on; when it was recorded. */
    abstract Instant freshDurable(Event event);

    /** An event that is not what the tape has in this place. */
    abstract void different(Event event, Divergence divergence);

    abstract BlobRef keep(byte[] content, String media, boolean hidden);

    BlobRef keep(byte[] json, boolean hidden) {
        return keep(json, BlobRef.JSON, hidden);
    }

    abstract KeptList keepList(KeptList base, List<JsonNode> elements);

    /**
     * The program of a node goes on.
     *
     * @param done how much it has asked of its context
     */
    abstract void goesOn(String path, long done);

    /** The program is where the tape says no more of an effect. */
    abstract void beyond(EffectIntent intent);

    /**
     * Ends the run.
     *
     * @param hidden whether something in the result is private
     */
    abstract void finish(StopReason stop, byte[] result, boolean hidden);

    /** Whether nodes that have finished are taken from the tape, and not run again. */
    abstract boolean folds();

    /** What a finished node left, where it need not be run again. */
    Optional<NodeFinished> folded(String path) {
        return folds()
                ? tape.end(path)
                        .map(Tape.Taped::event)
                        .filter(NodeFinished.class::isInstance)
                        .map(NodeFinished.class::cast)
                : Optional.empty();
    }

    /** Whether the tape has a beginning of a node. */
    boolean hasBegun(String path) {
        return tape.begin(path).isPresent();
    }

    void started(String path, BlobRef input) {
        put(tape.begin(path), path, new NodeStarted(path, input));
    }

    /** The node's end; a reference to the change that it made. */
    BlobRef finished(String path, byte[] delta, String edge, Duration took) {
        Optional<Event> recorded = tape.end(path).map(Tape.Taped::event);
        Optional<BlobRef> before =
                recorded.filter(NodeFinished.class::isInstance)
                        .map(event -> ((NodeFinished) event).delta());
        BlobRef kept = refer(before, delta, false, path, "the change of state");
        put(tape.end(path), path, new NodeFinished(path, kept, edge, took));
        return kept;
    }

    /** What a node is given that no node before it has made. */
    BlobRef input(String path, byte[] content) {
        Optional<BlobRef> recorded =
                tape.begin(path)
                        .or(() -> tape.begin(path + "#1"))
                        .map(taped -> ((NodeStarted) taped.event()).input());
        return refer(recorded, content, false, path, "its input");
    }

    /**
     * The node's failure; what is said of it, which is what was said before.
     *
     * @param hidden whether that is private, and not recorded
     */
    String failed(String path, String problem, boolean hidden, Duration took) {
        boolean untold = hidden || secret;
        Optional<String> before =
                tape.end(path)
                        .map(Tape.Taped::event)
                        .filter(NodeFailed.class::isInstance)
                        .map(event -> ((NodeFailed) event).problem())
                        .filter(any -> !untold);
        put(
                tape.end(path),
                path,
                new NodeFailed(path, untold ? NodeFailed.PRIVATE : problem, took));
        return before.orElse(problem);
    }

    void noted(String path, long ordinal, String text) {
        put(tape.doing(Tape.key(path, ordinal)), path, new Noted(path, ordinal, text));
    }

    /** An intent of this run: recorded before, or about to be. */
    record Intent(EffectIntent event, Optional<Instant> recordedAt) {}

    Intent intent(EffectId id, String name, byte[] arguments, JsonNode details, boolean hidden) {
        return intent(id, name, arguments, Optional.empty(), details, hidden);
    }

    /**
     * Compares an intent with the tape; a new one is not recorded yet.
     *
     * @param known where this run has kept these very arguments before
     */
    Intent intent(
            EffectId id,
            String name,
            byte[] arguments,
            Optional<BlobRef> known,
            JsonNode details,
            boolean hidden) {
        Optional<Tape.Taped> taped = tape.doing(id.key());
        Optional<BlobRef> before =
                taped.map(Tape.Taped::event)
                        .filter(EffectIntent.class::isInstance)
                        .map(event -> ((EffectIntent) event).arguments());
        BlobRef kept =
                known.filter(any -> taped.isEmpty() && !hidden && !secret)
                        .orElseGet(() ->
                                refer(
                                        before,
                                        arguments,
                                        hidden,
                                        id.path(),
                                        "the arguments of " + name));
        EffectIntent event = new EffectIntent(id, name, kept, details);
        boolean same = taped.isPresent() && compared(taped.get().event(), event, id.path());
        return new Intent(event, same ? taped.map(Tape.Taped::at) : Optional.empty());
    }

    /** A list among the arguments of a recorded intent. */
    Optional<BlobRef> list(String key, String member) {
        return recorded(key)
                .map(details -> details.path(Details.LISTS).path(member))
                .filter(list -> !list.isMissingNode())
                .map(BlobRef::of);
    }

    /** The recorded outcome of an effect. */
    Optional<EffectOutcome> outcome(EffectId id) {
        return tape.outcome(id.key())
                .map(Tape.Taped::event)
                .filter(EffectOutcome.class::isInstance)
                .map(EffectOutcome.class::cast);
    }

    /**
     * The outcome of an effect that has no result.
     *
     * @param told why not: among the details, or apart from them if that is private
     */
    EffectOutcome without(
            EffectId id,
            Event.Status status,
            Duration took,
            ObjectNode details,
            ObjectNode told,
            boolean hidden) {
        if (hidden || secret) {
            BlobRef kept = keep(Json.bytes(told), true);
            return new EffectOutcome(id, status, Optional.of(kept), took, details);
        }
        details.setAll(told);
        return new EffectOutcome(id, status, Optional.empty(), took, details);
    }

    /** Why an effect has no result. */
    JsonNode told(EffectOutcome outcome) {
        return outcome.result().map(kept -> Json.tree(content(kept))).orElseGet(outcome::details);
    }

    private void put(Optional<Tape.Taped> taped, String path, Event event) {
        if (taped.isPresent() && compared(taped.get().event(), event, path)) {
            known(taped.get().event());
        } else {
            fresh(event);
        }
    }

    /** Whether both derive the same; a difference may also end the run. */
    private boolean compared(Event recorded, Event now, String path) {
        JsonNode before = recorded.body().derived();
        JsonNode after = now.body().derived();
        if (recorded.type().equals(now.type())
                && Arrays.equals(CanonicalJson.bytes(before), CanonicalJson.bytes(after))) {
            return true;
        }
        different(now, divergence(path, recorded, now));
        return false;
    }

    private Divergence divergence(String path, Event recorded, Event now) {
        if (!recorded.type().equals(now.type())) {
            return new Divergence(path, "what it does", recorded.type(), now.type());
        }
        JsonNode before = recorded.body().derived();
        JsonNode after = now.body().derived();
        for (var member : after.properties()) {
            JsonNode was = before.path(member.getKey());
            if (!was.toString().equals(member.getValue().toString())) {
                return Divergence.between(
                        path,
                        member.getKey() + " of " + now.type(),
                        legible(was),
                        legible(member.getValue()));
            }
        }
        return Divergence.between(path, now.type(), before.toString(), after.toString());
    }

    private String legible(JsonNode value) {
        if (!value.has("blob")) {
            return value.toString();
        }
        return trace.blob(value.get("blob").asText())
                .map(blob -> new String(blob.content(), StandardCharsets.UTF_8))
                .orElse(value.toString());
    }

    BlobRef refer(
            Optional<BlobRef> recorded, byte[] json, boolean hidden, String path, String what) {
        return refer(recorded, json, BlobRef.JSON, hidden, path, what);
    }

    /** Names content; private content that is on the tape is named as there. */
    private BlobRef refer(
            Optional<BlobRef> recorded,
            byte[] content,
            String media,
            boolean hidden,
            String path,
            String what) {
        if (recorded.isEmpty() || !recorded.get().salted()) {
            BlobRef kept = keep(content, media, hidden || secret);
            recorded.filter(before -> !before.digest().equals(kept.digest()))
                    .flatMap(before -> trace.blob(before.digest()))
                    .ifPresent(before -> different(content, before, path, what));
            return kept;
        }
        Optional<Blob> before = trace.blob(recorded.get().digest());
        if (before.isPresent() && !Arrays.equals(before.get().content(), content)) {
            different(content, before.get(), path, what);
            return keep(content, media, hidden || secret);
        }
        return recorded.get();
    }

    /** Names a part of the arguments of an effect. */
    BlobRef part(EffectId id, Parts.Part part, boolean hidden) {
        Optional<BlobRef> recorded = recorded(id.key()).flatMap(part::reference);
        return refer(recorded, part.content(), part.media(), hidden, id.path(), part.words());
    }

    /** The details of a recorded intent. */
    private Optional<JsonNode> recorded(String key) {
        return tape.doing(key)
                .map(Tape.Taped::event)
                .filter(EffectIntent.class::isInstance)
                .map(event -> ((EffectIntent) event).details());
    }

    private void different(byte[] now, Blob recorded, String path, String what) {
        Divergence divergence =
                Divergence.between(
                        path,
                        what,
                        new String(recorded.content(), StandardCharsets.UTF_8),
                        new String(now, StandardCharsets.UTF_8));
        different(new Noted(path, 0, what), divergence);
    }

    /** Reads what is on record; where the program cannot, its type is another one now. */
    static <T> T read(
            String path, String what, byte[] recorded, Class<?> type, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw new Unwinding.Differs(Divergence.unreadable(path, what, recorded, type));
        }
    }

    byte[] content(BlobRef reference) {
        return trace.blob(reference.digest())
                .orElseThrow(() ->
                        new NotReplayable(
                                "Content that the run %s needs was deleted: %s"
                                        .formatted(run(), reference.digest())))
                .content();
    }

    /** A list that was kept. */
    KeptList keptList(BlobRef reference) {
        try {
            return trace.list(reference);
        } catch (NotKept e) {
            throw new NotReplayable(
                    "A list that the run %s needs was deleted. %s"
                            .formatted(run(), e.getMessage()));
        }
    }

    /** A run that is finished as it was, or differs. */
    void sameFinish(RunFinished recorded, RunFinished now) {
        if (compared(recorded, now, "the run")) {
            known(recorded);
        }
    }
}
