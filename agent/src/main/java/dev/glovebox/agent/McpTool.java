package dev.glovebox.agent;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.run.Failure;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.time.Instant;
import java.util.Map;

/** A tool of an MCP server. */
final class McpTool implements Tool {

    private static final JsonMapper JSON = new JsonMapper();
    private static final TypeReference<Map<String, Object>> MEMBERS = new TypeReference<>() {};
    // For servers that know it: a call that is repeated has the same.
    private static final String KEY = "dev.glovebox/key";

    private final McpConnection server;
    private final String name;
    private final ToolOffer offer;
    private final ToolTraits traits;

    /**
     * Takes a tool.
     *
     * @param name by which the server knows it
     */
    McpTool(McpConnection server, String name, ToolOffer offer, ToolTraits traits) {
        this.server = server;
        this.name = name;
        this.offer = offer;
        this.traits = traits;
    }

    /** Still bounded by its own time, which is another one now. */
    McpTool with(ToolTraits other) {
        return new McpTool(server, name, offer, other);
    }

    @Override
    public ToolOffer offer() {
        return offer;
    }

    @Override
    public ToolTraits traits() {
        return traits;
    }

    @Override
    public ToolOutput call(ToolInput input) throws InterruptedException {
        if (server.end().isPresent()) {
            return ToolOutput.error(server.end().get().getMessage() + ". Nothing was done.");
        }
        CallToolRequest request =
                new CallToolRequest(
                        name,
                        JSON.convertValue(input.arguments(), MEMBERS),
                        Map.of(KEY, input.key()));
        Instant latest = Instant.now().plus(traits.within());
        Instant deadline = input.deadline().isBefore(latest) ? input.deadline() : latest;
        try {
            return McpResult.output(server.call(request, deadline));
        } catch (Failure e) {
            return switch (e.code()) {
                case McpProblem.UNREACHABLE -> throw e;
                case McpProblem.REFUSED, McpProblem.INVALID_KEY -> ToolOutput.error(e.getMessage());
                default -> ToolOutput.error(e.getMessage() + ". Perhaps it was done all the same.");
            };
        }
    }
}
