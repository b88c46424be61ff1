package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.DecimalNode;
import dev.glovebox.agent.JsonText.Read;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonTextTest {

    private static final ObjectReader JACKSON =
            JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build()
                    .reader();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                " \n\"text\" ",
                "-0",
                "1.55e1",
                "-0.25",
                "1e-9",
                "2147483648",
                "9223372036854775808",
                "{\"a\":{\"b\":[1,[2,{\"c\":null}],true,false,\"\\u00e9\\ud83d\\ude00\"]},\"\":0}"
            })
    void readsJson(String text) throws JsonProcessingException {
        assertThat(JsonText.read(text)).isEqualTo(new Read.Tree(JACKSON.readTree(text)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[",
                "[1,",
                "[1,]",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "]",
                "}",
                "\"",
                "tru",
                "01",
                "1.",
                "NaN",
                "{} {}",
                "1 2",
                "[1] x",
                "//",
                "'a'",
                "\u0000",
                "{\"a\":1,\"a\":1}",
                "[{\"x\":{\"a\":1,\"b\":2,\"a\":3}}]"
            })
    void tellsWhatIsNone(String text) {
        assertThat(JsonText.read(text)).isInstanceOf(Read.Wrong.class);
    }

    @Test
    void namesTheFieldThatComesTwice() {
        assertThat(JsonText.read("{\"path\":\"a\",\"path\":\"b\"}").toString())
                .contains("The field path comes twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n"})
    void nothingIsNoJson(String text) {
        assertThat(JsonText.read(text)).isInstanceOf(Read.Wrong.class);
    }

    @Test
    void isBounded() {
        for (String text :
                List.of(
                        "[".repeat(65) + "]".repeat(65),
                        "{\"a\":".repeat(65) + "1" + "}".repeat(65),
                        "[".repeat(1_000_000),
                        "9".repeat(101),
                        "[" + "0,".repeat(50_000) + "0]",
                        "\"" + "x".repeat(1 << 20) + "\"")) {
            assertThat(JsonText.read(text)).isInstanceOf(Read.Wrong.class);
        }
        assertThat(JsonText.read("[".repeat(64) + "]".repeat(64))).isInstanceOf(Read.Tree.class);
    }

    @Test
    void aNumberThatIsTooLargeIsToldWithItsPlace() {
        assertThat(JsonText.read("{\"a\":[0,1e999]}"))
                .isEqualTo(
                        new Read.Wrong(
                                new JsonProblem(
                                        "/a/1", "a number below 1.8e308", "one that is larger")));
    }

    @ParameterizedTest
    @CsvSource({
        "5e7,50000000",
        "50000000.0,50000000",
        "5000000.0e1,50000000",
        "0.5E8,50000000",
        "-1.5e3,-1500",
        "3e9,3000000000",
        "1e23,100000000000000000000000",
        "9007199254740993.0,9007199254740993",
        "-0.0,0",
        "0e999999999999,0",
        "1e-999999999999,0"
    })
    void aWholeNumberIsOneHoweverItIsWritten(String written, String digits) throws Exception {
        assertThat(JsonText.read("{\"a\":[" + written + "]}"))
                .isEqualTo(new Read.Tree(JACKSON.readTree("{\"a\":[" + digits + "]}")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "12345678901234567.89",
                "9007199254740993.5",
                "49999999.9999999999999999999999",
                "-50000000.0000000000000000000001",
                "0.10000000000000000000000000001",
                "1.00000000000000000000001e-300"
            })
    void aNumberThatNoDoubleHoldsKeepsAllItsDigits(String written) {
        assertThat(JsonText.read(written))
                .isEqualTo(new Read.Tree(DecimalNode.valueOf(new BigDecimal(written))));
    }

    @Property
    void noNumberIsReadAsAnotherOneHoweverItIsWritten(
            @ForAll("numbers") BigDecimal number, @ForAll @IntRange(max = 20) int zeros) {
        for (String written :
                List.of(
                        number.toString(),
                        number.toPlainString(),
                        number.setScale(number.scale() + zeros).toString())) {
            assertThat(JsonText.read(written)).isInstanceOf(Read.Tree.class);
            JsonNode read = ((Read.Tree) JsonText.read(written)).tree();
            assertThat(read.decimalValue()).isEqualByComparingTo(number);
            assertThat(read.isIntegralNumber()).isEqualTo(number.stripTrailingZeros().scale() <= 0);
            assertThat(new BigDecimal(PlainNumbers.json(read))).isEqualByComparingTo(number);
        }
    }

    @Provide
    Arbitrary<BigDecimal> numbers() {
        return Combinators.combine(
                        Arbitraries.bigIntegers(), Arbitraries.integers().between(-20, 40))
                .as(BigDecimal::new);
    }

    @Property
    void readsAndRefusesWhatJacksonReadsAndRefuses(@ForAll("texts") String text) {
        JsonNode jackson = byJackson(text);
        if (JsonText.read(text) instanceof Read.Tree(JsonNode tree)) {
            assertThat(jackson != null && tree.equals(BY_VALUE, jackson))
                    .as(tree + " " + jackson)
                    .isTrue();
        } else {
            assertThat(jackson).isNull();
        }
    }

    /** Jackson keeps the way in which a number was written. */
    private static final Comparator<JsonNode> BY_VALUE =
            (one, two) ->
                    one.isNumber() && two.isNumber()
                            ? one.decimalValue().compareTo(two.decimalValue())
                            : one.equals(two) ? 0 : 1;

    private static @Nullable JsonNode byJackson(String text) {
        try {
            JsonNode tree = JACKSON.readTree(text);
            return tree.isMissingNode() ? null : tree;
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(
                        "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\"", "\"\\n\"", "1", "-2.5",
                        "1e3", "true", "null", " ", "x")
                .list()
                .ofMaxSize(14)
                .map(parts -> String.join("", parts));
    }
}
