package dev.glovebox.agent;

import dev.glovebox.run.Failure;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.ListToolsResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An MCP server that was reached: asks it, for a bounded time. */
final class McpConnection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(McpConnection.class);
    private static final int MOST_TOOLS = 1000;
    private static final int MOST_PAGES = 100;
    // The client's own; each request has a shorter one here.
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final Duration TO_CLOSE = Duration.ofSeconds(2);

    private final String name;
    private final McpWire wire;
    private final McpSyncClient client;
    private final Runnable hangUp;
    private boolean hasTools; // set before anybody else sees this

    /**
     * Takes a server.
     *
     * @param hangUp ends the connection whatever the server does
     */
    McpConnection(String name, McpWire wire, Runnable hangUp) {
        this.name = name;
        this.wire = wire;
        this.hangUp = hangUp;
        client =
                McpClient.sync(wire)
                        .clientInfo(McpSchema.Implementation.builder("glovebox", "0.1.0").build())
                        .requestTimeout(LONGEST)
                        .initializationTimeout(LONGEST)
                        // Never asked; the SDK's own needs one more library.
                        .jsonSchemaValidator((schema, content) -> ValidationResponse.asValid(""))
                        .build();
    }

    String name() {
        return name;
    }

    /** Why there is no server any more, if so. */
    Optional<Failure> end() {
        return wire.end();
    }

    boolean hasChanged() {
        return wire.hasChanged();
    }

    void setChanged() {
        wire.setChanged();
    }

    void initialize(Instant deadline) throws InterruptedException {
        // It may not be cancelled; the connection is closed then.
        hasTools =
                ask(deadline, client::initialize, request -> false).capabilities().tools() != null;
    }

    /** Asks for the tools; each is handed on when it is heard of, and not kept here. */
    void list(Instant deadline, Consumer<McpSchema.Tool> found) throws InterruptedException {
        if (!hasTools) {
            return;
        }
        int count = 0;
        @Nullable String cursor = McpSchema.FIRST_PAGE;
        for (int page = 0; page < MOST_PAGES; page++) {
            @Nullable String from = cursor;
            ListToolsResult result =
                    ask(
                            deadline,
                            () -> client.listTools(from),
                            request -> request.method().equals(McpSchema.METHOD_TOOLS_LIST));
            List<McpSchema.Tool> tools = result.tools().stream().filter(Objects::nonNull).toList();
            count += tools.size();
            if (count > MOST_TOOLS) {
                break;
            }
            tools.forEach(found);
            cursor = result.nextCursor();
            if (cursor == null || cursor.isEmpty()) {
                return;
            }
        }
        throw Failure.lasting(
                McpProblem.TOO_MUCH,
                "%s: it lists more than %d tools, or does not end to".formatted(name, MOST_TOOLS));
    }

    /**
     * Calls a tool.
     *
     * @throws Failure if there is no result
     */
    CallToolResult call(CallToolRequest request, Instant deadline) throws InterruptedException {
        return ask(deadline, () -> client.callTool(request), sent -> isOf(sent, request));
    }

    @SuppressWarnings("ReferenceEquality") // another one may have the same
    private static boolean isOf(JSONRPCRequest sent, CallToolRequest parameters) {
        return sent.params() == parameters;
    }

    private <T> T ask(Instant deadline, Callable<T> question, Predicate<JSONRPCRequest> sent)
            throws InterruptedException {
        if (wire.end().isPresent()) {
            throw wire.end().get();
        }
        Duration left = Duration.between(Instant.now(), deadline);
        if (left.isNegative()) {
            throw late();
        }
        FutureTask<T> task = new FutureTask<>(() -> cancelling(question, sent));
        Thread.ofVirtual().name(name).start(task);
        try {
            return task.get(left.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw wire.end().orElseGet(() -> McpProblem.of(name, cause));
        } catch (TimeoutException e) {
            throw late();
        } finally {
            task.cancel(true);
        }
    }

    private Failure late() {
        return Failure.passing(McpProblem.TIME_OUT, name + ": no answer in time");
    }

    /** Asks; when the thread is interrupted the request is on its way, and is called back. */
    private <T> T cancelling(Callable<T> question, Predicate<JSONRPCRequest> sent)
            throws Exception {
        try {
            return question.call();
        } finally {
            wire.cancel(sent);
        }
    }

    @Override
    public void close() {
        wire.end(Failure.lasting(McpProblem.GONE, name + ": it was closed"));
        FutureTask<?> closing = new FutureTask<>(client::closeGracefully, null);
        Thread.ofVirtual().name(name).start(closing);
        try {
            closing.get(TO_CLOSE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("{} does not say goodbye", name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            hangUp.run();
        }
    }
}
