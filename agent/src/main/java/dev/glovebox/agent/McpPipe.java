package dev.glovebox.agent;

import dev.glovebox.run.Failure;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The messages to and from a server that is a process.
 *
 * <p>The SDK has such a thing, but that gives the server our whole environment, keeps what it
 * writes to its standard error without bound, loses messages that are sent at the same time, and
 * does not tell when the server ends.
 */
final class McpPipe implements McpClientTransport {

    private static final Logger LOG = LoggerFactory.getLogger(McpPipe.class);
    // Some greet on their standard output, or log there.
    private static final int MOST_GARBAGE = 100;
    private static final TypeRef<Map<String, Object>> MEMBERS = new TypeRef<>() {};

    private final String name;
    private final McpProcess process;
    private final McpJsonMapper json;
    private Consumer<Throwable> exceptions = problem -> {};
    private int garbage; // of the one thread that reads

    McpPipe(String name, McpProcess process, McpJsonMapper json) {
        this.name = name;
        this.process = process;
        this.json = json;
    }

    @Override
    public void setExceptionHandler(Consumer<Throwable> handler) {
        exceptions = handler;
    }

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        Consumer<Throwable> told = exceptions;
        return Mono.fromRunnable(() -> process.listen(line -> take(line, handler), told::accept));
    }

    private void take(String line, Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        if (line.isBlank()) {
            return;
        }
        Optional<JSONRPCMessage> message = message(line);
        if (message.isEmpty()) {
            LOG.debug("{} wrote what is no message", name);
            if (++garbage > MOST_GARBAGE) {
                throw Failure.lasting(
                        McpProblem.MALFORMED,
                        "%s: it wrote more than %d lines that are no messages"
                                .formatted(name, MOST_GARBAGE));
            }
        }
        message.or(() -> unclear(line)).ifPresent(known -> take(known, handler));
    }

    private void take(
            JSONRPCMessage message, Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        handler.apply(Mono.just(message))
                .subscribe(
                        taken -> {},
                        problem -> LOG.debug("{} wrote a message that fails", name, problem));
    }

    private Optional<JSONRPCMessage> message(String line) {
        try {
            return Optional.of(McpSchema.deserializeJsonRpcMessage(json, line));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** Of an answer that is none it is known at least which request will have no other. */
    private Optional<JSONRPCMessage> unclear(String line) {
        try {
            return Optional.ofNullable(json.readValue(line, MEMBERS))
                    .filter(members -> !members.containsKey("method"))
                    .map(members -> members.get("id"))
                    .map(id -> McpWire.failed(id, McpProblem.unclear(name)));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        try {
            return process.send(json.writeValueAsBytes(message))
                    ? Mono.empty()
                    : Mono.error(Failure.lasting(McpProblem.TIME_OUT, name + ": it does not read"));
        } catch (IOException e) {
            return Mono.error(e);
        }
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.fromRunnable(process::close);
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return json.convertValue(data, type);
    }
}
