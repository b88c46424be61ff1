package dev.glovebox.agent;

import static dev.glovebox.agent.SecretsTest.assertGone;
import static dev.glovebox.agent.SecretsTest.clean;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found in base64, and what is let alone. */
class EncodedSecretsTest {

    private static final String PLACEHOLDER = "[secret: encoded secret #1]";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(bytes(text));
    }

    private static String githubToken(int seed) {
        return "gh" + "p_" + new FakeSecrets(seed).any(FakeSecrets.LETTERS, 36);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "    client-key-data: %s",
                "  tls.key: %s",
                "echo %s | base64 -d",
                "{\"data\": {\"key.pem\": \"%s\"}}",
                "data:application/x-pem-file;base64,%s"
            })
    void aPrivateKeyIsFound(String template) {
        for (String label : new String[] {"PRIVATE KEY", "RSA PRIVATE KEY"}) {
            String key = encoded(new FakeSecrets(7).privateKey(label) + "\n");
            assertThat(clean(template.formatted(key))).isEqualTo(template.formatted(PLACEHOLDER));
            String cut = key.substring(0, 501);
            assertThat(clean(template.formatted(cut))).isEqualTo(template.formatted(PLACEHOLDER));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token: %s and then more text, so that it is longer than it was, and more still.",
                "%s",
                "# Schl\u00fcssel f\u00fcr alle\nGITHUB=%s\n# Gr\u00fc\u00dfe\n",
                "https://anna:%s@example.com/repo.git",
                "Authorization: Bearer %s"
            })
    void aTokenInATextIsFoundInBothAlphabets(String template) {
        for (int seed = 0; seed < 20; seed++) {
            byte[] text = bytes(template.formatted(githubToken(seed)));
            String plain = Base64.getEncoder().encodeToString(text);
            assertThat(clean("echo " + plain)).isEqualTo("echo " + PLACEHOLDER);
            String url = Base64.getUrlEncoder().withoutPadding().encodeToString(text);
            assertThat(clean("echo " + url)).isEqualTo("echo " + PLACEHOLDER);
        }
    }

    @Test
    void aPasswordInATextIsFound() {
        String text = "user=anna\npassword=" + new FakeSecrets(2).password() + "\nhost=db\n";
        assertThat(clean("x " + encoded(text) + " y")).isEqualTo("x " + PLACEHOLDER + " y");
    }

    @Test
    void whatIsEncodedTwiceIsFound() {
        String auth = encoded("anna:" + githubToken(3));
        String registry = "https://index.docker.io/v1/";
        String json = "{\"auths\":{\"" + registry + "\":{\"auth\":\"" + auth + "\"}}}";
        assertThat(clean(".dockerconfigjson: " + encoded(json)))
                .isEqualTo(".dockerconfigjson: " + PLACEHOLDER);
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 76})
    void linesAreReadAsOne(int width) {
        String key = new FakeSecrets(8).privateKey("PRIVATE KEY");
        for (String line : new String[] {"\n", "\r\n", "\n    "}) {
            String lines =
                    Base64.getMimeEncoder(width, bytes(line)).encodeToString(bytes(key + "\n"));
            String clean = clean("key:" + line + lines + "\n\nand then text");
            assertThat(clean).isEqualTo("key:" + line + PLACEHOLDER + "\n\nand then text");
        }
        String text = "Dear Anna,\nhere is what you asked for: " + githubToken(4) + "\nYours, Bob";
        String lines = Base64.getMimeEncoder(width, bytes("\n")).encodeToString(bytes(text));
        assertGone(lines, clean(lines));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n\t",
                "\n\t\t",
                "\n              ",
                "\n\n",
                "\r\n\r\n  ",
                "\n \n  ",
                " \n",
                "\n> ",
                "\n>> ",
                "\r\n# ",
                "\n  | "
            })
    void linesAreReadAsOneHoweverTheyAreSetApart(String line) {
        for (int seed = 0; seed < 20; seed++) {
            String text = "Dear Anna,\nhere is what you asked me for:\n" + githubToken(seed) + "\n";
            String lines = encoded(text).replaceAll("(.{64})", "$1" + line);
            assertThat(clean("key: " + lines + "\nnext"))
                    .isEqualTo("key: " + PLACEHOLDER + "\nnext");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Secret/", "key-", "a_b_", "/v1/keys/", "opaque-1/", "of_the_-/x/"})
    void aWordThatIsGluedToItHidesNothing(String word) {
        for (int seed = 0; seed < 20; seed++) {
            String text = encoded("Dear Anna, the token is " + githubToken(seed) + ". Yours, Bob");
            assertThat(clean("see " + word + text)).contains(PLACEHOLDER).startsWith("see ");
            assertGone(text, clean("see " + word + text));
        }
        String lines =
                Base64.getMimeEncoder(76, bytes("\n"))
                        .encodeToString(bytes(new FakeSecrets(11).privateKey("PRIVATE KEY")));
        assertGone(lines, clean(word + lines));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\n\n", "\r\n\r\n"})
    void aRulerBeforeThemIsNoneOfTheLines(String line) {
        String key = new FakeSecrets(12).privateKey("PRIVATE KEY");
        String lines = Base64.getMimeEncoder(76, bytes("\n")).encodeToString(bytes(key));
        for (String ruler : new String[] {"-".repeat(79), "_".repeat(81)}) {
            assertThat(clean(ruler + line + lines)).isEqualTo(ruler + line + PLACEHOLDER);
        }
    }

    @Test
    void aLineThatFollowsOtherDataIsReadByItself() {
        String data = new FakeSecrets(9).any(FakeSecrets.LETTERS + "+/", 64);
        String secret = encoded("password: " + new FakeSecrets(9).password());
        assertThat(clean(data + "\n" + secret)).endsWith("\n" + PLACEHOLDER);
    }

    @Test
    void textsAndCertificatesWithoutSecretsAreLetAlone() {
        String text = "Dear Anna, the password is required, the token is optional. ".repeat(9);
        String certificate =
                new FakeSecrets(10).privateKey("RSA").replace("RSA", "CERTIFICATE") + "\n";
        for (String plain : new String[] {text, certificate}) {
            String one = encoded(plain);
            assertThat(clean("certificate-data: " + one)).isEqualTo("certificate-data: " + one);
            String lines = Base64.getMimeEncoder(76, bytes("\n")).encodeToString(bytes(plain));
            assertThat(clean(lines)).isEqualTo(lines);
        }
    }
}
