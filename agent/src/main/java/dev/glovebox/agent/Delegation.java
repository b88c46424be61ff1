package dev.glovebox.agent;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Effect.IfUnknown;

/**
 * An agent as a tool of another one.
 *
 * <p>To call it is to give it the task, which is where rules and permissions are asked; what it
 * then does is part of the run.
 */
record Delegation(Agent agent) implements Tool {

    private static final String TASK = "task";

    @Override
    public ToolOffer offer() {
        ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
        schema.putObject("properties")
                .putObject(TASK)
                .put("type", "string")
                .put("minLength", 1)
                .put("description", "all that it must know, since it knows nothing else");
        schema.putArray("required").add(TASK);
        schema.put("additionalProperties", false);
        String description =
                agent.description().isBlank()
                        ? "Gives a task to the agent " + agent.name() + "."
                        : agent.description();
        return new ToolOffer(agent.name(), description, schema);
    }

    @Override
    public ToolOutput call(ToolInput input) {
        return ToolOutput.of(input.argument(TASK).asText());
    }

    @Override
    public ToolTraits traits() {
        return ToolTraits.standard().ifUnknown(IfUnknown.REPEAT).mostBytes(Integer.MAX_VALUE);
    }
}
