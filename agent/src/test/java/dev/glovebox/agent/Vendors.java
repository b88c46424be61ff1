package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.agent.support.AnthropicServer;
import dev.glovebox.agent.support.GoogleServer;
import dev.glovebox.agent.support.OllamaServer;
import dev.glovebox.agent.support.OpenAiServer;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Servers that speak like vendors, their real clients, and what these are asked. */
final class Vendors {

    static final Map<String, String> KEYS =
            Map.of(
                    "ANTHROPIC_API_KEY", "a-key",
                    "GOOGLE_API_KEY", "a-third-key",
                    "OPENAI_API_KEY", "another-key");
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private Vendors() {}

    static VendorServer server(String vendor, Turn... turns) {
        return switch (vendor) {
            case "openai" -> OpenAiServer.start(turns);
            case "google" -> GoogleServer.start(turns);
            case "ollama" -> OllamaServer.start(turns);
            default -> AnthropicServer.start(turns);
        };
    }

    static Model model(String vendor, VendorServer server) {
        return Models.open(vendor + ":test@" + server.address(), KEYS);
    }

    static JsonNode json(String text) {
        try {
            return new JsonMapper().readTree(text);
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static Prompt prompt(Message... messages) {
        ToolOffer tool =
                new ToolOffer(
                        "add",
                        "Adds two numbers",
                        json(
                                """
                                {"type":"object","properties":{
                                  "a":{"type":"integer","description":"one"},
                                  "b":{"type":"object","properties":{"c":{"type":"string"}}}},
                                 "required":["a"]}
                                """));
        return new Prompt("Be brief.", List.of(messages), List.of(tool), Optional.empty(), 500);
    }

    static Failure failure(Model model) {
        return catchThrowableOfType(
                Failure.class,
                () -> model.ask(prompt(new Message.User("x")), PATIENCE, word -> {}));
    }
}
