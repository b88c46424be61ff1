package dev.glovebox.agent;

import com.fasterxml.jackson.core.JacksonException;
import dev.glovebox.run.Failure;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpTransportSessionNotFoundException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Watches what goes to and fro between the SDK's client and a server.
 *
 * <p>The client waits for an answer until its time-out whatever happens, lists all tools anew each
 * time a server says that they have changed, and knows no way to cancel a request. Here requests
 * fail when the server is gone, can be cancelled, and the client hears only answers, and requests
 * at a bearable rate. What it answers to them is left out while the server does not take others.
 */
final class McpWire implements McpClientTransport {

    private static final Logger LOG = LoggerFactory.getLogger(McpWire.class);
    private static final int MOST_REQUESTS_A_SECOND = 20;
    // By HTTP each has a connection of its own, for as long as the server does not take it.
    private static final int MOST_ANSWERS = 8;
    private static final int BROKEN = -32000;
    private static final String UNWANTED = "nobody waits for it any more";

    private final String name;
    private final McpClientTransport inner;
    private final Map<Object, JSONRPCRequest> waiting = new ConcurrentHashMap<>(); // by id
    private final AtomicReference<@Nullable Failure> end = new AtomicReference<>();
    private final AtomicBoolean changed = new AtomicBoolean();
    private final Semaphore answers = new Semaphore(MOST_ANSWERS);
    private volatile Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> client = none -> none;
    private long second; // guarded by this
    private int requests; // guarded by this

    McpWire(String name, McpClientTransport inner) {
        this.name = name;
        this.inner = inner;
    }

    /** Why there is no server any more, if so. */
    Optional<Failure> end() {
        return Optional.ofNullable(end.get());
    }

    /** Whether the server has said that its tools are others, since this was last asked. */
    boolean hasChanged() {
        return changed.getAndSet(false);
    }

    void setChanged() {
        changed.set(true);
    }

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        // The client would begin anew after its end.
        Failure gone = end.get();
        if (gone != null) {
            return Mono.error(gone);
        }
        client = handler;
        inner.setExceptionHandler(this::broken);
        return inner.connect(incoming -> handler.apply(incoming.filter(this::isHeard)));
    }

    @Override
    public void setExceptionHandler(Consumer<Throwable> handler) {
        // It would open a lost session anew, as often as a server likes to lose it.
    }

    private boolean isHeard(JSONRPCMessage message) {
        return switch (message) {
            case JSONRPCResponse response -> waiting.remove(response.id()) != null;
            case JSONRPCRequest request -> isBearable();
            case JSONRPCNotification notification -> {
                if (McpSchema.METHOD_NOTIFICATION_TOOLS_LIST_CHANGED.equals(
                        notification.method())) {
                    changed.set(true);
                }
                yield false;
            }
            default -> false;
        };
    }

    private synchronized boolean isBearable() {
        long now = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime());
        if (now != second) {
            second = now;
            requests = 0;
        }
        return ++requests <= MOST_REQUESTS_A_SECOND;
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        if (message instanceof JSONRPCResponse) {
            return answer(message);
        }
        if (!(message instanceof JSONRPCRequest request)) {
            return tell(message);
        }
        Object id = request.id();
        waiting.put(id, request);
        // Only after that: of a server that is gone in between it is told by the one or the other.
        Failure gone = end.get();
        Mono<Void> sent = gone == null ? inner.sendMessage(message) : Mono.error(gone);
        return sent.doOnError(problem -> waiting.remove(id));
    }

    private Mono<Void> answer(JSONRPCMessage message) {
        return Mono.defer(() ->
                answers.tryAcquire()
                        ? tell(message).doFinally(end -> answers.release())
                        : Mono.empty());
    }

    /** Sends what gets no answer. */
    private Mono<Void> tell(JSONRPCMessage message) {
        return inner.sendMessage(message).onErrorComplete(McpHttpClient.NoAnswer.class);
    }

    /** Tells the server that nobody waits for its answers to some requests. */
    void cancel(Predicate<JSONRPCRequest> which) {
        for (JSONRPCRequest request : waiting.values()) {
            if (which.test(request)) {
                fail(request.id(), Failure.lasting(McpProblem.TIME_OUT, UNWANTED));
                tell(new JSONRPCNotification(
                                "notifications/cancelled",
                                Map.of("requestId", request.id(), "reason", UNWANTED)))
                        .subscribe(
                                sent -> {},
                                problem -> LOG.debug("{} cannot be told", name, problem));
            }
        }
    }

    private void broken(Throwable problem) {
        LOG.debug("{} is in trouble", name, problem);
        switch (problem) {
            case Failure failure -> end(failure);
            case McpTransportSessionNotFoundException lost ->
                    end(Failure.lasting(McpProblem.GONE, name + ": it has lost the session"));
            default -> {
                // Which request it would have been the answer to is not known.
                if (isMalformed(problem)) {
                    failAll(McpProblem.unclear(name));
                }
            }
        }
    }

    private static boolean isMalformed(Throwable problem) {
        return problem instanceof IllegalArgumentException
                || problem instanceof NullPointerException // the SDK's, of the message null
                || problem instanceof JacksonException
                || problem.getCause() instanceof JacksonException;
    }

    /** Takes it that there is no server any more. */
    void end(Failure why) {
        end.compareAndSet(null, why);
        failAll(why);
    }

    private void failAll(Failure why) {
        waiting.keySet().forEach(id -> fail(id, why));
    }

    private void fail(Object id, Failure why) {
        if (waiting.remove(id) != null) {
            client.apply(Mono.just(failed(id, why))).subscribe();
        }
    }

    /** What stands for the answer to a request that will have none. */
    static JSONRPCMessage failed(Object id, Failure why) {
        JSONRPCError error = new JSONRPCError(BROKEN, why.getMessage(), why);
        return new JSONRPCResponse("2.0", id, null, error);
    }

    @Override
    public Mono<Void> closeGracefully() {
        return inner.closeGracefully();
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return inner.unmarshalFrom(data, type);
    }

    @Override
    public List<String> protocolVersions() {
        return inner.protocolVersions();
    }
}
