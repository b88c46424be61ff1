package dev.glovebox.agent;

import static dev.glovebox.agent.SecretsTest.assertGone;
import static dev.glovebox.agent.SecretsTest.clean;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is longer than a line. */
class LongSecretsTest {

    private static final String BASE64 = FakeSecrets.LETTERS + "+/";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aws_session_token = %s",
                "\"SessionToken\": \"%s\"",
                "{\"refresh_token\": \"%s\"}",
                "{\\\"refresh_token\\\": \\\"%s\\\"}",
                "secret=%s",
                "password=%s",
                "password=\"%s\"",
                "{\"password\": \"%s\", \"user\": \"anna\"}",
                "mysql --password %s",
                "Authorization: %s"
            })
    void aLongValueIsReplacedToItsEndIfItsNameSaysThatItIsSecret(String template) {
        for (int length : new int[] {255, 256, 257, 258, 600, 5000, 40_000}) {
            String value = new FakeSecrets(length).any(BASE64, length);
            String clean = clean(template.formatted(value) + "\nnext");
            assertThat(clean).as("length %s", length).contains(" #1]").endsWith("\nnext");
            assertThat(clean).hasSizeLessThan(template.length() + 40);
        }
    }

    @Test
    void aDotWhereALongValueIsNoLongerJudgedDoesNotEndIt() {
        FakeSecrets fake = new FakeSecrets(5);
        String value = fake.any(BASE64, 255) + "." + fake.any(BASE64, 300);
        assertThat(clean("token=" + value + " next")).isEqualTo("token=[secret: key #1] next");
        String sentence = "token=" + value.substring(0, 256) + " Then";
        assertThat(clean(sentence)).isEqualTo("token=[secret: key #1]. Then");
    }

    @Test
    void whatFollowsALongValueIsLetAlone() {
        String value = new FakeSecrets(1).any(BASE64, 600);
        assertThat(clean("{\"token\": \"" + value + "\", \"n\": 1}"))
                .isEqualTo("{\"token\": \"[secret: key #1]\", \"n\": 1}");
        assertThat(clean("a?token=" + value + "&n=1")).isEqualTo("a?token=[secret: key #1]&n=1");
    }

    @Test
    void aLongTextBehindAQuoteIsNotTakenForAPassword() {
        String code = "(a1,b2);".repeat(100);
        assertThat(clean("x='password='+" + code + "'y'")).contains(code);
    }

    private static String token(String header, FakeSecrets fake, int signature) {
        String claims =
                "{\"iss\":\"https://issuer.example.com/\",\"sub\":\""
                        + fake.any(FakeSecrets.LETTERS, 20)
                        + "\",\"aud\":\"api://default\",\"exp\":1999999999,\"scope\":\"read write\"}";
        return encoded(header)
                + "."
                + encoded(claims)
                + "."
                + fake.any(FakeSecrets.LETTERS + "-_", signature);
    }

    private static String encoded(String json) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource({"64, 342", "76, 342", "80, 43", "100, 86", "119, 342"})
    void aJwtInLinesIsReplacedAlsoIfItsHeaderFillsTheFirst(int width, int signature) {
        for (int seed = 0; seed < 40; seed++) {
            FakeSecrets fake = new FakeSecrets(seed);
            String key = fake.any(FakeSecrets.LETTERS, 43);
            String header = "{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"" + key + "\"}";
            String token = token(header, fake, signature);
            String lines = token.replaceAll("(.{" + width + "})", "$1\n  ");
            String clean = clean("token:\n  " + lines + "\nand then text");
            assertThat(clean).endsWith("\nand then text").contains("[secret: jwt #1]");
            assertGone(token, clean.replaceAll("\\s", ""));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n\t", "\n              ", "\n\n    ", "\r\n\r\n"})
    void aJwtInLinesIsReplacedHoweverTheyAreSetApart(String line) {
        FakeSecrets fake = new FakeSecrets(1);
        String token = token("{\"alg\":\"RS256\",\"typ\":\"JWT\"}", fake, 342);
        String lines = token.replaceAll("(.{64})", "$1" + line);
        assertThat(clean("token: " + lines + "\nand then text"))
                .isEqualTo("token: [secret: jwt #1]\nand then text");
    }

    @Test
    void linesOfEncodedJsonAreNoJwt() {
        String json = encoded("{\"name\":\"a parcel\",\"parts\":[1,2,3,4,5,6,7,8,9,10,11,12,13]}");
        String lines = json.substring(0, 60) + "\n" + json.substring(60);
        assertThat(clean(lines + "\ncom.example.v1.Parcel2\n"))
                .isEqualTo(lines + "\ncom.example.v1.Parcel2\n");
    }
}
