package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.Optional;

/** What can happen in a run. */
public sealed interface Event {

    /** No details. */
    JsonNode NONE = JsonNodeFactory.instance.objectNode();

    /** Its name in records, such as {@code run.started}. */
    default String type() {
        return EventCodec.type(this);
    }

    default Body body() {
        return EventCodec.body(this);
    }

    /** The version of its body. */
    default long version() {
        return Entry.VERSION;
    }

    /**
     * A run begins.
     *
     * @param kind what kind of run it is, such as {@code exec}
     * @param title one line for people
     * @param input what it was given
     * @param software who runs it, with its version
     */
    record RunStarted(String kind, String title, BlobRef input, String software) implements Event {}

    /**
     * Another process takes the run over.
     *
     * @param epoch how many times this has happened, with this one
     */
    record RunClaimed(long epoch, String by) implements Event {}

    /** A node of the graph begins. */
    record NodeStarted(String path, BlobRef input) implements Event {}

    /**
     * A node has ended.
     *
     * @param delta the change of state that it made
     * @param edge where the run goes next
     */
    record NodeFinished(String path, BlobRef delta, String edge, Duration took) implements Event {}

    /** A node has ended with a failure, and changed nothing. */
    record NodeFailed(String path, String problem, Duration took) implements Event {

        /** Stands for a problem that is not told. */
        public static final String PRIVATE = "private";

        /** What is told of it; empty where that is private. */
        public Optional<String> told() {
            return problem.equals(PRIVATE) ? Optional.empty() : Optional.of(problem);
        }
    }

    /**
     * Something is about to be done to the world, or asked of it.
     *
     * <p>If it is begun again, since nobody knows what became of it, this is recorded again.
     *
     * @param name what exactly: the model, the tool, the program
     * @param details what else is known before, by the kind of effect
     * @param observed the same of what a replay need not know
     */
    record EffectIntent(
            EffectId id, String name, BlobRef arguments, JsonNode details, JsonNode observed)
            implements Event {

        public EffectIntent(EffectId id, String name, BlobRef arguments, JsonNode details) {
            this(id, name, arguments, details, NONE);
        }

        /** The same with what was observed. */
        public EffectIntent observed(JsonNode seen) {
            return new EffectIntent(id, name, arguments, details, seen);
        }
    }

    /**
     * What came of it.
     *
     * @param result what came back, if anything did
     * @param details what else was observed, by the kind of effect
     */
    record EffectOutcome(
            EffectId id, Status status, Optional<BlobRef> result, Duration took, JsonNode details)
            implements Event {}

    /** Something that a node wants to be known. */
    record Noted(String path, long ordinal, String text) implements Event {}

    /** Content was deleted, on purpose. */
    record BlobRedacted(String digest, String reason) implements Event {}

    /**
     * The run has ended; nothing but redactions follow.
     *
     * @param stop why
     * @param replayDigest what a replay must come to, see {@link ReplayDigest}
     */
    record RunFinished(String stop, Optional<BlobRef> result, String replayDigest)
            implements Event {}

    /** What this software does not know, or knows in an older version only: carried through. */
    record Other(String type, long version, JsonNode rawBody) implements Event {

        @Override
        public Body body() {
            return new Body(rawBody.path("derived"), rawBody.path("observed"));
        }
    }

    /**
     * What the two records of an effect have in common.
     *
     * @param path the node that performs it
     * @param ordinal counts what the node does
     * @param key names the effect in this run, also to the other side
     * @param kind the kind of effect: {@code model}, {@code tool}, {@code sandbox.exec}, …
     */
    record EffectId(String path, long ordinal, String key, String kind) {

        /** The kind that thinks; every other kind acts. */
        public static final String MODEL = "model";

        Step before() {
            return kind.equals(MODEL) ? Step.THINK : Step.ACT;
        }

        Step after() {
            return kind.equals(MODEL) ? Step.THINK : Step.OBSERVE;
        }
    }

    /** How an effect ended. */
    enum Status {
        /** It was done, whatever it brought. */
        DONE,
        /** It was not done. */
        FAILED,
        /** Nobody knows whether it was done. */
        UNKNOWN
    }

    /** What an agent does at this moment. */
    enum Step {
        THINK,
        ACT,
        OBSERVE
    }
}
