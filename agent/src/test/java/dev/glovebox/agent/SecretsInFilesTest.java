package dev.glovebox.agent;

import static dev.glovebox.agent.SecretsTest.clean;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found as the files of tools have it, and what is let alone there. */
class SecretsInFilesTest {

    private static final String PAIR =
            Base64.getEncoder().encodeToString("anna:swordfish".getBytes(StandardCharsets.UTF_8));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DB_PASS=<swordfish>",
                "export SMTP_PASS=\"<correct horse battery>\"",
                "MYAPP_REDIS_PASS=<Sesame!>\nPORT=1",
                "DB_PASS: <hunter22>",
                "# db\nDB_PASS=<swordfish>\n",
                "A=1\r\nDB_PASS=<swordfish>\r\n",
                "db_pass = \"<swordfish>\"",
                "{\"dbPass\": \"<hunter22>\", \"port\": 1}",
                "{\\\"userPass\\\":\\\"<hunter22>\\\"}",
                "mail.auth-pass=<swordfish>",
                "psql --db-pass=<swordfish>",
                "SSHPASS=<hunter22> ssh host",
                "myDbPass=<swordfish>",
                "MYSQL_PASS=<swordfish>",
                "postgresql_pass=<swordfish>",
                "EMAIL_PASS=<swordfish>",
                "dbuser_pass=<swordfish>",
                "proxy_pass=<hunter22>",
                "db_pass=\"<//hunter22>\"",
                "proxy_pass: http://anna:<hunter22>@backend:8080/",
            })
    void aNameThatSaysWhosePassItIsIsThatOfAPassword(String template) {
        assertFound(template, "password");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DB_PASSWORD=«p@ss;w0rd&x»\nPORT=1",
                "A=1\r\nDB_PASSWORD=«Xk9(2mPq!7»\r\n",
                "export PGPASSWORD=«Xk9,mPq{7a» psql",
                "ENV DB_PASS=«ab[c|d}9Kq»",
                "> DB_PASSWORD=«a&9(Kq7»\n> PORT=1",
                "{\"out\":\"PORT=1\\nDB_PASSWORD=«p(7;w»\\n\"}",
                "DB_PASSWORD=«swordfish»; export DB_PASSWORD",
            })
    void allOfALineOfAnEnvironmentIsItsPassword(String template) {
        String expected = template.replaceAll("«.*»", "[secret: password #1]");
        assertThat(clean(template.replaceAll("[«»]", ""))).isEqualTo(expected);
        assertThat(clean(expected)).as("once is enough").isEqualTo(expected);
    }

    @Test
    void ofALongLineOfAnEnvironmentNothingIsLeft() {
        for (String begin : List.of("DB_PASSWORD=", "export DB_PASS=", "> ADMIN_PASSWORD=")) {
            String rest = new FakeSecrets(1).any(FakeSecrets.LETTERS + ",;(&|é", 450);
            for (String end : List.of("", "\nPORT=1", " psql", "\"", "<x>")) {
                assertThat(clean(begin + "abc," + rest + "a" + end))
                        .isEqualTo(begin + "[secret: password #1]" + end);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//registry.example.com/:_authToken=<swordfish-token>",
                "//registry.example.com/:_authToken=<3f8a9c1e-77aa-4b21-9d10-aa12ef56bc90>",
            })
    void aTokenOfNpmIsFoundWhateverItIs(String template) {
        assertFound(template, "key");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "_auth=<%s>",
                "//registry.example.com/:_auth = \"<%s>\"\nemail=anna@example.com",
                "npm_config__auth=<%s> npm publish",
                "{\"auths\":{\"https://index.docker.io/v1/\":{\"auth\":\"<%s>\"}}}",
            })
    void aNameAndAPasswordInBase64AreFound(String template) {
        assertFound(template.formatted(PAIR), "authorization");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "machine api.example.com login anna password <swordfish>",
                "machine api.example.com\n\tlogin anna\n\tpassword <$Tr0ng!Pass99>\nmachine b",
                "| machine api.example.com\n|  login anna\n|  password <swordfish>\n",
                "machine localhost login anna account x password <swordfish>\n",
                "echo \"machine git.example.com login anna password <swordfish>\" > ~/.netrc",
                "{\"out\":\"machine a.example.com\\n  login anna\\n  password <swordfish>\\n\"}",
            })
    void thePasswordOfANetrcIsFound(String template) {
        assertFound(template, "password");
    }

    private static void assertFound(String template, String kind) {
        String text = template.replaceAll("[<>](?! ~)", "");
        String expected = template.replaceAll("<.*>(?! ~)", "[secret: " + kind + " #1]");
        assertThat(clean(text)).isEqualTo(expected);
        assertThat(clean(expected)).as("once is enough").isEqualTo(expected);
    }

    @Test
    void thePrivateHalfOfAKeyOfPuttyIsReplacedWholeOrCutOff() {
        for (int seed = 0; seed < 20; seed++) {
            FakeSecrets fakes = new FakeSecrets(seed);
            String lines = fakes.any(FakeSecrets.LETTERS + "+/", 200).replaceAll("(.{64})", "$1\n");
            for (String margin : List.of("", "> ", "    ")) {
                String head = "Encryption: none\nComment: anna\nPrivate-Lines: 4\n" + margin;
                String key = lines.replace("\n", "\n" + margin);
                assertThat(clean(head + key + "\nPrivate-MAC: ab12"))
                        .isEqualTo(head + "[secret: private key #1]\nPrivate-MAC: ab12");
                assertThat(clean(head + key.substring(0, 100)))
                        .isEqualTo(head + "[secret: private key #1]");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "os.environ[\"DB_PASS\"]; DB_PASS = os.environ['DB_PASS']; getenv(\"DB_PASS\")",
                "db_pass = getpass() dbPass = process.env.DB_PASS; self.db_pass = db_pass",
                "connect(user=db_user, db_pass=secretive, host=host); user_pass: string",
                "DB_PASS=${DB_PASS} DB_PASS=$PASSWORD DB_PASS=<password> DB_PASS=\"{{ pass }}\"",
                "DB_PASS=changeme DB_PASS=xxxx DB_PASS=your_password DB_PASS=",
                "if db_pass == user_pass: auth_pass=true require_auth_pass=always",
                "first_pass=second12 num_pass=123456 RENDER_PASS=\"shadow_2048\" bypass=reason1",
                "compass=north123 {\"pass\": \"v1.2.3-rc1\"} pass=12345 PASS: test123",
                "DB_PASSWORD=getPassword(name)\nDB_PASSWORD=config[db]; x\nDB_PASSWORD=read(a, b)",
                "DB_PASSWORD=os.environ[\"X\"]\nDB_PASSWORD=vault('x')\nDB_PASSWORD=foo;",
                "DB_PASSWORD=<your password>\nDB_PASSWORD=${A}_${B};\nDB_PASSWORD=$A;x",
                "//registry.example.com/:_authToken=${NPM_TOKEN}",
                "this._authToken = authToken; self._auth = auth; _auth=authenticator",
                "auth_key=session\nauth_key = \"X-Auth-Header\"\nconst AUTH_KEY='auth'",
                "{\"authKey\": \"user\"} SSH_AUTH_KEY=none_of",
                "proxy_pass: http://backend:8080/api\nproxy_pass=http://backend:8080;",
                "{\"proxy_pass\": \"http://backend\"} proxy_pass = \"http://127.0.0.1:3000\"",
                "PROXY_PASS=http://backend:8080/a;b(c)\nPORT=1",
                "jpg_pass=first monkey_pass=second nodb_pass=second donkeyPass=third",
                "auth=somebody auth: \"sometime\" auth = required; auth=\"basicAuthentication12\"",
                "machine host.example.com login myself password secret",
                "machine host.example.com login <name> password <password>",
                "The machine asks for login name and password protection.",
                "Private-Lines: 2\nbase64 data, in as many lines",
                "Public-Lines: 1\nAAAAB3NzaC1yc2EAAAABJQAAAQEAx9K2mP5nQ8rT1uW4yB7cE0fH3jL6oS9vZ2dG",
            })
    void whatIsNoSecretIsLetAlone(String text) {
        assertThat(clean(text)).isEqualTo(text);
    }
}
