package dev.glovebox.run;

import dev.glovebox.trace.BlobRef;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state between two nodes.
 *
 * <p>A node gets it as it is read from the record, so that it cannot tell whether it is run again;
 * what cannot change need not be read for that, nor written as a whole.
 */
final class Moment<S> {

    private final Class<S> type;
    private final S value;
    private final boolean holds;
    private final BlobRef came;
    private volatile @Nullable Snapshot snapshot;

    private Moment(
            Class<S> type, S value, boolean holds, BlobRef came, @Nullable Snapshot snapshot) {
        this.type = type;
        this.value = value;
        this.holds = holds;
        this.came = came;
        this.snapshot = snapshot;
    }

    static <S> Moment<S> of(Snapshot snapshot, Class<S> type, BlobRef came) {
        S value = Json.value(snapshot.json(), type);
        return new Moment<>(type, value, Shape.of(type).holds(value), came, snapshot);
    }

    /** For the next node, and nobody else. */
    S value() {
        return value;
    }

    /** What has come last: the change that made it. */
    BlobRef came() {
        return came;
    }

    Snapshot snapshot() {
        Snapshot known = snapshot;
        if (known == null) {
            known = Snapshot.of(json());
            snapshot = known;
        }
        return known;
    }

    byte[] json() {
        Snapshot known = snapshot;
        return known == null ? Json.bytes(value, type) : known.json();
    }

    /** The state for one more who may change what is inside of it. */
    S copy() {
        return holds ? value : Json.value(snapshot().json(), type);
    }

    /**
     * What a node has made of it.
     *
     * @param change by which it became so
     */
    record Next<S>(
            Moment<S> before, S value, boolean holds, byte[] change, @Nullable Snapshot json) {

        /** The state then. */
        Moment<S> came(BlobRef reference) {
            return new Moment<>(before.type, value, holds, reference, json);
        }
    }

    Next<S> next(S result) {
        if (holds && Shape.of(type) instanceof RecordShape shape) {
            Optional<byte[]> change = shape.change(value, result);
            if (change.isPresent()) {
                return new Next<>(this, result, true, change.get(), null);
            }
        }
        byte[] json = Json.bytes(result);
        if (Arrays.equals(json, snapshot().json())) {
            return new Next<>(this, value, holds, snapshot().to(snapshot()), snapshot());
        }
        Snapshot after = Snapshot.of(json);
        S read = Json.value(json, type);
        boolean still = Shape.of(type).holds(read);
        return new Next<>(this, read, still, snapshot().to(after), after);
    }
}
