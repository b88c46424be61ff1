package dev.glovebox.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.agent.ModelSpec.Vendor;
import java.io.UncheckedIOException;

/** A question on its way from the client of a vendor, with what that client does not do. */
final class VendorQuestion {

    // What is only passed on keeps all digits of its numbers.
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                    .build();

    private static final String RESULT = "functionResponse";
    private static final String PARTS = "parts";

    private VendorQuestion() {}

    /** The same question as its vendor wants it. */
    static String of(Vendor vendor, String question) {
        return switch (vendor) {
            case ANTHROPIC, OPENAI -> question;
            case GOOGLE -> hasSeveralResults(question) ? joined(question) : question;
            case OLLAMA -> whole(question);
        };
    }

    private static boolean hasSeveralResults(String question) {
        return question.indexOf(RESULT) != question.lastIndexOf(RESULT);
    }

    /** Google wants the results of the calls of one answer in one turn, and has none else. */
    private static String joined(String question) {
        ObjectNode joined = read(question);
        ArrayNode turns = JSON.createArrayNode();
        for (JsonNode turn : joined.path("contents")) {
            if (isResult(turn) && !turns.isEmpty() && isResult(turns.get(turns.size() - 1))) {
                ((ObjectNode) turns.get(turns.size() - 1))
                        .withArray("/" + PARTS)
                        .addAll((ArrayNode) turn.path(PARTS));
            } else {
                turns.add(turn);
            }
        }
        return joined.set("contents", turns).toString();
    }

    private static boolean isResult(JsonNode turn) {
        return turn.path(PARTS).path(0).has(RESULT);
    }

    /** Ollama would leave out the beginning of a conversation that is too long, and not say so. */
    private static String whole(String question) {
        return read(question).put("truncate", false).toString();
    }

    private static ObjectNode read(String question) {
        try {
            return (ObjectNode) JSON.readTree(question);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("The client of a vendor wrote no JSON", e);
        }
    }
}
