package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalScannerTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{} ",
                " {}",
                "{}\n",
                "{ }",
                "[ ]",
                "{\"a\": 1}",
                "{\"a\" :1}",
                "[1, 2]",
                "{\"b\":1,\"a\":2}",
                "{\"a\":1,\"a\":1}",
                "{\"a\":1,}",
                "[1,]",
                "{,}",
                "{\"a\"}",
                "{a:1}",
                "{'a':1}",
                "[",
                "{",
                "[1",
                "{\"a\":1",
                "\"a",
                "]",
                "}",
                "[}",
                "{]",
                "01",
                "-0",
                "1.0",
                "1.5",
                "1e3",
                "1E3",
                "+1",
                "-",
                "--1",
                ".5",
                "1.",
                "0x10",
                "9007199254740992",
                "-9007199254740992",
                "99999999999999999999999999999999999999",
                "NaN",
                "Infinity",
                "tru",
                "True",
                "nul",
                "nulll",
                "truefalse",
                "1 2",
                "{}{}",
                "\"\\u0041\"",
                "\"\\u000A\"",
                "\"\\u000a\"",
                "\"\\/\"",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u001F\"",
                "\"\\u20ac\"",
                "\"\\ud83d\\ude00\"",
                "\"\\ud83d\"",
                "\"\t\"",
                "\"\n\"",
                "\ufeff{}",
                "// c\n{}",
                "{\"\u00f6\":1,\"z\":2}"
            })
    void refusesWhatIsNotTheOneForm(String text) {
        assertThatThrownBy(() -> CanonicalScanner.read(bytes(text))).isInstanceOf(Malformed.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80",
                "c0af",
                "c1bf",
                "e08080",
                "eda080",
                "edbfbf",
                "f0808080",
                "f4908080",
                "f8888080",
                "c3",
                "e282",
                "f09f98",
                "ff",
                "fe",
                "c328"
            })
    void refusesBytesThatAreNotUtf8(String hex) {
        byte[] text = bytes("\"    \"");
        byte[] odd = HexFormat.of().parseHex(hex);
        System.arraycopy(odd, 0, text, 1, odd.length);

        assertThatThrownBy(() -> CanonicalScanner.read(text)).isInstanceOf(Malformed.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "0",
                "-1",
                "9007199254740991",
                "-9007199254740991",
                "true",
                "false",
                "null",
                "\"\"",
                "\"\\u001f\\b\\f\\n\\r\\t\\\"\\\\/\"",
                "\"\u00e9\u20ac\ud83d\ude00\u007f\"",
                "{\"\":1,\"A\":[{}],\"a\":{\"b\":null}}",
                "{\"\ud83d\ude00\":1,\"\ufb33\":2}"
            })
    void acceptsTheOneForm(String text) {
        assertThat(CanonicalJson.bytes(CanonicalScanner.read(bytes(text)))).isEqualTo(bytes(text));
    }

    @Test
    void nestsThirtyTwoDeepAndNoDeeper() {
        byte[] deepest = bytes("[".repeat(32) + "]".repeat(32));
        byte[] tooDeep = bytes("[".repeat(33) + "]".repeat(33));
        byte[] endless = bytes("[".repeat(1 << 20));

        assertThatCode(() -> CanonicalScanner.read(deepest)).doesNotThrowAnyException();
        assertThatThrownBy(() -> CanonicalScanner.read(tooDeep)).isInstanceOf(Malformed.class);
        assertThatThrownBy(() -> CanonicalScanner.read(endless)).isInstanceOf(Malformed.class);
    }
}
