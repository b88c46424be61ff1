package dev.glovebox.agent;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * What a guardrail said of a text, as it is recorded: nothing of the text is in it.
 *
 * @param guardrail its name
 * @param reason empty if the text passed
 */
public record Finding(String guardrail, Guardrail.Point point, Verdict verdict, String reason) {

    /** Where findings stand in the details of a record. */
    static final String DETAILS = "guardrails";

    /** What became of the text. */
    public enum Verdict {
        PASS,
        CHANGED,
        BLOCKED
    }

    /** For people; nothing of the text is in it. */
    public String sentence() {
        return "guardrail %s, %s: %s%s"
                .formatted(
                        guardrail,
                        word(point),
                        word(verdict),
                        reason.isEmpty() ? "" : " (" + reason + ")");
    }

    /** For the details of a record. */
    public ObjectNode json() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("guardrail", guardrail)
                .put("point", word(point))
                .put("verdict", word(verdict))
                .put("reason", reason);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
