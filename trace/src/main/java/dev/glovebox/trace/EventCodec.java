package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.trace.Event.BlobRedacted;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.NodeFailed;
import dev.glovebox.trace.Event.NodeFinished;
import dev.glovebox.trace.Event.NodeStarted;
import dev.glovebox.trace.Event.Noted;
import dev.glovebox.trace.Event.Other;
import dev.glovebox.trace.Event.RunClaimed;
import dev.glovebox.trace.Event.RunFinished;
import dev.glovebox.trace.Event.RunStarted;
import dev.glovebox.trace.Event.Status;
import dev.glovebox.trace.Event.Step;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Writes events as bodies of records, and reads them. */
final class EventCodec {

    // Far less than a record may have.
    private static final int MOST_PLAIN_DEPTH = 8;

    static final String RUN_STARTED = "run.started";
    static final String RUN_CLAIMED = "run.claimed";
    static final String NODE_STARTED = "node.started";
    static final String NODE_FINISHED = "node.finished";
    static final String NODE_FAILED = "node.failed";
    static final String EFFECT_INTENT = "effect.intent";
    static final String EFFECT_OUTCOME = "effect.outcome";
    static final String NOTE = "note";
    static final String BLOB_REDACTED = "blob.redacted";
    static final String RUN_FINISHED = "run.finished";

    private EventCodec() {}

    static String type(Event event) {
        return switch (event) {
            case RunStarted e -> RUN_STARTED;
            case RunClaimed e -> RUN_CLAIMED;
            case NodeStarted e -> NODE_STARTED;
            case NodeFinished e -> NODE_FINISHED;
            case NodeFailed e -> NODE_FAILED;
            case EffectIntent e -> EFFECT_INTENT;
            case EffectOutcome e -> EFFECT_OUTCOME;
            case Noted e -> NOTE;
            case BlobRedacted e -> BLOB_REDACTED;
            case RunFinished e -> RUN_FINISHED;
            case Other e -> e.type();
        };
    }

    /**
     * The body of an event, written in the order of the names, which is the canonical one: others
     * would have to be sorted.
     */
    static Body body(Event event) {
        ObjectNode derived = JsonNodeFactory.instance.objectNode();
        ObjectNode observed = JsonNodeFactory.instance.objectNode();
        switch (event) {
            case RunStarted e -> {
                derived.set("input", e.input().json());
                derived.put("kind", e.kind()).put("path", "").put("title", e.title());
                observed.put("software", e.software());
            }
            case RunClaimed e -> observed.put("by", e.by()).put("epoch", e.epoch());
            case NodeStarted e -> {
                derived.set("input", e.input().json());
                derived.put("path", e.path());
            }
            case NodeFinished e -> {
                derived.set("delta", e.delta().json());
                derived.put("edge", e.edge()).put("path", e.path());
                observed.put("micros", micros(e.took()));
            }
            case NodeFailed e -> {
                derived.put("path", e.path());
                observed.put("micros", micros(e.took())).put("problem", e.problem());
            }
            case EffectIntent e -> {
                put(e.id(), e.id().before(), derived);
                derived.put("name", e.name());
                derived.set("arguments", e.arguments().json());
                details(e.details(), derived);
                details(e.observed(), observed);
            }
            case EffectOutcome e -> {
                put(e.id(), e.id().after(), derived);
                observed.put("status", word(e.status())).put("micros", micros(e.took()));
                e.result().ifPresent(result -> observed.set("result", result.json()));
                details(e.details(), observed);
            }
            case Noted e ->
                    derived.put("ordinal", e.ordinal()).put("path", e.path()).put("text", e.text());
            case BlobRedacted e -> observed.put("redacted", e.digest()).put("reason", e.reason());
            case RunFinished e -> {
                derived.put("path", "").put("stop", e.stop());
                e.result().ifPresent(result -> derived.set("result", result.json()));
                observed.put("replayDigest", e.replayDigest());
            }
            case Other e -> {
                return e.body();
            }
        }
        return new Body(derived, observed);
    }

    /**
     * Writes the body of an event; where its derived part ends.
     *
     * <p>Those of nodes, of which there are the most by far, are written without a detour.
     */
    static int write(Event event, ByteText out) {
        return switch (event) {
            case NodeStarted e -> {
                out.ascii("{\"derived\":{\"input\":");
                e.input().write(out);
                out.ascii(",\"path\":");
                CanonicalJson.string(e.path(), out);
                out.add('}');
                int end = out.size();
                out.ascii(",\"observed\":{}}");
                yield end;
            }
            case NodeFinished e -> {
                out.ascii("{\"derived\":{\"delta\":");
                e.delta().write(out);
                out.ascii(",\"edge\":");
                CanonicalJson.string(e.edge(), out);
                out.ascii(",\"path\":");
                CanonicalJson.string(e.path(), out);
                out.add('}');
                int end = out.size();
                out.ascii(",\"observed\":{\"micros\":");
                out.number(micros(e.took()));
                out.ascii("}}");
                yield end;
            }
            case EffectIntent e -> {
                out.ascii("{\"derived\":{\"arguments\":");
                e.arguments().write(out);
                if (!e.details().isEmpty()) {
                    out.ascii(",\"details\":");
                    CanonicalJson.write(e.details(), out);
                }
                write(e.id(), ",\"key\":", Optional.of(e.name()), e.id().before(), out);
                int end = out.size();
                out.ascii(",\"observed\":{");
                if (!e.observed().isEmpty()) {
                    out.ascii("\"details\":");
                    CanonicalJson.write(e.observed(), out);
                }
                out.ascii("}}");
                yield end;
            }
            case EffectOutcome e -> {
                out.ascii("{\"derived\":{");
                write(e.id(), "\"key\":", Optional.empty(), e.id().after(), out);
                int end = out.size();
                out.ascii(",\"observed\":{");
                if (!e.details().isEmpty()) {
                    out.ascii("\"details\":");
                    CanonicalJson.write(e.details(), out);
                    out.add(',');
                }
                out.ascii("\"micros\":");
                out.number(micros(e.took()));
                e.result()
                        .ifPresent(result -> {
                            out.ascii(",\"result\":");
                            result.write(out);
                        });
                out.ascii(",\"status\":\"");
                out.ascii(word(e.status()));
                out.ascii("\"}}");
                yield end;
            }
            default -> event.body().write(out);
        };
    }

    /** Writes the end of the derived part. */
    private static void write(
            EffectId id, String first, Optional<String> name, Step step, ByteText out) {
        out.ascii(first);
        CanonicalJson.string(id.key(), out);
        out.ascii(",\"kind\":");
        CanonicalJson.string(id.kind(), out);
        name.ifPresent(known -> {
            out.ascii(",\"name\":");
            CanonicalJson.string(known, out);
        });
        out.ascii(",\"ordinal\":");
        out.number(id.ordinal());
        out.ascii(",\"path\":");
        CanonicalJson.string(id.path(), out);
        out.ascii(",\"step\":\"");
        out.ascii(word(step));
        out.ascii("\"}");
    }

    private static void put(EffectId id, Step step, ObjectNode derived) {
        derived.put("key", id.key())
                .put("kind", id.kind())
                .put("ordinal", id.ordinal())
                .put("path", id.path())
                .put("step", word(step));
    }

    /**
     * Gives each reference in the body of an event that is plain: made of texts, numbers and
     * references, so that what was written need not be read to know that it is a record.
     *
     * @return whether it is that; if not, only reading what was written tells
     */
    static boolean plainReferences(Event event, Consumer<BlobRef> each) {
        return switch (event) {
            case NodeStarted e -> {
                each.accept(e.input());
                yield true;
            }
            case NodeFinished e -> {
                each.accept(e.delta());
                yield true;
            }
            case NodeFailed e -> true;
            case Noted e -> true;
            case EffectIntent e -> {
                each.accept(e.arguments());
                yield plainReferences(e.details(), MOST_PLAIN_DEPTH, each)
                        && plainReferences(e.observed(), MOST_PLAIN_DEPTH, each);
            }
            case EffectOutcome e -> {
                e.result().ifPresent(each);
                yield plainReferences(e.details(), MOST_PLAIN_DEPTH, each);
            }
            default -> false;
        };
    }

    /** Whether details are what a record can hold, in the one way that it does. */
    private static boolean plainReferences(JsonNode details, int depth, Consumer<BlobRef> each) {
        return switch (details.getNodeType()) {
            case STRING, BOOLEAN -> true;
            case NUMBER ->
                    details.isIntegralNumber()
                            && details.canConvertToLong()
                            && Math.abs(details.longValue()) <= CanonicalScanner.LARGEST_INTEGER;
            case OBJECT -> {
                if (details.has(BlobRef.MEMBER)) {
                    each.accept(BlobRef.of(details));
                }
                yield depth > 0 && eachPlain(details, depth, each);
            }
            case ARRAY -> depth > 0 && eachPlain(details, depth, each);
            default -> false;
        };
    }

    private static boolean eachPlain(JsonNode parent, int depth, Consumer<BlobRef> each) {
        boolean plain = true;
        for (JsonNode inner : parent) {
            plain = plain && plainReferences(inner, depth - 1, each);
        }
        return plain;
    }

    private static void details(JsonNode details, ObjectNode part) {
        if (!details.isEmpty()) {
            part.set("details", details);
        }
    }

    private static String word(Status status) {
        return switch (status) {
            case DONE -> "done";
            case FAILED -> "failed";
            case UNKNOWN -> "unknown";
        };
    }

    private static String word(Step step) {
        return switch (step) {
            case THINK -> "think";
            case ACT -> "act";
            case OBSERVE -> "observe";
        };
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }

    static Event read(String type, long version, JsonNode raw) {
        if (version != Entry.VERSION) {
            return new Other(type, version, raw);
        }
        if (raw.size() != 2) {
            throw new Malformed("A body has two members, 'derived' and 'observed'");
        }
        Body body = new Body(raw.path("derived"), raw.path("observed"));
        JsonNode derived = body.derived();
        JsonNode observed = body.observed();
        return switch (type) {
            case RUN_STARTED ->
                    new RunStarted(
                            text(derived, "kind"),
                            text(derived, "title"),
                            reference(derived, "input"),
                            text(observed, "software"));
            case RUN_CLAIMED -> new RunClaimed(number(observed, "epoch"), text(observed, "by"));
            case NODE_STARTED ->
                    new NodeStarted(text(derived, "path"), reference(derived, "input"));
            case NODE_FINISHED ->
                    new NodeFinished(
                            text(derived, "path"),
                            reference(derived, "delta"),
                            text(derived, "edge"),
                            took(observed));
            case NODE_FAILED ->
                    new NodeFailed(
                            text(derived, "path"), text(observed, "problem"), took(observed));
            case EFFECT_INTENT ->
                    new EffectIntent(
                            effect(derived),
                            text(derived, "name"),
                            reference(derived, "arguments"),
                            details(derived),
                            details(observed));
            case EFFECT_OUTCOME ->
                    new EffectOutcome(
                            effect(derived),
                            status(text(observed, "status")),
                            optionalReference(observed, "result"),
                            took(observed),
                            details(observed));
            case NOTE ->
                    new Noted(
                            text(derived, "path"),
                            number(derived, "ordinal"),
                            text(derived, "text"));
            case BLOB_REDACTED ->
                    new BlobRedacted(text(observed, "redacted"), text(observed, "reason"));
            case RUN_FINISHED ->
                    new RunFinished(
                            text(derived, "stop"),
                            optionalReference(derived, "result"),
                            text(observed, "replayDigest"));
            default -> new Other(type, version, raw);
        };
    }

    private static EffectId effect(JsonNode derived) {
        return new EffectId(
                text(derived, "path"),
                number(derived, "ordinal"),
                text(derived, "key"),
                text(derived, "kind"));
    }

    private static Status status(String word) {
        for (Status status : Status.values()) {
            if (word(status).equals(word)) {
                return status;
            }
        }
        throw new Malformed("No status of an effect: '" + word + "'");
    }

    private static JsonNode details(JsonNode part) {
        return part.has("details") ? part.get("details") : Event.NONE;
    }

    private static Duration took(JsonNode observed) {
        return Duration.ofNanos(Math.multiplyExact(number(observed, "micros"), 1000L));
    }

    private static String text(JsonNode part, String name) {
        JsonNode value = part.path(name);
        if (!value.isTextual()) {
            throw new Malformed("'" + name + "' is missing or not a text");
        }
        return value.textValue();
    }

    private static long number(JsonNode part, String name) {
        JsonNode value = part.path(name);
        if (!value.canConvertToLong() || value.longValue() < 0) {
            throw new Malformed("'" + name + "' is missing or not a number");
        }
        return value.longValue();
    }

    private static BlobRef reference(JsonNode part, String name) {
        return BlobRef.of(part.path(name));
    }

    private static Optional<BlobRef> optionalReference(JsonNode part, String name) {
        return part.has(name) ? Optional.of(reference(part, name)) : Optional.empty();
    }
}
