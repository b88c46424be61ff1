package dev.glovebox.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Failure;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The events of an answer, on their way to the client of a vendor: what those clients would lose is
 * an error here.
 *
 * <p>These are errors and refusals that come when the answer has begun, which some clients take for
 * its end, and events that cannot be read, after which some clients wait for ever.
 */
final class VendorStream implements ServerSentEventListener {

    private static final JsonMapper JSON = new JsonMapper();

    // Most events have none of these words, and need not be read twice.
    private static final Pattern SUSPECT =
            Pattern.compile("\"error\"|refusal|blockReason|context_window_exceeded");

    private static final int TOO_MANY = 429;
    private static final Set<Integer> OF_THE_QUESTION = Set.of(400, 401, 402, 403, 404, 413, 422);

    // So some servers that speak like OpenAI say why an answer is at its end.
    private static final Map<String, String> ENDS =
            Map.of("eos", "stop", "eos_token", "stop", "model_length", "length");
    private static final Pattern END =
            Pattern.compile(
                    "(\"finish_reason\"\\s*:\\s*)\"(" + String.join("|", ENDS.keySet()) + ")\"");

    // Behind it some of them leave the connection open.
    private static final String DONE = "[DONE]";

    private static final Pattern PIECES = Pattern.compile("\"content\"\\s*:\\s*\\[");

    private final ServerSentEventListener client;
    private @Nullable Throwable problem;
    private final CallParts parts = new CallParts();
    private int calls;
    private boolean isSigned;
    private boolean needsReason;
    private boolean hasBegun;
    private boolean isClosed;

    VendorStream(ServerSentEventListener client) {
        this.client = client;
    }

    @Override
    public void onOpen(SuccessfulHttpResponse response) {
        client.onOpen(response);
    }

    @Override
    public void onEvent(ServerSentEvent event, ServerSentEventContext context) {
        if (event.data().equals(DONE)) {
            onClose();
            return;
        }
        try {
            problem(event.data())
                    .ifPresent(told -> {
                        throw hasBegun ? Begun.in(told) : told;
                    });
            hasBegun = true;
            reason(event.data());
            client.onEvent(signed(numbered(spoken(ended(event)))), context);
        } catch (RuntimeException | JsonProcessingException e) {
            problem = e;
            context.parsingHandle().cancel();
        }
    }

    @Override
    public void onError(Throwable broken) {
        // Behind the first one there is only what comes of it.
        problem = problem == null ? broken : problem;
    }

    /** There is nothing more. */
    @Override
    public void onClose() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        if (problem == null && needsReason) {
            problem = Failure.passing(ModelProblem.UNREACHABLE, LangChainModel.BROKE_OFF);
        }
        if (problem == null) {
            try {
                client.onClose();
            } catch (RuntimeException e) {
                problem = e;
            }
        }
        if (problem != null) {
            client.onError(problem);
        }
    }

    /**
     * Google says at the end why it ends; where there are calls of tools, the client does not tell
     * whether it did.
     */
    private void reason(String data) throws JsonProcessingException {
        boolean begins = !needsReason && data.contains("\"candidates\"");
        if (begins || data.contains("\"finishReason\"")) {
            JsonNode answer = JSON.readTree(data).path("candidates").path(0);
            needsReason = answer.isMissingNode() ? needsReason : !answer.has("finishReason");
        }
    }

    private static ServerSentEvent ended(ServerSentEvent event) {
        Matcher end = END.matcher(event.data());
        return end.find()
                ? new ServerSentEvent(
                        event.event(),
                        end.replaceAll(word -> "$1\"" + ENDS.get(word.group(2)) + "\""))
                : event;
    }

    /**
     * Mistral's models say what they think in a list, and perhaps what they say behind that; the
     * client takes texts only.
     */
    private static ServerSentEvent spoken(ServerSentEvent event) throws JsonProcessingException {
        if (!PIECES.matcher(event.data()).find()) {
            return event;
        }
        JsonNode chunk = JSON.readTree(event.data());
        JsonNode pieces = chunk.at("/choices/0/delta/content");
        if (!pieces.isArray()) {
            return event;
        }
        String said =
                pieces.valueStream()
                        .map(piece -> piece.path("text").asText())
                        .collect(Collectors.joining());
        chunk.withObject("/choices/0/delta").put("content", said);
        return new ServerSentEvent(event.event(), chunk.toString());
    }

    /**
     * Ollama has a call of a tool in each element, and not always with a number; without one, the
     * client would make a single call of them all.
     */
    private ServerSentEvent numbered(ServerSentEvent event) throws JsonProcessingException {
        if (!event.data().contains("\"tool_calls\"")) {
            return event;
        }
        JsonNode line = JSON.readTree(event.data());
        JsonNode several = line.at("/message/tool_calls");
        for (JsonNode call : several) {
            if (call.path("function") instanceof ObjectNode function) {
                function.put("index", calls++);
            }
        }
        JsonNode ofOpenAi = line.at("/choices/0/delta/tool_calls");
        parts.sort(ofOpenAi);
        return several.isEmpty() && ofOpenAi.isEmpty()
                ? event
                : new ServerSentEvent(event.event(), line.toString());
    }

    /**
     * Google signs the first call of a tool, and what else it says; the client sends one signature
     * back, with the first call, and would take the last one for it.
     */
    private ServerSentEvent signed(ServerSentEvent event) throws JsonProcessingException {
        if (!event.data().contains("\"thoughtSignature\"")) {
            return event;
        }
        JsonNode chunk = JSON.readTree(event.data());
        for (JsonNode part : chunk.at("/candidates/0/content/parts")) {
            if (!isSigned && part.has("functionCall") && part.has("thoughtSignature")) {
                isSigned = true;
            } else if (part instanceof ObjectNode other) {
                other.remove("thoughtSignature");
            }
        }
        return new ServerSentEvent(event.event(), chunk.toString());
    }

    private static Optional<Failure> problem(String data) {
        if (!SUSPECT.matcher(data).find()) {
            return Optional.empty();
        }
        JsonNode event;
        try {
            event = JSON.readTree(data);
        } catch (JsonProcessingException e) {
            // The client will say so.
            return Optional.empty();
        }
        JsonNode error = event.path("error");
        if (error.isObject() || error.isTextual()) {
            return Optional.of(broken(error));
        }
        String stop = event.at("/delta/stop_reason").asText();
        if (stop.equals("model_context_window_exceeded")) {
            return Optional.of(
                    Failure.lasting(ModelProblem.TOO_LONG, "the context became too long"));
        }
        return refusal(event, stop)
                .map(why -> Failure.lasting(ModelProblem.REFUSED, "it does not answer: " + why));
    }

    private static Failure broken(JsonNode error) {
        String message = error.path("message").asText(error.asText());
        String type = error.path("type").asText() + error.path("status").asText();
        // Where the stream begins before anybody has been asked, this is the status of the answer.
        int status = error.path("code").asInt();
        if (type.contains("rate_limit")
                || type.contains("RESOURCE_EXHAUSTED")
                || status == TOO_MANY) {
            return Failure.passing(ModelProblem.RATE_LIMIT, message);
        }
        return type.contains("invalid_request")
                        || type.contains("INVALID_ARGUMENT")
                        || OF_THE_QUESTION.contains(status)
                ? Failure.lasting(ModelProblem.invalid(message), message)
                : Failure.passing(ModelProblem.OVERLOADED, message);
    }

    private static Optional<String> refusal(JsonNode event, String stop) {
        if (stop.equals("refusal")) {
            return Optional.of(stop);
        }
        String words = event.at("/choices/0/delta/refusal").asText("");
        String blocked = event.at("/promptFeedback/blockReason").asText("");
        return Optional.of(words + blocked).filter(why -> !why.isEmpty());
    }
}
