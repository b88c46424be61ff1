package dev.glovebox.agent;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Effect.IfUnknown;

/** The tool by which an agent hands the conversation over to another one. */
record Handoff(String to) implements Tool {

    private static final String PREFIX = "transfer_to_";

    @Override
    public ToolOffer offer() {
        ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
        schema.putObject("properties")
                .putObject("reason")
                .put("type", "string")
                .put("description", "why, in a few words");
        schema.put("additionalProperties", false);
        return new ToolOffer(PREFIX + to, "Hands the conversation over to " + to + ".", schema);
    }

    @Override
    public ToolOutput call(ToolInput input) {
        return ToolOutput.of("Handed over to " + to + ".");
    }

    @Override
    public ToolTraits traits() {
        return ToolTraits.standard().ifUnknown(IfUnknown.REPEAT);
    }
}
