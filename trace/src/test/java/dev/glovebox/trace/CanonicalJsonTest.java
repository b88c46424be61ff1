package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of RFC 8785. */
class CanonicalJsonTest {

    private static String canonical(String json) throws IOException {
        JsonNode node = new JsonMapper().readTree(json);
        return new String(CanonicalJson.bytes(node), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "8000000000000000, 0",
        "0000000000000001, 5e-324",
        "8000000000000001, -5e-324",
        "7fefffffffffffff, 1.7976931348623157e+308",
        "ffefffffffffffff, -1.7976931348623157e+308",
        "4340000000000000, 9007199254740992",
        "c340000000000000, -9007199254740992",
        "4430000000000000, 295147905179352830000",
        "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23",
        "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000",
        "444b1ae4d6e2ef4f, 999999999999999900000",
        "444b1ae4d6e2ef50, 1e+21",
        "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332",
        "41b3de4355555554, 333333333.33333325",
        "41b3de4355555555, 333333333.3333333",
        "41b3de4355555556, 333333333.3333334",
        "41b3de4355555557, 333333333.33333343",
        "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2",
    })
    void writesTheNumbersOfAppendixB(String bits, String expected) {
        double number = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));
        JsonNode node = JsonNodeFactory.instance.numberNode(number);

        assertThat(new String(CanonicalJson.bytes(node), StandardCharsets.UTF_8))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"7fffffffffffffff", "7ff0000000000000"})
    void refusesWhatIsNotANumber(String bits) {
        double number = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));

        assertThatThrownBy(() -> CanonicalJson.bytes(JsonNodeFactory.instance.numberNode(number)))
                .isInstanceOf(Malformed.class);
    }

    @Test
    void sortsNamesByTheirUtf16CodeUnits() throws IOException {
        assertThat(
                        canonical(
                                """
                                {"\\u20ac": "Euro Sign", "\\r": "Carriage Return",
                                 "\\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
                                 "\\ud83d\\ude00": "Emoji: Grinning Face",
                                 "\\u0080": "Control",
                                 "\\u00f6": "Latin Small Letter O With Diaeresis"}\
                                """))
                .isEqualTo(
                        "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
                                + "\"\u00f6\":\"Latin Small Letter O With Diaeresis\","
                                + "\"\u20ac\":\"Euro Sign\","
                                + "\"\ud83d\ude00\":\"Emoji: Grinning Face\","
                                + "\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}");
    }

    @Test
    void writesTheExampleOfSection3() throws IOException {
        assertThat(
                        canonical(
                                """
                                {"numbers": [333333333.33333329, 1E30, 4.50, 2e-3,
                                             0.000000000000000000000000001],
                                 "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                                 "literals": [null, true, false]}\
                                """))
                .isEqualTo(
                        "{\"literals\":[null,true,false],"
                                + "\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                                + "\"string\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    @Test
    void escapesOnlyWhatItMust() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("a", "\b\f\n\r\t\u0000\u001f\u007f\u2028/");

        assertThat(new String(CanonicalJson.bytes(node), StandardCharsets.UTF_8))
                .isEqualTo("{\"a\":\"\\b\\f\\n\\r\\t\\u0000\\u001f\u007f\u2028/\"}");
    }

    @Test
    void refusesHalfASurrogatePair() {
        JsonNode half = JsonNodeFactory.instance.textNode("\ud83d");

        assertThatThrownBy(() -> CanonicalJson.bytes(half)).isInstanceOf(Malformed.class);
    }
}
