package dev.glovebox.agent;

import dev.glovebox.agent.ModelSpec.Vendor;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import dev.langchain4j.model.ollama.OllamaStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/** Opens models of vendors. */
public final class Models {

    // No answer is waited for longer, whatever the run allows: the connection is dead then.
    private static final Duration LONGEST = Duration.ofMinutes(10);

    // Not all clients take them away before they add a path.
    private static final Pattern SLASHES = Pattern.compile("/+$");
    private static final Pattern KEY = Pattern.compile("[!-~]*");

    // For clients that want one in any case.
    private static final String NO_KEY = "none";

    private Models() {}

    /**
     * Opens a model by its specification, with a key from the environment.
     *
     * @throws IllegalArgumentException if there is no such vendor, or its key is missing
     */
    public static Model open(String spec, Map<String, String> environment) {
        return open(ModelSpec.of(spec), environment);
    }

    public static Model open(ModelSpec spec, Map<String, String> environment) {
        String key = key(spec, environment);
        return new LangChainModel(spec, key, client(spec, key.isEmpty() ? NO_KEY : key));
    }

    private static String key(ModelSpec spec, Map<String, String> environment) {
        String variable = spec.vendor().variable();
        String key = environment.getOrDefault(variable, "").strip();
        if (!KEY.matcher(key).matches()) {
            // Whoever complains of it later would say what it is.
            throw new IllegalArgumentException(
                    "The key for the model %s has characters that no key has: see %s"
                            .formatted(spec.name(), variable));
        }
        // A server of one's own seldom wants one.
        boolean isNeeded =
                !variable.isEmpty() && (spec.address().isEmpty() || spec.vendor() != Vendor.OPENAI);
        if (!key.isEmpty() || !isNeeded) {
            return key;
        }
        throw new IllegalArgumentException(
                "The model %s needs a key: set %s".formatted(spec.name(), variable));
    }

    private static StreamingChatModel client(ModelSpec spec, String key) {
        String address = SLASHES.matcher(spec.place().toString()).replaceFirst("");
        HttpClientBuilder http = VendorHttp.builder(spec.vendor(), LONGEST);
        return switch (spec.vendor()) {
            case ANTHROPIC ->
                    AnthropicStreamingChatModel.builder()
                            .httpClientBuilder(http)
                            .baseUrl(address)
                            .apiKey(key)
                            .modelName(spec.model())
                            .cacheSystemMessages(true)
                            .cacheTools(true)
                            .build();
            case GOOGLE ->
                    GoogleAiGeminiStreamingChatModel.builder()
                            .httpClientBuilder(http)
                            .baseUrl(address)
                            .apiKey(key)
                            .modelName(spec.model())
                            .returnThinking(true)
                            .sendThinking(true)
                            .build();
            case OLLAMA ->
                    OllamaStreamingChatModel.builder()
                            .httpClientBuilder(http)
                            .baseUrl(address)
                            .modelName(spec.model())
                            .build();
            case OPENAI ->
                    OpenAiStreamingChatModel.builder()
                            .httpClientBuilder(http)
                            .baseUrl(address)
                            .apiKey(key)
                            .modelName(spec.model())
                            .returnThinking(true)
                            .sendThinking(true)
                            .build();
        };
    }
}
