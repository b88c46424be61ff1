package dev.glovebox.agent;

/**
 * A rough count of tokens, rather too high than too low: for budgets and windows.
 *
 * <p>Most tokenizers take three to four bytes of English for a token, and up to three bytes for a
 * character of other scripts.
 */
final class Tokens {

    private static final int BYTES_PER_TOKEN = 3;

    /** What a message costs beside its text. */
    private static final int FRAME = 4;

    private Tokens() {}

    static long of(Prompt prompt) {
        long tokens = of(prompt.instructions());
        for (Message message : prompt.messages()) {
            tokens += of(message);
        }
        for (ToolOffer tool : prompt.tools()) {
            tokens += FRAME + of(tool.name()) + of(tool.description());
            tokens += of(tool.parameters().toString());
        }
        return tokens + prompt.output().map(schema -> FRAME + of(schema.toString())).orElse(0L);
    }

    /** What an answer has probably cost, where the vendor does not say. */
    static Usage estimate(Prompt prompt, Message.Assistant answer) {
        return Usage.of(of(prompt), of(answer));
    }

    static long of(Message message) {
        long tokens = FRAME + of(message.text());
        return switch (message) {
            case Message.User user -> tokens;
            case Message.ToolResult result -> tokens + of(result.call()) + of(result.tool());
            case Message.Assistant assistant -> {
                for (ToolCall call : assistant.calls()) {
                    tokens += FRAME + of(call.id()) + of(call.name()) + of(call.arguments());
                }
                yield tokens + assistant.signature().map(own -> of(own.text())).orElse(0L);
            }
        };
    }

    static long of(String text) {
        return (bytes(text) + BYTES_PER_TOKEN - 1) / BYTES_PER_TOKEN;
    }

    /** How many bytes certainly fit into so many tokens. */
    static long bytesIn(long tokens) {
        return tokens * BYTES_PER_TOKEN;
    }

    /** How many bytes of UTF-8 the text has. */
    static long bytes(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            bytes += bytes(text.charAt(i));
        }
        return bytes;
    }

    /** Each half of a pair counts for two. */
    static int bytes(char unit) {
        if (unit < 0x80) {
            return 1;
        }
        return unit < 0x800 || Character.isSurrogate(unit) ? 2 : 3;
    }
}
