package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * What a tool is called with.
 *
 * @param arguments that follow its schema
 * @param agent for whom
 * @param key unique to this call, and the same when it is repeated: for the other side to recognise
 *     what it has done already
 * @param deadline when nobody waits for it any more
 */
public record ToolInput(ObjectNode arguments, String agent, String key, Instant deadline) {

    /** A copy: whatever a tool does to it, the arguments on record stay as they are. */
    @Override
    public ObjectNode arguments() {
        return arguments.deepCopy();
    }

    /** One of the arguments. */
    JsonNode argument(String name) {
        JsonNode value = arguments.path(name);
        return value.isContainerNode() ? value.deepCopy() : value;
    }
}
