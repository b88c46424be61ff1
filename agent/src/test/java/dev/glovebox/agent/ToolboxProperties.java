package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.P;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever a model writes as arguments. */
class ToolboxProperties {

    private static final JsonMapper JSON = new JsonMapper();

    record Inner(String a, Optional<Integer> b) {}

    record Outer(String a, @P(value = "", defaultValue = "7") int b, List<Inner> c) {}

    private static final Tool TOOL = Tools.of("t", "", Outer.class, outer -> outer);
    private static final Toolbox TOOLBOX = Toolbox.of(List.of(TOOL));

    @Provide
    Arbitrary<JsonNode> trees() {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        Arbitrary<JsonNode> leaves =
                Arbitraries.oneOf(
                        Arbitraries.strings().ofMaxLength(5).map(nodes::textNode),
                        Arbitraries.integers().map(nodes::numberNode),
                        Arbitraries.bigIntegers().map(nodes::numberNode),
                        Arbitraries.doubles().map(nodes::numberNode),
                        Arbitraries.of(true, false).map(nodes::booleanNode),
                        Arbitraries.just(nodes.nullNode()));
        Arbitrary<String> names = Arbitraries.of("a", "b", "c", "d", "", "/", "~");
        Arbitrary<JsonNode> inner = objects(names, leaves);
        Arbitrary<JsonNode> lists =
                Arbitraries.oneOf(leaves, inner)
                        .list()
                        .ofMaxSize(3)
                        .map(items -> {
                            var array = nodes.arrayNode();
                            items.forEach(array::add);
                            return array;
                        });
        return objects(names, Arbitraries.oneOf(leaves, lists, inner));
    }

    private static Arbitrary<JsonNode> objects(
            Arbitrary<String> names, Arbitrary<JsonNode> values) {
        return Arbitraries.maps(names, values)
                .ofMaxSize(4)
                .map(members -> {
                    ObjectNode object = JsonNodeFactory.instance.objectNode();
                    members.forEach(object::set);
                    return object;
                });
    }

    @Property
    void whateverFitsFollowsTheSchemaAndCanBeCalled(@ForAll("trees") JsonNode arguments)
            throws Exception {
        check(arguments.toString());
    }

    @Property
    void halfJsonNeverBreaksIt(@ForAll("trees") JsonNode arguments, @ForAll int cut)
            throws Exception {
        String text = arguments.toString();
        check(text.substring(0, Math.floorMod(cut, text.length() + 1)));
    }

    @Property
    void anyTextNeverBreaksIt(@ForAll String text) throws Exception {
        check(text);
    }

    private static void check(String text) throws Exception {
        switch (TOOLBOX.check(new ToolCall("1", "t", text))) {
            case ToolCheck.Fit fit -> {
                assertThat(new SchemaCheck(TOOL.offer().parameters()).problems(fit.arguments()))
                        .isEqualTo(JsonProblems.NONE);
                assertThat(fit.arguments().path("a").isTextual()).isTrue();
                assertThat(fit.arguments().path("b").isIntegralNumber()).isTrue();
                assertThat(fit.arguments().path("c").isArray()).isTrue();
            }
            case ToolCheck.Unfit unfit -> {
                JsonNode error = JSON.readTree(unfit.error().text());
                assertThat(error.path("problems").size()).isBetween(1, 10);
            }
        }
    }
}
