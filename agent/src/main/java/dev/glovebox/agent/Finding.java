package dev.glovebox.agent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

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

    /** For people: one for each that is no pass, and of those that passed one for each point. */
    static List<String> sentences(List<Finding> findings) {
        List<String> sentences = new ArrayList<>();
        Map<Guardrail.Point, Set<String>> passed = new EnumMap<>(Guardrail.Point.class);
        for (Finding finding : new LinkedHashSet<>(findings)) {
            if (finding.verdict == Verdict.PASS) {
                passed.computeIfAbsent(finding.point, any -> new LinkedHashSet<>())
                        .add(finding.guardrail);
            } else {
                sentences.add(finding.sentence());
            }
        }
        passed.forEach((point, names) ->
                sentences.add(
                        new Finding(String.join(" + ", names), point, Verdict.PASS, "")
                                .sentence()));
        return sentences;
    }

    /**
     * For the details of a record: the same one many times, as an answer of many calls has it, is
     * one with a count.
     */
    static ArrayNode json(List<Finding> findings) {
        Map<Finding, Integer> counts = new LinkedHashMap<>();
        findings.forEach(finding -> counts.merge(finding, 1, Integer::sum));
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        counts.forEach((finding, count) -> {
            ObjectNode json = finding.json();
            list.add(count == 1 ? json : json.put("count", count));
        });
        return list;
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
