package dev.glovebox.agent;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a program ended, as it stands in documents and records. */
public final class OutcomeJson {

    private OutcomeJson() {}

    /** Writes the members of an object. */
    public static void write(JsonGenerator json, Outcome outcome) throws IOException {
        switch (outcome) {
            case Outcome.Exited(int code) -> {
                json.writeStringField("type", "exited");
                json.writeNumberField("code", code);
            }
            case Outcome.Signalled(int signal) -> {
                json.writeStringField("type", "signalled");
                json.writeNumberField("signal", signal);
            }
            case Outcome.TimedOut(Duration limit) -> {
                json.writeStringField("type", "timed-out");
                json.writeNumberField("limit_ms", limit.toMillis());
            }
            case Outcome.LimitHit(Limit limit, long value, long peak) -> {
                json.writeStringField("type", "limit-hit");
                json.writeStringField("limit", limit.toString());
                json.writeNumberField("value", value);
                json.writeNumberField("peak", peak);
            }
            case Outcome.Denied(String rule, String what) -> {
                json.writeStringField("type", "denied");
                json.writeStringField("rule", rule);
                json.writeStringField("what", what);
            }
            case Outcome.Cancelled(String reason) -> reason(json, "cancelled", reason);
            case Outcome.NotStarted(String reason) -> reason(json, "not-started", reason);
            case Outcome.Unknown(String reason) -> reason(json, "unknown", reason);
        }
    }

    private static void reason(JsonGenerator json, String type, String reason) throws IOException {
        json.writeStringField("type", type);
        json.writeStringField("reason", reason);
    }

    static JsonNode tree(Outcome outcome) {
        return Trees.of(json -> write(json, outcome));
    }

    /**
     * Reads what {@link #write} has written.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static Outcome read(JsonNode json) {
        String reason = json.path("reason").asText();
        return switch (json.path("type").asText()) {
            case "exited" -> new Outcome.Exited(json.path("code").asInt());
            case "signalled" -> new Outcome.Signalled(json.path("signal").asInt());
            case "timed-out" ->
                    new Outcome.TimedOut(Duration.ofMillis(json.path("limit_ms").asLong()));
            case "limit-hit" ->
                    new Outcome.LimitHit(
                            limit(json.path("limit").asText()),
                            json.path("value").asLong(),
                            json.path("peak").asLong());
            case "denied" ->
                    new Outcome.Denied(json.path("rule").asText(), json.path("what").asText());
            case "cancelled" -> new Outcome.Cancelled(reason);
            case "not-started" -> new Outcome.NotStarted(reason);
            case "unknown" -> new Outcome.Unknown(reason);
            default -> throw new IllegalArgumentException("Not an outcome: " + json);
        };
    }

    private static Limit limit(String word) {
        return Limit.valueOf(word.replace('-', '_').toUpperCase(Locale.ROOT));
    }

    /** In a few words, as the timeline of a run has it. */
    public static String words(Outcome outcome) {
        return tree(outcome).valueStream().map(JsonNode::asText).collect(Collectors.joining(" "));
    }

    /** Whether two programs ended in the same way; how much one took until then may differ. */
    static boolean sameEnding(Outcome one, Outcome two) {
        if (one instanceof Outcome.LimitHit(Limit limit, long value, _)
                && two instanceof Outcome.LimitHit(Limit other, long otherValue, _)) {
            return limit == other && value == otherValue;
        }
        return one.equals(two);
    }

    public static final class Writer extends JsonSerializer<Outcome> {

        @Override
        public void serialize(Outcome outcome, JsonGenerator json, SerializerProvider provider)
                throws IOException {
            json.writeStartObject();
            write(json, outcome);
            json.writeEndObject();
        }
    }

    public static final class Reader extends JsonDeserializer<Outcome> {

        @Override
        public Outcome deserialize(JsonParser json, DeserializationContext context)
                throws IOException {
            return read(context.readTree(json));
        }
    }
}
