package dev.glovebox.agent;

import dev.glovebox.run.Failure;
import dev.langchain4j.model.anthropic.AnthropicTokenUsage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A model behind a client of LangChain4j. */
final class LangChainModel implements Model {

    private final String name;
    private final StreamingChatModel client;

    LangChainModel(String name, StreamingChatModel client) {
        this.name = name;
        this.client = client;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Reply ask(Prompt prompt, Duration within, Consumer<String> words)
            throws InterruptedException {
        ChatRequest request = LangChainMessages.request(prompt);
        Listener listener = new Listener(words);
        try {
            client.chat(request, listener);
            return reply(listener.answer.get(within.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            throw ModelProblem.of(name, e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            listener.cancel();
            throw Failure.passing(ModelProblem.TIME_OUT, name + ": no answer in " + within);
        } catch (InterruptedException e) {
            listener.cancel();
            throw e;
        } catch (RuntimeException e) {
            throw ModelProblem.of(name, e);
        }
    }

    private static Reply reply(ChatResponse response) {
        return new Reply(
                LangChainMessages.assistant(response.aiMessage()),
                usage(response.tokenUsage()),
                response.finishReason() == FinishReason.LENGTH);
    }

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
                yield new Usage(
                        input + read + number(own.cacheCreationInputTokens()), read, output);
            }
            case OpenAiTokenUsage own ->
                    new Usage(
                            input,
                            own.inputTokensDetails() == null
                                    ? 0
                                    : number(own.inputTokensDetails().cachedTokens()),
                            output);
            default -> new Usage(input, 0, output);
        };
    }

    private static long number(@Nullable Integer count) {
        return count == null ? 0 : Math.max(0, count);
    }

    /** Waits for the answer, which comes on another thread. */
    private static final class Listener implements StreamingChatResponseHandler {

        private final CompletableFuture<ChatResponse> answer = new CompletableFuture<>();
        private final Consumer<String> words;
        private volatile @Nullable StreamingHandle handle;
        private volatile boolean cancelled;

        Listener(Consumer<String> words) {
            this.words = words;
        }

        void cancel() {
            cancelled = true;
            StreamingHandle known = handle;
            if (known != null) {
                known.cancel();
            }
        }

        @Override
        public void onPartialResponse(PartialResponse part, PartialResponseContext context) {
            handle = context.streamingHandle();
            if (cancelled) {
                context.streamingHandle().cancel();
                return;
            }
            words.accept(part.text());
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
