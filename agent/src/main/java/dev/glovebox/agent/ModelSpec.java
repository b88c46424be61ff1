package dev.glovebox.agent;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;

/**
 * Which model to use: {@code vendor:model}, and where it is if not at the vendor's own place, as in
 * {@code ollama:llama3.2@http://localhost:11434} or {@code openai:any@http://localhost:8000/v1}.
 *
 * @param address of the server; empty: the vendor's own
 */
public record ModelSpec(Vendor vendor, String model, Optional<URI> address) {

    /** Who makes models. */
    public enum Vendor {
        ANTHROPIC("anthropic", "ANTHROPIC_API_KEY"),
        GOOGLE("google", "GOOGLE_API_KEY"),
        OLLAMA("ollama", ""),
        OPENAI("openai", "OPENAI_API_KEY");

        private final String word;
        private final String variable;

        Vendor(String word, String variable) {
            this.word = word;
            this.variable = variable;
        }

        public String word() {
            return word;
        }

        /** The variable of the environment that has the key; empty if none is needed. */
        public String variable() {
            return variable;
        }
    }

    private static final String FORM = "vendor:model or vendor:model@http://address";

    /**
     * Reads a specification.
     *
     * @throws IllegalArgumentException if it is none, with what is wrong
     */
    public static ModelSpec of(String text) {
        int colon = text.indexOf(':');
        int at = text.indexOf("@http");
        String word = colon < 0 ? text : text.substring(0, colon);
        Vendor vendor =
                List.of(Vendor.values()).stream()
                        .filter(one -> one.word().equals(word))
                        .findFirst()
                        .orElseThrow(() ->
                                bad(text, "there is no vendor '" + word + "', but " + words()));
        String model = text.substring(colon + 1, at < 0 ? text.length() : at);
        if (colon < 0 || model.isBlank()) {
            throw bad(text, "it names no model");
        }
        return new ModelSpec(
                vendor, model, at < 0 ? Optional.empty() : Optional.of(address(text, at + 1)));
    }

    private static String words() {
        return String.join(", ", List.of(Vendor.values()).stream().map(Vendor::word).toList());
    }

    private static URI address(String text, int from) {
        try {
            return new URI(text.substring(from)).parseServerAuthority();
        } catch (URISyntaxException e) {
            throw bad(text, "its address is none");
        }
    }

    private static IllegalArgumentException bad(String text, String why) {
        return new IllegalArgumentException(
                "Not a model: '%s'; %s. It should be %s".formatted(text, why, FORM));
    }

    /** The model with its vendor, without the address. */
    public String name() {
        return vendor.word() + ":" + model;
    }
}
