package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SchemaDefaultsTest {

    private static final String TREE =
            """
            {"type":"object","required":["name"],
             "properties":{
               "name":{"type":"string"},
               "count":{"type":"integer","default":1},
               "note":{"type":["string","null"]},
               "any":{"description":"Whatever it is"},
               "first":{"$ref":"#/$defs/leaf"},
               "all":{"type":"array","items":{"$ref":"#/$defs/leaf"}},
               "inner":{"$ref":"#"}},
             "$defs":{"leaf":{"type":"object","properties":{
               "size":{"type":"integer","default":7},"next":{"$ref":"#/$defs/leaf"}}}}}
            """;

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            textBlock =
                    """
                    {"name":"a"}                        | {"name":"a","count":1}
                    {"name":"a","count":2}              | {"name":"a","count":2}
                    {"name":"a","count":null}           | {"name":"a","count":1}
                    {"name":null,"count":2}             | {"name":null,"count":2}
                    {"note":null,"any":null,"count":2}  | {"note":null,"any":null,"count":2}
                    {"first":{},"count":2}              | {"first":{"size":7},"count":2}
                    {"all":[{},{"size":1},3],"count":2} | {"all":[{"size":7},{"size":1},3],"count":2}
                    {"first":{"next":{}},"count":2}     | {"first":{"next":{"size":7},"size":7},"count":2}
                    {"first":"no object","count":2}     | {"first":"no object","count":2}
                    {"other":null,"count":2}            | {"other":null,"count":2}
                    """)
    void whatIsNotThereIsFilledIn(String given, String filled) throws Exception {
        assertThat(filled(TREE, given)).isEqualTo(new JsonMapper().readTree(filled));
    }

    private static final String OF_PYTHON =
            """
            {"type":"object","required":["needed"],
             "properties":{
               "limit":{"type":"integer","default":null},
               "needed":{"type":"integer","default":null},
               "maybe":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null},
               "mode":{"$ref":"#/$defs/mode","default":"force"},
               "other":{"$ref":"#/$defs/mode"}},
             "$defs":{"mode":{"type":"string","default":"safe"}}}
            """;

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            textBlock =
                    """
                    {"needed":1}                     | {"needed":1,"maybe":null,"mode":"force","other":"safe"}
                    {"needed":1,"limit":null}        | {"needed":1,"maybe":null,"mode":"force","other":"safe"}
                    {"limit":2,"mode":"x"}           | {"limit":2,"mode":"x","maybe":null,"other":"safe"}
                    {"mode":null}                    | {"maybe":null,"mode":"force","other":"safe"}
                    """)
    void nullIsNoDefaultWhereItMayNotBeAndOneBesideAReferenceComesFirst(String given, String filled)
            throws Exception {
        assertThat(filled(OF_PYTHON, given)).isEqualTo(new JsonMapper().readTree(filled));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'anyOf':[{'type':'integer'},{'type':'string'}],'default':null}",
                "{'oneOf':[{'type':'integer'},{'$ref':'#/$defs/word'}],'default':null}",
                "{'anyOf':[{'const':'a'},{'enum':['b','c']}],'default':null}",
                "{'enum':['a','b'],'default':null}",
                "{'$ref':'#/$defs/word','default':null}"
            })
    void nullIsNothingWhereNoneOfSeveralAllowsIt(String member) throws Exception {
        JsonMapper mapper = new JsonMapper();
        String schema =
                "{'properties':{'x':%s},'$defs':{'word':{'enum':['a','b']}}}".formatted(member);
        FilledSchema filled = FilledSchema.of(mapper.readTree(schema.replace('\'', '"')));
        for (String given : new String[] {"{}", "{\"x\":null}"}) {
            ObjectNode arguments = (ObjectNode) mapper.readTree(given);
            assertThat(filled.fill(arguments).first()).as(given).isEmpty();
            assertThat(arguments).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'anyOf':[{'type':'integer'},{'type':'null'}]}",
                "{'anyOf':[{'type':'integer'},{'const':null}]}",
                "{'enum':['a',null]}",
                "{'anyOf':[{'type':'integer'},{}]}",
                "{}"
            })
    void nullStaysWhereItIsAllowed(String member) throws Exception {
        assertThat(
                        filled(
                                        "{'properties':{'x':%s}}"
                                                .formatted(member)
                                                .replace('\'', '"'),
                                        "{\"x\":null}")
                                .toString())
                .isEqualTo("{\"x\":null}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"limit\":null}", "{\"limit\":3}"})
    void whatIsNullByDefaultNeedNotBeThere(String given) throws Exception {
        JsonMapper mapper = new JsonMapper();
        JsonNode schema =
                mapper.readTree(
                        "{\"properties\":{\"limit\":{\"type\":\"integer\",\"default\":null}}}");
        assertThat(FilledSchema.of(schema).fill(mapper.readTree(given)).first()).isEmpty();
    }

    private static final String CHOICES =
            """
            {"type":"object","required":["shape"],
             "properties":{
               "shape":{"$ref":"#/$defs/shape"},
               "all":{"type":"array","items":{"$ref":"#/$defs/shape"}},
               "named":{"type":"object","required":["main"],
                 "properties":{"main":{"type":"object","properties":{
                   "deep":{"type":"boolean","default":true}}}},
                 "additionalProperties":{"$ref":"#/$defs/shape"}},
               "doubtful":{"oneOf":[
                 {"type":"object","properties":{"type":{"const":"A"},
                   "w":{"type":"integer","default":1}}},
                 {"type":"object","properties":{"type":{"const":"A"},"v":{"type":"integer"}}}]}},
             "$defs":{"shape":{"oneOf":[
               {"type":"object","properties":{"type":{"const":"Box"},
                 "w":{"type":"integer","default":7},"in":{"$ref":"#/$defs/shape"}}},
               {"type":"object","properties":{"type":{"const":"Dot"},
                 "safe":{"type":"boolean","default":true}}}]}}}
            """;

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            textBlock =
                    """
                    {"shape":{"type":"Box"}}            | {"shape":{"type":"Box","w":7}}
                    {"shape":{"type":"Dot"}}            | {"shape":{"type":"Dot","safe":true}}
                    {"shape":{"type":"Dot","w":null}}   | {"shape":{"type":"Dot","w":null,"safe":true}}
                    {"shape":{"type":"Box","in":null}}  | {"shape":{"type":"Box","w":7}}
                    {"shape":{"type":"Box","w":1,"in":{"type":"Box"}}} | {"shape":{"type":"Box","w":1,"in":{"type":"Box","w":7}}}
                    {"all":[{"type":"Dot"},{"type":"Box","w":1},3]} | {"all":[{"type":"Dot","safe":true},{"type":"Box","w":1},3]}
                    {"named":{"x":{"type":"Box"}}}      | {"named":{"x":{"type":"Box","w":7}}}
                    {"named":{"main":{"type":"Box"}}}   | {"named":{"main":{"type":"Box","deep":true}}}
                    {"shape":{"type":"Circle"}}         | {"shape":{"type":"Circle"}}
                    {"shape":{"w":1}}                   | {"shape":{"w":1}}
                    {"shape":{"type":["Box"]}}          | {"shape":{"type":["Box"]}}
                    {"shape":[{"type":"Box"}]}          | {"shape":[{"type":"Box"}]}
                    {"shape":null,"all":null}           | {"shape":null}
                    {"doubtful":{"type":"A"}}           | {"doubtful":{"type":"A"}}
                    """)
    void whatIsNotThereIsFilledInAsTheAlternativeThatItIsSays(String given, String filled)
            throws Exception {
        assertThat(filled(CHOICES, given)).isEqualTo(new JsonMapper().readTree(filled));
    }

    @Test
    void aSchemaThatChoosesAmongItselfAgainAndAgainIsFilledInOnce() throws Exception {
        String hostile =
                """
                {"type":"object","properties":{"x":{"$ref":"#/$defs/x"}},"$defs":{
                  "x":{"properties":{"x":{"$ref":"#/$defs/x"},"type":{"const":"A"}},
                       "additionalProperties":{"$ref":"#/$defs/x"},
                       "oneOf":[{"$ref":"#/$defs/x"},{"$ref":"#"},{"$ref":"#/$defs/y"}]},
                  "y":{"properties":{"x":{"$ref":"#/$defs/x"},"type":{"const":"B"},
                                     "z":{"default":1}},
                       "oneOf":[{"$ref":"#/$defs/x"}]}}}
                """;
        String deep = "{\"type\":\"A\",\"x\":".repeat(60) + "{}" + "}".repeat(60);
        assertThat(filled(hostile, deep).toString()).isEqualTo(deep);
    }

    @Test
    void aSchemaThatRefersToItselfWithoutEndDoesNotHang() throws Exception {
        String round = "{\"$ref\":\"#/a\",\"a\":{\"$ref\":\"#/b\"},\"b\":{\"$ref\":\"#/a\"}}";
        assertThat(filled(round, "{\"x\":null}").toString()).isEqualTo("{\"x\":null}");
        String endless =
                """
                {"type":"object","properties":{"more":{"type":"object","default":{},
                  "properties":{"more":{"$ref":"#/properties/more"}}}}}
                """;
        int depth = 0;
        for (var at = filled(endless, "{}").path("more"); at.isObject(); at = at.path("more")) {
            depth++;
        }
        assertThat(depth).isBetween(1, 64);
    }

    @Test
    void aDefaultIsNotSharedByTheCallsThatGetIt() throws Exception {
        SchemaDefaults defaults =
                SchemaDefaults.of(
                        new JsonMapper()
                                .readTree(
                                        "{\"properties\":{\"list\":{\"type\":\"array\",\"default\":[1]}}}"));
        ObjectNode one = new JsonMapper().createObjectNode();
        ObjectNode two = new JsonMapper().createObjectNode();
        assertThat(defaults.fill(one)).isEmpty();
        one.withArray("list").add(2);
        assertThat(defaults.fill(two)).isEmpty();
        assertThat(two.toString()).isEqualTo("{\"list\":[1]}");
    }

    private static ObjectNode filled(String schema, String given) throws Exception {
        JsonMapper mapper = new JsonMapper();
        ObjectNode arguments = (ObjectNode) mapper.readTree(given);
        assertThat(SchemaDefaults.of(mapper.readTree(schema)).fill(arguments)).isEmpty();
        return arguments;
    }
}
