package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * What a run is given.
 *
 * @param graph its shape
 * @param state as JSON
 * @param origin the run that this one is a fork of
 */
record Beginning(Budget budget, JsonNode graph, byte[] state, Optional<Origin> origin) {

    /** A run, and the record from which on a fork is another one. */
    record Origin(String run, long seq) {}

    byte[] json() {
        SequencedMap<String, byte[]> members = new LinkedHashMap<>();
        members.put("budget", Json.bytes(budget));
        origin.ifPresent(from -> members.put("fork", Json.bytes(from)));
        members.put("graph", Json.bytes(graph));
        members.put("state", state);
        return Snapshot.object(members);
    }

    /** Where a graph is not the one of the run, if so. */
    Optional<Divergence> difference(Graph<?> now) {
        Optional<Divergence> shape = Outline.difference(graph, now.outline());
        if (shape.isPresent()) {
            return shape;
        }
        try {
            Json.value(state, now.state());
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(Divergence.unreadable("the graph", "its state", state, now.state()));
        }
    }

    static Beginning read(String run, byte[] json) {
        try {
            return new Beginning(
                    Json.value(member(json, "budget"), Budget.class),
                    Json.tree(member(json, "graph")),
                    member(json, "state"),
                    Snapshot.member(json, "fork").map(from -> Json.value(from, Origin.class)));
        } catch (RuntimeException e) {
            throw new NotReplayable("The run " + run + " is not a run of a graph");
        }
    }

    private static byte[] member(byte[] json, String name) {
        return Snapshot.member(json, name).orElseThrow();
    }
}
