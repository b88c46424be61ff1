package dev.glovebox.run;

import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.NodeFailed;
import dev.glovebox.trace.Event.NodeFinished;
import dev.glovebox.trace.Event.NodeStarted;
import dev.glovebox.trace.Event.Noted;
import dev.glovebox.trace.Event.RunClaimed;
import dev.glovebox.trace.Event.RunFinished;
import dev.glovebox.trace.Event.RunStarted;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is recorded of a run, by where in the graph it happened. */
final class Tape {

    private static final String BEGIN = "> ";
    private static final String END = "< ";
    private static final String DOING = "? ";
    private static final String OUTCOME = "! ";

    private final Map<String, Taped> slots = new HashMap<>();
    private final NavigableMap<String, List<Taped>> paths = new TreeMap<>();
    private final Map<String, Long> ordinals = new HashMap<>();
    private final Map<String, List<Taped>> questions = new HashMap<>();
    private boolean secret;
    private @Nullable RunStarted started;
    private @Nullable RunFinished finished;
    private final Map<String, Cost> open = new HashMap<>();
    private Cost settled = Cost.NONE;
    private Duration worked = Duration.ZERO;
    private Instant since = Instant.EPOCH;
    private Instant last = Instant.EPOCH;

    /** An event, and when it was recorded. */
    record Taped(long seq, Instant at, Event event) {}

    /** Nothing is recorded yet. */
    static Tape blank(boolean secret) {
        Tape tape = new Tape();
        tape.secret = secret;
        return tape;
    }

    static Tape of(Stream<Entry> entries) {
        Tape tape = new Tape();
        entries.forEach(tape::add);
        return tape;
    }

    private void add(Entry entry) {
        Instant at = Instant.EPOCH.plus(entry.at(), ChronoUnit.MICROS);
        Taped taped = new Taped(entry.seq(), at, entry.event());
        switch (taped.event()) {
            case RunStarted e -> {
                started = e;
                secret = e.input().salted();
                since = at;
            }
            case RunClaimed e -> {
                // Between the last record and this one nobody worked on it.
                worked = worked();
                since = at;
            }
            case NodeStarted e -> put(BEGIN + e.path(), e.path(), taped);
            case NodeFinished e -> put(END + e.path(), e.path(), taped);
            case NodeFailed e -> put(END + e.path(), e.path(), taped);
            case EffectIntent e -> {
                put(DOING + e.id().key(), e.id().path(), taped);
                ask(e.id(), taped);
                ordinals.merge(e.id().path(), e.id().ordinal(), Math::max);
                Details.atMost(e.observed()).ifPresent(most -> open.put(e.id().key(), most));
            }
            case EffectOutcome e -> {
                put(OUTCOME + e.id().key(), e.id().path(), taped);
                ask(e.id(), taped);
                open.remove(e.id().key());
                settled = settled.plus(Details.cost(e.details()));
            }
            case Noted e -> {
                put(DOING + key(e.path(), e.ordinal()), e.path(), taped);
                ordinals.merge(e.path(), e.ordinal(), Math::max);
            }
            case RunFinished e -> finished = e;
            case Event.BlobRedacted e -> {}
            case Event.Other e -> {}
        }
        last = at;
    }

    private void put(String slot, String path, Taped taped) {
        if (slots.putIfAbsent(slot, taped) == null) {
            paths.computeIfAbsent(path, any -> new ArrayList<>()).add(taped);
        }
    }

    private void ask(EffectId id, Taped taped) {
        String about = key(id.path(), id.ordinal());
        if (!id.key().equals(about)) {
            questions.computeIfAbsent(about, any -> new ArrayList<>()).add(taped);
        }
    }

    Optional<Taped> begin(String path) {
        return at(BEGIN, path);
    }

    Optional<Taped> end(String path) {
        return at(END, path);
    }

    Optional<Taped> doing(String key) {
        return at(DOING, key);
    }

    Optional<Taped> outcome(String key) {
        return at(OUTCOME, key);
    }

    private Optional<Taped> at(String place, String name) {
        // Most runs begin with an empty tape, and look here all the time.
        return slots.isEmpty() ? Optional.empty() : Optional.ofNullable(slots.get(place + name));
    }

    /** Names what a node does. */
    static String key(String path, long ordinal) {
        return path + ":" + ordinal;
    }

    /** The questions about an effect, and their answers. */
    List<Taped> questions(String key) {
        return questions.getOrDefault(key, List.of());
    }

    /** How much a node has done. */
    long ordinal(String path) {
        return ordinals.getOrDefault(path, 0L);
    }

    /** What happened in a node and in all that is within it, in the order of the record. */
    List<Taped> within(String path) {
        List<Taped> found = new ArrayList<>(paths.getOrDefault(path, List.of()));
        // In the order of names all that begins with "path/" comes before "path0".
        paths.subMap(path + "/", path + "0").values().forEach(found::addAll);
        found.sort(Comparator.comparingLong(Taped::seq));
        return found;
    }

    /** Intents of a kind, in the order of the record. */
    List<EffectIntent> intents(String kind) {
        return ofKind(kind).map(taped -> (EffectIntent) taped.event()).toList();
    }

    /** Intents of a kind that have no outcome. */
    List<Taped> unanswered(String kind) {
        return ofKind(kind)
                .filter(taped ->
                        taped.event() instanceof EffectIntent intent
                                && outcome(intent.id().key()).isEmpty())
                .toList();
    }

    private Stream<Taped> ofKind(String kind) {
        return slots.values().stream()
                .filter(taped ->
                        taped.event() instanceof EffectIntent intent
                                && intent.id().kind().equals(kind))
                .sorted(Comparator.comparingLong(Taped::seq));
    }

    RunStarted started() {
        RunStarted first = started;
        if (first == null) {
            throw new NotReplayable("The record does not begin with the start of a run");
        }
        return first;
    }

    /** Whether the run's content is private. */
    boolean isSecret() {
        return secret;
    }

    Optional<RunFinished> finished() {
        return Optional.ofNullable(finished);
    }

    /** What it has used, and all that it may have used where nobody knows. */
    Cost spent() {
        return open.values().stream().reduce(settled, Cost::plus);
    }

    /** What the effects have used that have an outcome. */
    Cost settled() {
        return settled;
    }

    /** What an effect can have used that has no outcome, as far as that is on record. */
    Optional<Cost> open(String key) {
        return Optional.ofNullable(open.get(key));
    }

    /** How long somebody has worked on it. */
    Duration worked() {
        return worked.plus(Duration.between(since, last));
    }
}
