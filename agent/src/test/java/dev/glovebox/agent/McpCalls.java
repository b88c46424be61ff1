package dev.glovebox.agent;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Call;
import java.time.Duration;
import java.util.List;

/** Calls tools as an agent would. */
final class McpCalls {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private McpCalls() {}

    static ToolInput input(String arguments, Duration within) throws Exception {
        return new ToolInput(
                (ObjectNode) new JsonMapper().readTree(arguments),
                "tester",
                new Call("a-key", within));
    }

    static ToolOutput call(McpTools server, String tool, String arguments) throws Exception {
        return tool(server, tool).call(input(arguments, PATIENCE));
    }

    static Tool tool(McpTools server, String name) throws Exception {
        return server.tools().stream()
                .filter(tool -> tool.offer().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in " + names(server)));
    }

    static List<String> names(McpTools server) {
        try {
            return server.tools().stream().map(tool -> tool.offer().name()).toList();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
