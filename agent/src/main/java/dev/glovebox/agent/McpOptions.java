package dev.glovebox.agent;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * How the tools of an MCP server are taken.
 *
 * @param prefix put before the name of each tool, so that two servers do not clash
 * @param within how long it may take to reach the server and to hear what tools it has
 * @param traits how its tools are treated
 * @param believesHints whether a tool that the server calls read-only or idempotent is repeated
 *     when nobody knows whether it was done
 * @param own how single tools are treated, by the names that models see
 */
public record McpOptions(
        String prefix,
        Duration within,
        ToolTraits traits,
        boolean believesHints,
        Map<String, ToolTraits> own) {

    private static final Duration WITHIN = Duration.ofSeconds(30);
    // It leaves room for a name: vendors take 64 characters.
    private static final Pattern PREFIX = Pattern.compile("[a-zA-Z0-9_-]{0,32}");

    public McpOptions {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "A prefix of tools has at most 32 letters, digits, _ and -, unlike '%s'"
                            .formatted(prefix));
        }
        Limits.some(within, "within");
        own = Map.copyOf(own);
    }

    public static McpOptions standard() {
        return new McpOptions("", WITHIN, ToolTraits.standard(), true, Map.of());
    }

    public McpOptions prefix(String before) {
        return new McpOptions(before, within, traits, believesHints, own);
    }

    public McpOptions within(Duration time) {
        return new McpOptions(prefix, time, traits, believesHints, own);
    }

    /** How every tool is treated, whatever the server says of it. */
    public McpOptions traits(ToolTraits all) {
        return new McpOptions(prefix, within, all, false, own);
    }

    /**
     * How one tool is treated, whatever the server says of it.
     *
     * @param tool its name as models see it
     */
    public McpOptions traits(String tool, ToolTraits one) {
        Map<String, ToolTraits> more = new HashMap<>(own);
        more.put(tool, one);
        return new McpOptions(prefix, within, traits, believesHints, more);
    }
}
