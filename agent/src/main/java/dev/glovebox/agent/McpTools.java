package dev.glovebox.agent;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.run.Effect.IfUnknown;
import dev.glovebox.run.Failure;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tools of an MCP server, until it is closed.
 *
 * <p>A server that is a program is started, with the rights of the user: it is not in a box, unless
 * its command is one that puts it there. Of the environment it gets {@code PATH}, {@code HOME},
 * {@code USER}, {@code LANG} and {@code TMPDIR}, and what it is given. It ends with this, and so
 * does all that it has started and not cut loose.
 *
 * <p>What can go wrong is a {@link Failure} with a code of {@link McpProblem} while the server is
 * opened, and an error that the model reads when a tool is called.
 */
public final class McpTools implements AutoCloseable {

    private static final JacksonMcpJsonMapper JSON = new JacksonMcpJsonMapper(new JsonMapper());
    // No answer is waited for longer, whatever the run allows: the connection is dead then.
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final McpConnection server;
    private final McpOptions options;
    private List<Tool> tools;

    private McpTools(McpConnection server, McpOptions options) throws InterruptedException {
        this.server = server;
        this.options = options;
        Instant deadline = Instant.now().plus(options.within());
        server.initialize(deadline);
        tools = list(deadline);
    }

    /**
     * Starts a server, and asks it for its tools.
     *
     * @param environment what it gets of it besides the least
     * @throws Failure if it cannot be started, or is no MCP server
     */
    public static McpTools stdio(
            String command, List<String> arguments, Map<String, String> environment)
            throws InterruptedException {
        return stdio(command, arguments, environment, McpOptions.standard());
    }

    public static McpTools stdio(
            String command,
            List<String> arguments,
            Map<String, String> environment,
            McpOptions options)
            throws InterruptedException {
        @Nullable Path file = Path.of(command).getFileName();
        // Not the arguments: secrets may be among them.
        String name = "The MCP server " + (file == null ? command : file);
        List<String> line = Stream.concat(Stream.of(command), arguments.stream()).toList();
        McpProcess process = McpProcess.start(name, line, environment);
        McpWire wire = new McpWire(name, new McpPipe(name, process, JSON));
        McpConnection server = new McpConnection(name, wire, process::close);
        try {
            McpTools opened = open(server, options);
            process.meetFamily();
            return opened;
        } catch (Failure e) {
            String words = e.code().equals(McpProblem.GONE) ? process.lastWords() : "";
            throw words.isEmpty()
                    ? e
                    : Failure.lasting(e.code(), e.getMessage() + "; it last said: " + words);
        }
    }

    /**
     * Reaches a server by streamable HTTP, and asks it for its tools.
     *
     * @param address all of it, such as {@code https://example.com/mcp}
     * @param headers sent with each request, such as {@code Authorization}
     * @throws Failure if it cannot be reached, or is no MCP server
     */
    public static McpTools http(URI address, Map<String, String> headers)
            throws InterruptedException {
        return http(address, headers, McpOptions.standard());
    }

    public static McpTools http(URI address, Map<String, String> headers, McpOptions options)
            throws InterruptedException {
        if (address.getHost() == null || !List.of("http", "https").contains(address.getScheme())) {
            throw new IllegalArgumentException("An MCP server has no such address: " + address);
        }
        String name = "The MCP server at " + address.getHost();
        HttpRequest.Builder request = HttpRequest.newBuilder().timeout(LONGEST);
        headers.forEach((header, value) -> put(header, value, request));
        // Redirects are not followed: the headers are for this server only.
        HttpClient http = HttpClients.connecting(options.within());
        McpWire wire =
                new McpWire(
                        name,
                        HttpClientStreamableHttpTransport.builder(address.toString())
                                .endpoint(address.toString())
                                .jsonMapper(JSON)
                                .clientBuilder(HttpClients.only(new McpHttpClient(http)))
                                .requestBuilder(request)
                                .maxResponseSize(McpProcess.MOST_LINE)
                                .build());
        return open(new McpConnection(name, wire, http::shutdownNow), options);
    }

    private static void put(String header, String value, HttpRequest.Builder request) {
        try {
            request.header(header, value);
        } catch (IllegalArgumentException e) {
            // The message of the exception has the value, which may be a secret.
            throw new IllegalArgumentException(
                    "The header %s cannot be sent, or not with this value: is there a line end in it?"
                            .formatted(header));
        }
    }

    private static McpTools open(McpConnection server, McpOptions options)
            throws InterruptedException {
        boolean opened = false;
        try {
            McpTools tools = new McpTools(server, options);
            opened = true;
            return tools;
        } finally {
            if (!opened) {
                server.close();
            }
        }
    }

    /**
     * The tools that the server has; if it said that they have changed, it is asked for them again.
     * Tools that were given out before stay as they are.
     *
     * @throws Failure if the server is asked and does not answer
     */
    public synchronized List<Tool> tools() throws InterruptedException {
        if (server.hasChanged()) {
            boolean listed = false;
            try {
                tools = list(Instant.now().plus(options.within()));
                listed = true;
            } finally {
                if (!listed) {
                    server.setChanged();
                }
            }
        }
        return tools;
    }

    private List<Tool> list(Instant deadline) throws InterruptedException {
        McpOffers offers = new McpOffers(server.name(), options.prefix());
        List<Tool> found = new ArrayList<>();
        server.list(
                deadline,
                tool -> {
                    ToolOffer offer = offers.offer(tool);
                    found.add(new McpTool(server, tool.name(), offer, traits(offer.name(), tool)));
                });
        return List.copyOf(found);
    }

    private ToolTraits traits(String name, McpSchema.Tool tool) {
        ToolTraits own = options.own().get(name);
        if (own != null) {
            return own;
        }
        return options.believesHints() && isHarmlessTwice(tool.annotations())
                ? options.traits().ifUnknown(IfUnknown.REPEAT)
                : options.traits();
    }

    private static boolean isHarmlessTwice(McpSchema.@Nullable ToolAnnotations hints) {
        return hints != null
                && (Boolean.TRUE.equals(hints.readOnlyHint())
                        || Boolean.TRUE.equals(hints.idempotentHint()));
    }

    @Override
    public void close() {
        server.close();
    }
}
