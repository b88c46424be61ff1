package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a plain schema takes, the library takes as well. */
class PlainSchemaTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    private static final SchemaRegistry LIBRARY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private static final List<String> PLAIN =
            List.of(
                    "{'type':'string'}",
                    "{'type':'integer','description':'how many','default':3}",
                    "{'type':'integer','minimum':-1,'maximum':1}",
                    "{'type':'integer','minimum':-9223372036854775808,"
                            + "'maximum':9223372036854775807}",
                    "{'type':'number'}",
                    "{'type':'boolean'}",
                    "{'type':'string','enum':['a','b']}",
                    "{'type':'array','items':{'type':'integer'}}",
                    "{'type':'object'}",
                    "{'type':'object','properties':{'a':{'type':'integer'}},'required':['a']}",
                    "{'type':'object','properties':{'a':{'type':'array','items':{'type':'object',"
                            + "'properties':{'b':{'type':'string'}},'required':['b']}}},"
                            + "'additionalProperties':false}",
                    "{'type':'object','properties':{},'required':['missing']}");

    private static final List<String> VALUES =
            List.of(
                    "null",
                    "true",
                    "0",
                    "-1",
                    "2",
                    "-9223372036854775808",
                    "9223372036854775808",
                    "1.0",
                    "1.5",
                    "1e3",
                    "123456789012345678901234567890",
                    "''",
                    "'a'",
                    "'c'",
                    "[]",
                    "[1]",
                    "[1,'a']",
                    "[null]",
                    "{}",
                    "{'a':1}",
                    "{'a':1.0}",
                    "{'a':null}",
                    "{'a':1,'z':2}",
                    "{'a':[]}",
                    "{'a':[{'b':'x'}]}",
                    "{'a':[{'b':1}]}",
                    "{'a':[{}]}",
                    "{'missing':1}");

    private static JsonNode json(String text) throws JsonProcessingException {
        return MAPPER.readTree(text.replace('\'', '"'));
    }

    @Test
    void whateverItTakesTheLibraryTakes() throws JsonProcessingException {
        int taken = 0;
        for (String schema : PLAIN) {
            PlainSchema plain = PlainSchema.of(json(schema)).orElseThrow();
            for (String value : VALUES) {
                if (plain.fits(json(value))) {
                    taken++;
                    assertThat(LIBRARY.getSchema(json(schema)).validate(json(value)))
                            .as(schema + " " + value)
                            .isEmpty();
                }
            }
        }
        assertThat(taken).isGreaterThan(20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "true",
                "{}",
                "{'type':['string','null']}",
                "{'type':'string','pattern':'a+'}",
                "{'type':'integer','minimum':1}",
                "{'type':'integer','minimum':1,'maximum':2.5}",
                "{'type':'integer','minimum':1,'maximum':9223372036854775808}",
                "{'type':'integer','minimum':1,'maximum':3,'multipleOf':2}",
                "{'type':'array'}",
                "{'type':'array','items':{'type':'string'},'uniqueItems':true}",
                "{'type':'object','properties':{'a':{'$ref':'#/$defs/a'}}}",
                "{'type':'object','$ref':'#/$defs/a'}",
                "{'type':'object','additionalProperties':{'type':'string'}}",
                "{'type':'object','required':[1]}",
                "{'type':'string','enum':['a',1]}",
                "{'$schema':'http://json-schema.org/draft-04/schema#','type':'object'}",
            })
    void whatSaysMoreIsLeftToTheLibrary(String schema) throws JsonProcessingException {
        assertThat(PlainSchema.of(json(schema))).isEmpty();
    }
}
