package dev.glovebox.agent;

import dev.glovebox.agent.ModelSpec.Vendor;
import dev.glovebox.run.Failure;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.FinishReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
    private static final String NO_CALL = "it wrote something that is no call of a tool";

    private static final String NEWER_LIMIT = "max_completion_tokens";

    // A connection serves the next question only if the end of the stream has come as well.
    private static final Duration TO_THE_END = Duration.ofSeconds(1);

    private static final Set<String> NO_ARGUMENTS = Set.of("", "{}");

    private final ModelSpec spec;
    private final String key;
    private final StreamingChatModel client;
    // Whether the model takes a schema for its answer; not all do that speak like OpenAI.
    private volatile boolean binds = true;
    // Whether it knows the newer name of the limit.
    private volatile boolean isNew;
    // Whether it takes what was said beside calls; some of Mistral's models do not.
    private volatile boolean takesBoth = true;
    // Whether its answers begin with a thought, and no tag says so.
    private volatile boolean thinksUntagged;

    /**
     * Asks by a client.
     *
     * @param key that the client has; empty: none
     */
    LangChainModel(ModelSpec spec, String key, StreamingChatModel client) {
        this.spec = spec;
        this.key = key;
        this.isNew = LangChainMessages.isNew(spec);
        this.client = client;
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public Optional<Server> server() {
        return Optional.of(spec.server());
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
                if (!isRefusal(e)) {
                    throw e;
                }
            }
        }
        Reply reply = heard(LangChainMessages.spelledOut(prompt), limit, words);
        // If it was the schema that was refused, it would be each time.
        binds &= isTooMuch(prompt);
        return reply;
    }

    /** Whether the question was refused as it is, before anything came. */
    private static boolean isRefusal(Failure problem) {
        return problem.code().equals(ModelProblem.INVALID_REQUEST) && Begun.told(problem).isEmpty();
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

    /** Who refuses an answer that has both a text and calls is given the calls alone. */
    private Reply heard(Prompt prompt, Limit limit, Consumer<String> words)
            throws InterruptedException {
        if (spec.vendor() != Vendor.OPENAI || !LangChainMessages.saysBesideCalls(prompt)) {
            return limited(prompt, limit, words);
        }
        if (takesBoth) {
            try {
                return limited(prompt, limit, words);
            } catch (Failure e) {
                if (!isRefusal(e)) {
                    throw e;
                }
            }
        }
        Reply reply = limited(LangChainMessages.withCallsAlone(prompt), limit, words);
        takesBoth = false;
        return reply;
    }

    /** Azure's models have names of one's own, which do not tell that they are newer ones. */
    private Reply limited(Prompt prompt, Limit limit, Consumer<String> words)
            throws InterruptedException {
        boolean known = isNew;
        try {
            return heard(LangChainMessages.request(prompt, spec, known), prompt, limit, words);
        } catch (Failure e) {
            if (known || !missesNewerLimit(e)) {
                throw e;
            }
        }
        isNew = true;
        return heard(LangChainMessages.request(prompt, spec, true), prompt, limit, words);
    }

    private boolean missesNewerLimit(Failure problem) {
        return spec.vendor() == Vendor.OPENAI
                && problem.code().equals(ModelProblem.INVALID_REQUEST)
                && String.valueOf(problem.getMessage()).contains(NEWER_LIMIT);
    }

    private Reply heard(ChatRequest request, Prompt prompt, Limit limit, Consumer<String> words)
            throws InterruptedException {
        Listener listener = new Listener(words, leavesThoughts(), thinksUntagged);
        // All that the client does is done on this thread: to interrupt it is to hang up.
        Thread asking =
                Thread.ofVirtual()
                        .name("glovebox-model")
                        .start(() -> listener.hear(client, request));
        try {
            ChatResponse response =
                    listener.answer.get(limit.left().toMillis(), TimeUnit.MILLISECONDS);
            return reply(prompt, response, listener.first());
        } catch (ExecutionException e) {
            throw ModelProblem.of(name(), key, e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw Failure.passing(
                    ModelProblem.TIME_OUT, name() + ": no answer in " + limit.within());
        } finally {
            Duration more = listener.answer.isDone() ? TO_THE_END : Duration.ZERO;
            CompletableFuture.delayedExecutor(more.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(asking::interrupt);
        }
    }

    private Reply reply(Prompt prompt, ChatResponse response, Duration first) {
        FinishReason finish = response.finishReason();
        Message.Assistant whole = LangChainMessages.assistant(response.aiMessage(), spec);
        Message.Assistant message = finish == FinishReason.LENGTH ? begun(whole) : whole;
        boolean isEmpty = message.text().isEmpty() && message.calls().isEmpty();
        Usage said = LangChainUsage.of(response.tokenUsage());
        if (finish == FinishReason.CONTENT_FILTER) {
            throw Begun.in(
                    Failure.lasting(ModelProblem.REFUSED, name() + ": it does not answer that"),
                    said);
        }
        if (isEmpty && (finish == null || finish == FinishReason.OTHER)) {
            throw Failure.passing(ModelProblem.MALFORMED, name() + ": " + NOTHING);
        }
        if (finish == FinishReason.OTHER && spec.vendor() == Vendor.GOOGLE) {
            throw Begun.in(Failure.passing(ModelProblem.MALFORMED, name() + ": " + NO_CALL), said);
        }
        if (finish == null && endsWithAReason()) {
            throw Failure.passing(ModelProblem.UNREACHABLE, name() + ": " + BROKE_OFF);
        }
        return new Reply(
                leavesThoughts() ? spoken(message) : message,
                said.total() == 0 ? Tokens.estimate(prompt, message) : said,
                finish == FinishReason.LENGTH,
                Optional.of(delivery(response, first)));
    }

    /**
     * Whether its server may leave in the answer what the model thinks: the vendors' own do not.
     */
    private boolean leavesThoughts() {
        return spec.vendor() == Vendor.OLLAMA
                || (spec.vendor() == Vendor.OPENAI && spec.address().isPresent());
    }

    private Message.Assistant spoken(Message.Assistant message) {
        thinksUntagged |= Thoughts.isUntagged(message.text());
        return message.saying(Thoughts.without(message.text()));
    }

    private static Delivery delivery(ChatResponse response, Duration first) {
        return new Delivery(
                text(response.modelName()),
                text(response.id()),
                Optional.of(first),
                LangChainUsage.thought(response.tokenUsage()));
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

    private static String text(@Nullable String said) {
        return said == null ? "" : said;
    }

    /** Hears the answer. */
    private static final class Listener implements StreamingChatResponseHandler {

        private final CompletableFuture<ChatResponse> answer = new CompletableFuture<>();
        private final long began = System.nanoTime();
        private final Optional<Thoughts> thoughts;
        private Consumer<String> words;
        private boolean heard;
        private long first;

        Listener(Consumer<String> words, boolean leavesThoughts, boolean thinksUntagged) {
            this.words = words;
            this.thoughts =
                    leavesThoughts
                            ? Optional.of(new Thoughts(this::say, thinksUntagged))
                            : Optional.empty();
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

        /** How long it took until something came. */
        Duration first() {
            return Duration.ofNanos(first);
        }

        private void came() {
            first = first == 0 ? System.nanoTime() - began : first;
        }

        @Override
        public void onPartialThinking(PartialThinking part) {
            came();
        }

        @Override
        public void onPartialToolCall(PartialToolCall part) {
            came();
        }

        @Override
        public void onCompleteToolCall(CompleteToolCall call) {
            came();
        }

        @Override
        public void onPartialResponse(String part) {
            came();
            heard = true;
            thoughts.ifPresentOrElse(own -> own.hear(part), () -> say(part));
        }

        private void say(String part) {
            try {
                words.accept(part);
            } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
                // The answer is paid for, whoever listens.
                LOG.warn("Whoever listens to a model has failed, and hears no more of it", e);
                words = any -> {};
            }
        }

        @Override
        public void onCompleteResponse(ChatResponse response) {
            came();
            thoughts.ifPresent(Thoughts::end);
            answer.complete(response);
        }

        @Override
        public void onError(Throwable problem) {
            answer.completeExceptionally(problem);
        }
    }
}
