package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.run.Call;
import dev.glovebox.run.Cost;
import dev.glovebox.run.Done;

/**
 * The effect of forgetting something by its id. What is on record of it in traces is not touched by
 * that: there it has to be redacted.
 *
 * @param arguments the id
 * @param agent who forgets
 */
record Forget(Memory memory, String arguments, String agent)
        implements MemoryEffect<String, Boolean> {

    @Override
    public Done<Boolean> perform(Call call) {
        boolean gone = MemoryEffect.kept(() -> memory.forget(arguments));
        return new Done<>(
                gone,
                Cost.NONE,
                () -> JsonNodeFactory.instance.objectNode().put("records", gone ? 1 : 0));
    }

    @Override
    public String name() {
        return "delete";
    }

    @Override
    public Class<Boolean> resultType() {
        return Boolean.class;
    }

    @Override
    public JsonNode details() {
        return JsonNodeFactory.instance.objectNode().put("record", arguments);
    }
}
