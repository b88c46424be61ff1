package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.run.Failure;
import io.modelcontextprotocol.spec.McpSchema;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.UniqueElements;

/** Whatever a server calls its tools and says of them. */
class McpOffersProperties {

    private static McpSchema.Tool tool(String name, String description) {
        Map<String, Object> schema =
                Map.of("properties", Map.of("a", Map.of("description", description)));
        return new McpSchema.Tool(name, null, description, schema, null, null, null, null);
    }

    @Property
    void namesAreFitForVendorsAndDifferFromEachOther(
            @ForAll @UniqueElements @Size(max = 30) List<String> names) {
        McpOffers offers = new McpOffers("server", "p-");
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            try {
                String given = offers.offer(tool(name, "")).name();
                assertThat(given).matches("[a-zA-Z0-9_-]{1,64}").startsWith("p-");
                assertThat(seen.add(given)).isTrue();
            } catch (Failure e) {
                assertThat(name).isBlank();
            }
        }
    }

    @Property
    void nothingInADescriptionIsHidden(@ForAll String description) {
        ToolOffer offer = new McpOffers("server", "").offer(tool("a", description));
        JsonNode inner = offer.parameters().at("/properties/a/description");
        for (String text : List.of(offer.description(), inner.asText())) {
            assertThat(text.codePoints())
                    .noneMatch(point -> Character.isISOControl(point) && point != 10 && point != 9)
                    .noneMatch(point -> Character.getType(point) == Character.FORMAT)
                    .noneMatch(point -> Character.getType(point) == Character.SURROGATE);
        }
    }
}
