package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Call;
import java.time.Instant;

/**
 * What a tool is called with.
 *
 * @param arguments that follow its schema
 * @param agent for whom
 */
public record ToolInput(ObjectNode arguments, String agent, Call call) {

    /**
     * Unique to this call, and the same when it is repeated: for the other side to recognise what
     * it has done already.
     */
    public String key() {
        return call.key();
    }

    /** When nobody waits for it any more. */
    public Instant deadline() {
        return call.deadline();
    }

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
