package dev.glovebox.agent;

import dev.glovebox.agent.ModelSpec.Vendor;
import dev.glovebox.run.Failure;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.anthropic.AnthropicTokenUsage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.googleai.GoogleAiGeminiTokenUsage;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A model behind a client of LangChain4j. */
final class LangChainModel implements Model {

    private static final Logger LOG = LoggerFactory.getLogger(LangChainModel.class);

    static final String BROKE_OFF = "the answer broke off in the middle";
    private static final String NOTHING = "nothing came that can be read";

    private static final Set<String> NO_ARGUMENTS = Set.of("", "{}");

    private final ModelSpec spec;
    private final StreamingChatModel client;
    // Whether the model takes a schema for its answer; not all do that speak like OpenAI.
    private volatile boolean binds = true;

    LangChainModel(ModelSpec spec, StreamingChatModel client) {
        this.spec = spec;
        this.client = client;
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public Reply ask(Prompt prompt, Duration within, Consumer<String> words)
            throws InterruptedException {
        Limit limit = new Limit(within, System.nanoTime());
        if (prompt.output().isEmpty()) {
            return heard(prompt, limit, words);
        }
        if (binds && !isTooMuch(prompt)) {
            try {
                return heard(prompt, limit, words);
            } catch (Failure e) {
                if (!e.code().equals(ModelProblem.INVALID_REQUEST)) {
                    throw e;
                }
            }
        }
        Reply reply = heard(LangChainMessages.spelledOut(prompt), limit, words);
        // If it was the schema that was refused, it would be each time.
        binds &= isTooMuch(prompt);
        return reply;
    }

    /** These answer with JSON, or call tools, but not the one or the other. */
    private boolean isTooMuch(Prompt prompt) {
        return !prompt.tools().isEmpty()
                && (spec.vendor() == Vendor.GOOGLE || spec.vendor() == Vendor.OLLAMA);
    }

    /** How long an answer may take, however often it is asked for. */
    private record Limit(Duration within, long began) {

        Duration left() {
            return within.minusNanos(System.nanoTime() - began);
        }
    }

    private Reply heard(Prompt prompt, Limit limit, Consumer<String> words)
            throws InterruptedException {
        ChatRequest request = LangChainMessages.request(prompt, spec);
        Listener listener = new Listener(words);
        // All that the client does is done on this thread: to interrupt it is to hang up.
        Thread asking =
                Thread.ofVirtual()
                        .name("glovebox-model")
                        .start(() -> listener.hear(client, request));
        try {
            return reply(
                    prompt, listener.answer.get(limit.left().toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            throw ModelProblem.of(name(), e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            asking.interrupt();
            throw Failure.passing(
                    ModelProblem.TIME_OUT, name() + ": no answer in " + limit.within());
        } catch (InterruptedException e) {
            asking.interrupt();
            throw e;
        }
    }

    private Reply reply(Prompt prompt, ChatResponse response) {
        FinishReason finish = response.finishReason();
        Message.Assistant whole = LangChainMessages.assistant(response.aiMessage(), spec);
        Message.Assistant message = finish == FinishReason.LENGTH ? begun(whole) : whole;
        boolean isEmpty = message.text().isEmpty() && message.calls().isEmpty();
        if (finish == FinishReason.CONTENT_FILTER) {
            throw Failure.lasting(ModelProblem.REFUSED, name() + ": it does not answer that");
        }
        if (isEmpty && (finish == null || finish == FinishReason.OTHER)) {
            throw Failure.passing(ModelProblem.MALFORMED, name() + ": " + NOTHING);
        }
        if (finish == null && endsWithAReason()) {
            throw Failure.passing(ModelProblem.UNREACHABLE, name() + ": " + BROKE_OFF);
        }
        Usage said = usage(response.tokenUsage());
        return new Reply(
                message,
                said.total() == 0 ? Tokens.estimate(prompt, message) : said,
                finish == FinishReason.LENGTH);
    }

    /**
     * Without a last call whose arguments were cut off before they began: as it is, it would be one
     * with no arguments, and all defaults.
     */
    private static Message.Assistant begun(Message.Assistant message) {
        List<ToolCall> calls = message.calls();
        boolean isWhole =
                calls.isEmpty() || !NO_ARGUMENTS.contains(calls.getLast().arguments().strip());
        return isWhole ? message : message.calling(calls.subList(0, calls.size() - 1));
    }

    /** Others have an event for the end, and their clients wait for that. */
    private boolean endsWithAReason() {
        return spec.vendor() == Vendor.OPENAI || spec.vendor() == Vendor.GOOGLE;
    }

    /** What the vendor counted; some clients say 0 where it has not. */
    private static Usage usage(@Nullable TokenUsage usage) {
        if (usage == null) {
            return Usage.NONE;
        }
        long input = number(usage.inputTokenCount());
        long output = number(usage.outputTokenCount());
        return switch (usage) {
            case AnthropicTokenUsage own -> {
                // Here what was remembered, and what will be, is not in the first number.
                long read = number(own.cacheReadInputTokens());
                long written = number(own.cacheCreationInputTokens());
                yield new Usage(input + read + written, read, written, output);
            }
            case OpenAiTokenUsage own ->
                    new Usage(
                            input,
                            own.inputTokensDetails() == null
                                    ? 0
                                    : number(own.inputTokensDetails().cachedTokens()),
                            0,
                            output);
            case GoogleAiGeminiTokenUsage own ->
                    // What it thinks is paid like what it says, and not in that number.
                    new Usage(
                            input,
                            number(own.cachedContentTokenCount()),
                            0,
                            output + number(own.thoughtsTokenCount()));
            default -> Usage.of(input, output);
        };
    }

    private static long number(@Nullable Integer count) {
        return count == null ? 0 : Math.max(0, count);
    }

    /** Hears the answer. */
    private static final class Listener implements StreamingChatResponseHandler {

        private final CompletableFuture<ChatResponse> answer = new CompletableFuture<>();
        private Consumer<String> words;
        private boolean heard;

        Listener(Consumer<String> words) {
            this.words = words;
        }

        void hear(StreamingChatModel client, ChatRequest request) {
            try {
                client.chat(request, this);
            } catch (IllegalArgumentException | UnsupportedFeatureException e) {
                // What is wrong with an answer is told to us: this is what was asked.
                answer.completeExceptionally(
                        Failure.lasting(
                                ModelProblem.INVALID_REQUEST, String.valueOf(e.getMessage())));
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
            // Nobody says anything any more.
            answer.completeExceptionally(
                    heard
                            ? Failure.passing(ModelProblem.UNREACHABLE, BROKE_OFF)
                            : Failure.passing(ModelProblem.MALFORMED, NOTHING));
        }

        @Override
        public void onPartialResponse(String part) {
            heard = true;
            try {
                words.accept(part);
            } catch (RuntimeException e) {
                // The answer is paid for, whoever listens.
                LOG.warn("Whoever listens to a model has failed, and hears no more of it", e);
                words = any -> {};
            }
        }

        @Override
        public void onCompleteResponse(ChatResponse response) {
            answer.complete(response);
        }

        @Override
        public void onError(Throwable problem) {
            answer.completeExceptionally(problem);
        }
    }
}
