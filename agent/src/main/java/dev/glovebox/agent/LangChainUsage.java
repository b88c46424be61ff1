package dev.glovebox.agent;

import dev.langchain4j.model.anthropic.AnthropicTokenUsage;
import dev.langchain4j.model.googleai.GoogleAiGeminiTokenUsage;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.langchain4j.model.output.TokenUsage;
import org.jspecify.annotations.Nullable;

/** The tokens of an answer, which each vendor counts in its own way. */
final class LangChainUsage {

    private LangChainUsage() {}

    /** What the vendor counted; some clients say 0 where it has not. */
    static Usage of(@Nullable TokenUsage usage) {
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
            case OpenAiTokenUsage own -> {
                long read =
                        own.inputTokensDetails() == null
                                ? 0
                                : number(own.inputTokensDetails().cachedTokens());
                // Some servers leave it out of the first number, as Anthropic does.
                long all = Math.max(input, read);
                // And xAI what the model thinks of the second one, but not of the sum.
                long rest = number(own.totalTokenCount()) - all;
                long most = output + thought(own);
                yield new Usage(all, read, 0, Math.max(output, Math.min(rest, most)));
            }
            case GoogleAiGeminiTokenUsage own -> {
                long read = number(own.cachedContentTokenCount());
                // What it thinks is paid like what it says, and not in that number.
                long written = output + number(own.thoughtsTokenCount());
                yield new Usage(Math.max(input, read), read, 0, written);
            }
            default -> Usage.of(input, output);
        };
    }

    /** Those that the model wrote for itself, where its vendor tells. */
    static long thought(@Nullable TokenUsage usage) {
        return switch (usage) {
            case OpenAiTokenUsage own when own.outputTokensDetails() != null ->
                    number(own.outputTokensDetails().reasoningTokens());
            case GoogleAiGeminiTokenUsage own -> number(own.thoughtsTokenCount());
            case null, default -> 0;
        };
    }

    private static long number(@Nullable Integer count) {
        return count == null ? 0 : Math.max(0, count);
    }
}
