package dev.glovebox.agent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;
import java.util.Optional;

/**
 * What guardrails left of a text.
 *
 * @param text as it may go on; empty if it may not
 * @param findings one for each guardrail that was asked
 * @param blocked why it may not go on
 */
public record Guarded(String text, List<Finding> findings, Optional<String> blocked) {

    public Guarded {
        findings = List.copyOf(findings);
    }

    public boolean isBlocked() {
        return blocked.isPresent();
    }

    /** The findings, for the details of a record. */
    public ArrayNode json() {
        return Finding.json(findings);
    }
}
