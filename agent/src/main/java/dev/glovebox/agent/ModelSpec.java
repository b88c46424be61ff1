package dev.glovebox.agent;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which model to use: {@code vendor:model}, and where it is if not at the vendor's own place, as in
 * {@code ollama:llama3.2@http://localhost:11434} or {@code openai:any@http://localhost:8000/v1}.
 *
 * @param address of the server; empty: the vendor's own
 */
public record ModelSpec(Vendor vendor, String model, Optional<URI> address) {

    /** Who makes models. */
    public enum Vendor {
        ANTHROPIC("anthropic", "ANTHROPIC_API_KEY", "https://api.anthropic.com/v1"),
        GOOGLE("google", "GOOGLE_API_KEY", "https://generativelanguage.googleapis.com/v1beta"),
        OLLAMA("ollama", "", "http://localhost:11434"),
        OPENAI("openai", "OPENAI_API_KEY", "https://api.openai.com/v1");

        private final String word;
        private final String variable;
        private final URI home;

        Vendor(String word, String variable, String home) {
            this.word = word;
            this.variable = variable;
            this.home = URI.create(home);
        }

        public String word() {
            return word;
        }

        /** The variable of the environment that has the key; empty if none is needed. */
        public String variable() {
            return variable;
        }

        /** Where its models are, unless somebody says otherwise. */
        public URI home() {
            return home;
        }
    }

    private static final Pattern ADDRESS = Pattern.compile("@https?://", Pattern.CASE_INSENSITIVE);
    private static final Pattern PASSWORD = Pattern.compile("//[^/]*@");
    private static final int LAST_PORT = 65_535;
    private static final int HTTP = 80;
    private static final int HTTPS = 443;
    private static final String NO_ADDRESS =
            "its address is none: that has a host, perhaps a port and a path, and nothing else";
    private static final String FORM = "vendor:model or vendor:model@http://address";

    /**
     * Reads a specification.
     *
     * @throws IllegalArgumentException if it is none, with what is wrong
     */
    public static ModelSpec of(String text) {
        int colon = text.indexOf(':');
        Matcher behind = ADDRESS.matcher(text);
        int at = behind.find() ? behind.start() : -1;
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
        if (model.chars().anyMatch(Character::isWhitespace)) {
            throw bad(text, "there are blanks in the name of its model");
        }
        if (at < 0 && model.contains("@")) {
            // Or a question for a server of one's own would go to the vendor.
            throw bad(text, "its address does not begin with http:// or https://");
        }
        return new ModelSpec(
                vendor, model, at < 0 ? Optional.empty() : Optional.of(address(text, at + 1)));
    }

    private static String words() {
        return String.join(", ", List.of(Vendor.values()).stream().map(Vendor::word).toList());
    }

    private static URI address(String text, int from) {
        try {
            URI address = new URI(text.substring(from)).parseServerAuthority();
            if (address.getHost() != null
                    && address.getPort() != 0
                    && address.getPort() <= LAST_PORT
                    && address.getRawUserInfo() == null
                    && address.getRawQuery() == null
                    && address.getRawFragment() == null) {
                return address;
            }
        } catch (URISyntaxException e) {
            throw bad(text, NO_ADDRESS);
        }
        throw bad(text, NO_ADDRESS);
    }

    private static IllegalArgumentException bad(String text, String why) {
        String shown = PASSWORD.matcher(text).replaceAll("//…@");
        return new IllegalArgumentException(
                "Not a model: '%s'; %s. It should be %s".formatted(shown, why, FORM));
    }

    /** The model with its vendor, without the address. */
    public String name() {
        return vendor.word() + ":" + model;
    }

    /** Where the model is. */
    URI place() {
        return address.orElse(vendor.home());
    }

    Model.Server server() {
        URI place = place();
        int usual = place.getScheme().equalsIgnoreCase("https") ? HTTPS : HTTP;
        return new Model.Server(place.getHost(), place.getPort() < 0 ? usual : place.getPort());
    }
}
