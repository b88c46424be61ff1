package dev.glovebox.agent;

import static dev.glovebox.agent.SecretsTest.clean;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
}
