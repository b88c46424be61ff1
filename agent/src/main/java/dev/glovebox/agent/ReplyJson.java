package dev.glovebox.agent;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;

/** What the record of a model's answer tells besides the answer. */
final class ReplyJson {

    // Servers name things as they like.
    private static final int LONGEST_NAME = 200;

    private ReplyJson() {}

    static ObjectNode of(Reply reply) {
        Usage usage = reply.usage();
        ObjectNode details =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("inputTokens", usage.input())
                        .put("outputTokens", usage.output());
        put(details, "cacheReadTokens", usage.cached());
        put(details, "cacheCreationTokens", usage.written());
        details.putArray("finishReasons").add(finish(reply));
        reply.delivery().ifPresent(delivery -> put(details, delivery));
        return details;
    }

    /** Without what might be secret in an address. */
    static ObjectNode of(Optional<Model.Server> server) {
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        server.ifPresent(known -> details.put("server", known.host()).put("port", known.port()));
        return details;
    }

    private static String finish(Reply reply) {
        if (reply.isCut()) {
            return "length";
        }
        return reply.message().calls().isEmpty() ? "stop" : "tool_call";
    }

    private static void put(ObjectNode details, Delivery delivery) {
        put(details, "responseModel", delivery.model());
        put(details, "responseId", delivery.id());
        put(details, "reasoningTokens", delivery.thought());
        delivery.first()
                .ifPresent(
                        time -> details.put("stream", true).put("firstChunkMicros", micros(time)));
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1_000;
    }

    private static void put(ObjectNode details, String name, long count) {
        if (count > 0) {
            details.put(name, count);
        }
    }

    private static void put(ObjectNode details, String name, String text) {
        if (!text.isEmpty()) {
            details.put(name, Excerpt.line(text, LONGEST_NAME));
        }
    }
}
