package dev.glovebox.agent;

import static dev.glovebox.agent.Vendors.PATIENCE;
import static dev.glovebox.agent.Vendors.json;
import static dev.glovebox.agent.Vendors.model;
import static dev.glovebox.agent.Vendors.prompt;
import static dev.glovebox.agent.Vendors.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The schemas of tools and answers, in the words that each vendor knows. */
class ModelSchemasTest {

    @ParameterizedTest
    @CsvSource({
        "openai, /tools/0/function/parameters",
        "anthropic, /tools/0/input_schema",
    })
    void definitionsOfASchemaReachTheVendor(String vendor, String where) throws Exception {
        JsonNode schema =
                json(
                        """
                        {"type":"object","properties":{
                          "root":{"$ref":"#/$defs/node"},
                          "old":{"type":"array","items":{"$ref":"#/definitions/leaf"}},
                          "any":true,
                          "none":false},
                         "$defs":{"node":{"type":"object","properties":{
                            "left":{"$ref":"#/$defs/node"},"leaf":{"$ref":"#/definitions/leaf"}}}},
                         "definitions":{"leaf":{"type":"string","maxLength":3},"some":true}}
                        """);
        Prompt prompt =
                new Prompt(
                        "",
                        List.of(new Message.User("x")),
                        List.of(new ToolOffer("plant", "Plants a tree", schema)),
                        Optional.empty(),
                        500);
        try (VendorServer server = server(vendor, Turn.says("ok"))) {
            model(vendor, server).ask(prompt, PATIENCE, word -> {});
            JsonNode sent = server.requests().getFirst().at(where);
            List<String> references = sent.findValuesAsText("$ref");
            assertThat(references).hasSize(4);
            assertThat(references)
                    .allSatisfy(reference ->
                            assertThat(sent.at(reference.substring(1)).path("type").asText())
                                    .isIn("object", "string"));
            assertThat(sent.at("/$defs/leaf/maxLength").asInt()).isEqualTo(3);
            assertThat(sent.at("/properties/any")).isEqualTo(json("{}"));
            assertThat(sent.at("/properties/none")).isEqualTo(json("{\"not\":{}}"));
        }
    }

    private static final String SCHEMA =
            """
            {"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}
            """;

    private static Prompt bound(boolean tools) {
        return new Prompt(
                "Be brief.",
                List.of(new Message.User("x")),
                tools ? prompt().tools() : List.of(),
                Optional.of(json(SCHEMA)),
                500);
    }

    @ParameterizedTest
    @CsvSource({
        "openai,false,/response_format/json_schema/schema/properties/city/type",
        "openai,true,/response_format/json_schema/schema/properties/city/type",
        "anthropic,true,/output_config/format/schema/properties/city/type",
        "google,false,/generationConfig/responseJsonSchema/properties/city/type",
        "ollama,false,/format/properties/city/type",
    })
    void theSchemaOfAnAnswerReachesTheVendor(String vendor, boolean tools, String where)
            throws Exception {
        try (VendorServer server = server(vendor, Turn.says("{\"city\":\"Rome\"}"))) {
            model(vendor, server).ask(bound(tools), PATIENCE, word -> {});
            assertThat(server.requests().getFirst().at(where).asText()).isEqualTo("string");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"google", "ollama"})
    void whereItWouldForbidTheCallOfToolsTheSchemaIsSaidInWords(String vendor) throws Exception {
        try (VendorServer server = server(vendor, Turn.says("{\"city\":\"Rome\"}"))) {
            model(vendor, server).ask(bound(true), PATIENCE, word -> {});
            JsonNode request = server.requests().getFirst();
            assertThat(request.toString()).contains("\\\"city\\\"", "Adds two numbers");
            assertThat(request.has("format")).isFalse();
            assertThat(request.at("/generationConfig/responseMimeType").asText())
                    .isNotEqualTo("application/json");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic"})
    void whoTakesNoSchemaIsToldInWordsFromThenOn(String vendor) throws Exception {
        Turn answer = Turn.says("{\"city\":\"Rome\"}");
        try (VendorServer server =
                server(vendor, Turn.fails(400, "no such parameter"), answer, answer)) {
            Model model = model(vendor, server);
            assertThat(model.ask(bound(false), PATIENCE, word -> {}).message().text())
                    .contains("Rome");
            model.ask(bound(false), PATIENCE, word -> {});
            assertThat(server.requests()).hasSize(3);
            assertThat(server.requests().subList(1, 3))
                    .allSatisfy(request -> {
                        assertThat(request.has("response_format")).isFalse();
                        assertThat(request.has("output_config")).isFalse();
                        assertThat(request.toString()).contains("\\\"city\\\"");
                    });
        }
    }

    @Test
    void theTimeForAnAnswerIsThatOfBothQuestions() {
        Turn refused = new Turn.Slow(Duration.ofMillis(1_500), Turn.fails(400, "no schema"));
        Turn late = new Turn.Slow(Duration.ofMillis(1_500), Turn.says("{\"city\":\"Rome\"}"));
        try (VendorServer server = server("openai", refused, late)) {
            Model model = model("openai", server);
            Failure failure =
                    catchThrowableOfType(
                            Failure.class,
                            () -> model.ask(bound(false), Duration.ofSeconds(2), word -> {}));
            assertThat(failure.code()).isEqualTo("time-out");
            assertThat(failure).hasMessageEndingWith("no answer in PT2S");
        }
    }

    private record Limits(int one, long two, Set<Short> minimum, float three) {}

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "google", "ollama"})
    void eachVendorGetsTheLimitsThatItTakes(String vendor) throws Exception {
        ToolOffer tool = new ToolOffer("t", "A tool", ParameterSchema.of(Limits.class));
        Prompt asked =
                new Prompt("", List.of(new Message.User("x")), List.of(tool), Optional.empty(), 9);
        Prompt bound =
                new Prompt(
                        "",
                        List.of(new Message.User("x")),
                        List.of(),
                        Optional.of(ParameterSchema.of(Limits.class)),
                        9);
        try (VendorServer server = server(vendor, Turn.says("x"), Turn.says("x"))) {
            Model model = model(vendor, server);
            model.ask(asked, PATIENCE, word -> {});
            model.ask(bound, PATIENCE, word -> {});

            assertThat(server.requests()).hasSize(2);
            assertThat(server.requests().toString())
                    .doesNotContain(String.valueOf(Long.MIN_VALUE))
                    .doesNotContain(String.valueOf(Long.MAX_VALUE))
                    .doesNotContain(String.valueOf(Float.MAX_VALUE));
            assertThat(server.requests().getFirst().findParents("one"))
                    .isNotEmpty()
                    .allMatch(members -> members.has("minimum"));
            assertThat(server.requests().getFirst().findPath("one").has("maximum"))
                    .isEqualTo(!vendor.equals("google"));
            assertThat(server.requests().getLast().findPath("one").has("maximum"))
                    .isEqualTo(!vendor.equals("anthropic"));
        }
    }

    @Test
    void googleGetsSchemasInTheWordsThatItKnows() throws Exception {
        JsonNode schema =
                json(
                        """
                        {"type":"object","properties":{
                          "root":{"$ref":"#/$defs/node"},
                          "kind":{"enum":["a","b"],"description":"which"},
                          "one":{"const":"x"},
                          "count":{"type":"integer","minimum":1,"default":3},
                          "maybe":{"type":["string","null"]},
                          "either":{"oneOf":[{"type":"number"},{"type":"boolean"}]},
                          "tags":{"type":"array","items":{"type":"string","maxLength":3}},
                          "far":{"$ref":"http://elsewhere/x"},
                          "circle":{"$ref":"#/properties/circle"}},
                         "required":["root","gone"],
                         "$defs":{"node":{"type":"object","properties":{
                            "left":{"$ref":"#/$defs/node"},"right":{"$ref":"#/$defs/node"}}}}}
                        """);
        Prompt prompt =
                new Prompt(
                        "",
                        List.of(new Message.User("x")),
                        List.of(
                                new ToolOffer("plant", "Plants a tree", schema),
                                new ToolOffer("rest", "Rests", json("{\"type\":\"object\"}"))),
                        Optional.empty(),
                        500);
        try (VendorServer server = server("google", Turn.says("ok"))) {
            model("google", server).ask(prompt, PATIENCE, word -> {});
            JsonNode tools = server.requests().getFirst().at("/tools/0/functionDeclarations");
            JsonNode sent = tools.at("/0/parameters/properties");
            assertThat(sent.path("root").at("/properties/left/type").asText()).isEqualTo("OBJECT");
            assertThat(sent.at("/kind/enum").valueStream().map(JsonNode::asText))
                    .containsExactly("a", "b");
            assertThat(sent.at("/kind/description").asText()).isEqualTo("which");
            assertThat(sent.at("/one/enum/0").asText()).isEqualTo("x");
            assertThat(sent.at("/count/type").asText()).isEqualTo("INTEGER");
            assertThat(sent.at("/maybe/anyOf").findValuesAsText("type"))
                    .containsExactly("STRING", "NULL");
            assertThat(sent.at("/either/anyOf").findValuesAsText("type"))
                    .containsExactly("NUMBER", "BOOLEAN");
            assertThat(sent.at("/tags/items/type").asText()).isEqualTo("STRING");
            assertThat(tools.at("/0/parameters/required/0").asText()).isEqualTo("root");
            assertThat(tools.at("/0/parameters/required")).hasSize(1);
            assertThat(tools.at("/1/parameters").isMissingNode()).isTrue();
            assertThat(sent.toString()).doesNotContain("$ref").hasSizeLessThan(1_000_000);
        }
    }
}
