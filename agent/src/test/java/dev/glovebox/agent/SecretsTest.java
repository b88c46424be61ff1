package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.agent.FakeSecrets.Fake;
import dev.glovebox.agent.Guardrail.Passage;
import dev.glovebox.agent.Guardrail.Point;
import dev.glovebox.agent.Guardrail.Verdict;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found of keys, tokens and passwords, and what is let alone. */
class SecretsTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    static Stream<Fake> vendors() {
        return Stream.of(1, 2, 3).flatMap(seed -> new FakeSecrets(seed).vendors().stream());
    }

    static String clean(String text) {
        Passage passage = new Passage(Point.TOOL_RESULT, "a", "t", text);
        return switch (Guardrails.secrets().check(passage)) {
            case Verdict.Pass _ -> text;
            case Verdict.Changed(String changed, String reason) -> {
                assertThat(reason).matches("replaced [a-z0-9 ,]+").hasSizeLessThan(500);
                yield changed;
            }
            case Verdict.Blocked blocked -> throw new AssertionError(blocked);
        };
    }

    /** How much of it may be left: what is shorter gives nothing away. */
    static void assertGone(String secret, String text) {
        for (int i = 0; i + 12 <= secret.length(); i++) {
            assertThat(text).doesNotContain(secret.substring(i, i + 12));
        }
    }

    @ParameterizedTest
    @MethodSource("vendors")
    void aTokenOfAVendorIsReplacedByItsKind(Fake fake) {
        assertThat(clean("Use " + fake.secret() + " for it."))
                .isEqualTo("Use [secret: " + fake.kind() + " #1] for it.");
        assertThat(clean("(\"" + fake.secret() + "\")")).doesNotContain(fake.secret());
    }

    @ParameterizedTest
    @MethodSource("vendors")
    void itIsFoundInJsonInJson(Fake fake) throws JsonProcessingException {
        String inner = MAPPER.writeValueAsString(Map.of("out", "a line\n" + fake.secret() + "\n"));
        String outer = MAPPER.writeValueAsString(Map.of("body", inner));
        String clean = clean(outer);
        assertGone(fake.secret(), clean);
        String body = MAPPER.readTree(clean).path("body").asText();
        assertThat(MAPPER.readTree(body).path("out").asText())
                .isEqualTo("a line\n[secret: " + fake.kind() + " #1]\n");
    }

    @ParameterizedTest
    @MethodSource("vendors")
    void itIsFoundBetweenInvisibleCharacters(Fake fake) {
        String hidden = String.join("\u200b", fake.secret().split(""));
        assertThat(clean("x " + hidden + " y")).isEqualTo("x [secret: " + fake.kind() + " #1] y");
        String wide =
                fake.secret()
                        .chars()
                        .mapToObj(c -> String.valueOf((char) (c - '!' + 0xff01)))
                        .reduce("", String::concat);
        assertThat(clean("x " + wide + " y")).isEqualTo("x [secret: " + fake.kind() + " #1] y");
    }

    @ParameterizedTest
    @MethodSource("vendors")
    void itIsFoundWhenBlanksBreakIt(Fake fake) {
        assertGone(
                fake.secret(), clean(fake.secret().replaceAll("(.{7})", "$1 ")).replace(" ", ""));
        assertGone(
                fake.secret(), clean(String.join(" ", fake.secret().split(""))).replace(" ", ""));
    }

    @ParameterizedTest
    @MethodSource("vendors")
    void itIsFoundInUrls(Fake fake) {
        String encoded = URLEncoder.encode("?k= " + fake.secret(), StandardCharsets.UTF_8);
        assertThat(clean(encoded)).isEqualTo("%3Fk%3D+[secret: " + fake.kind() + " #1]");
        StringBuilder every = new StringBuilder();
        fake.secret().chars().forEach(c -> every.append("%%25%02x".formatted(c)));
        assertThat(clean("x " + every)).isEqualTo("x [secret: " + fake.kind() + " #1]");
    }

    @ParameterizedTest
    @MethodSource("vendors")
    void itIsFoundWhenEscapesOfJsonAndOfUrlsAreMixed(Fake fake) {
        StringBuilder url = new StringBuilder();
        fake.secret().chars().forEach(c -> url.append("\\u0025%02x".formatted(c)));
        assertThat(clean("x " + url + " y")).isEqualTo("x [secret: " + fake.kind() + " #1] y");
        StringBuilder json = new StringBuilder();
        fake.secret().chars().forEach(c -> json.append("%%5cu%04x".formatted(c)));
        assertThat(clean("x " + json + " y")).isEqualTo("x [secret: " + fake.kind() + " #1] y");
        String first = "\\u0025%02x".formatted((int) fake.secret().charAt(0));
        assertThat(clean("(" + first + fake.secret().substring(1) + ")"))
                .isEqualTo("([secret: " + fake.kind() + " #1])");
    }

    @Test
    void aTokenThatATerminalBrokeIsReplacedWithItsEnd() {
        for (int seed = 0; seed < 20; seed++) {
            String token =
                    "sk" + "-ant-api03-" + new FakeSecrets(seed).any(FakeSecrets.LETTERS, 90);
            for (String line : List.of("\n  ", "\r\n", "\n\t", "\n" + " ".repeat(14))) {
                String broken = token.substring(0, 60) + line + token.substring(60);
                assertThat(clean("key: " + broken)).isEqualTo("key: [secret: anthropic key #1]");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RSA PRIVATE KEY",
                "PRIVATE KEY",
                "EC PRIVATE KEY",
                "ENCRYPTED PRIVATE KEY",
                "OPENSSH PRIVATE KEY",
                "PGP PRIVATE KEY BLOCK"
            })
    void aPrivateKeyIsReplacedAsAWhole(String label) throws JsonProcessingException {
        String key = new FakeSecrets(1).privateKey(label);
        assertThat(clean("a\n" + key + "\nb")).isEqualTo("a\n[secret: private key #1]\nb");
        String json = MAPPER.writeValueAsString(Map.of("key", key, "b", 1));
        assertThat(MAPPER.readTree(clean(json)).path("key").asText())
                .isEqualTo("[secret: private key #1]");
        String twice = MAPPER.writeValueAsString(json);
        assertThat(clean(twice)).contains("[secret: private key #1]").hasSizeLessThan(80);
    }

    @Test
    void aPrivateKeyThatIsCutOffIsReplacedAsFarAsItGoes() {
        String key = new FakeSecrets(2).privateKey("PRIVATE KEY");
        assertThat(clean(key.substring(0, 400) + "\nand then text"))
                .isEqualTo("[secret: private key #1]\nand then text");
        assertThat(clean("text.\n" + key.substring(200))).endsWith("#1]").hasSizeLessThan(40);
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 30, 48})
    void aPrivateKeyInShortLinesIsReplaced(int width) {
        for (String line : List.of("\n", "\r\n", "\n    ", "\n> ")) {
            String key = new FakeSecrets(width).any(FakeSecrets.LETTERS + "+/", 1600);
            String armoured =
                    "-----BEG"
                            + "IN PRIVATE KEY-----"
                            + line
                            + key.replaceAll("(.{" + width + "})", "$1" + line)
                            + line
                            + "-----E"
                            + "ND PRIVATE KEY-----";
            assertThat(clean("a " + armoured + " b")).isEqualTo("a [secret: private key #1] b");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519", "X25519"})
    void aRealPrivateKeyIsReplacedHoweverItsLinesBegin(String algorithm) throws Exception {
        KeyPairGenerator keys = KeyPairGenerator.getInstance(algorithm);
        for (int i = 0; i < (algorithm.equals("RSA") ? 3 : 200); i++) {
            byte[] key = keys.generateKeyPair().getPrivate().getEncoded();
            String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key);
            String armoured =
                    "-----BEG"
                            + "IN PRIVATE KEY-----\n"
                            + lines
                            + "\n-----E"
                            + "ND PRIVATE KEY-----";
            assertThat(clean(armoured)).isEqualTo("[secret: private key #1]");
            assertThat(clean("> " + armoured.replace("\n", "\n> ")))
                    .isEqualTo("> [secret: private key #1]");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n",
                "Version: OpenPGP.js v4.10\nComment: https://openpgpjs.org\n\n",
                "Version: 1\r\nComment:\r\n \r\n",
                "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF0123456789ABCDEF\n\n",
                "Proc-Type: 4,ENCRYPTED\n"
            })
    void aPrivateKeyWithHeadersThatIsCutOffIsReplacedAsFarAsItGoes(String headers) {
        for (String label : List.of("PGP PRIVATE KEY BLOCK", "RSA PRIVATE KEY")) {
            String key = new FakeSecrets(3).privateKey(label);
            int body = key.indexOf('\n') + 1;
            String cut = key.substring(0, body) + headers + key.substring(body, 400);
            assertThat(clean("a\n" + cut + "\nand then text"))
                    .isEqualTo("a\n[secret: private key #1]\nand then text");
        }
    }

    static Stream<String> passwords() {
        return Stream.of(
                "password=%s",
                "password = \"%s\"",
                "PGPASSWORD=%s psql",
                "{\"user\": \"anna\", \"password\": \"%s\"}",
                "{\\\"password\\\":\\\"%s\\\"}",
                "DB_PASSWORD: %s",
                "spring.datasource.password=%s",
                "jdbc:postgresql://db/x?user=anna&password=%s&ssl=true",
                "Server=db;Uid=anna;Pwd=%s;",
                "postgres://anna:%s@db.example.com:5432/x",
                "mongodb+srv://anna:%s@cluster0.example.net/test",
                "redis://:%s@cache:6379/0",
                "https://anna:%s@example.com/repo.git",
                "mysql --password %s",
                "my password is %s",
                "Authorization: Basic %s",
                "'Authorization': 'Token %s'");
    }

    @ParameterizedTest
    @MethodSource("passwords")
    void aPasswordIsReplacedWhereSomebodySaysThatItIsOne(String template) {
        for (int seed = 0; seed < 20; seed++) {
            String password = new FakeSecrets(seed).password();
            String clean = clean(template.formatted(password));
            assertThat(clean).doesNotContain(password).contains("[secret: ", " #1]");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password=<swordfish>",
                "password=<84629175>",
                "password=<Sesame!>",
                "password=<correct-horse>",
                "password='<$Tr0ng!Pass99>'",
                "password=<$2b$12$abcdefghijk>",
                "password=\"<correct horse battery>\"",
                "password = '<correct horse battery staple>'",
                "password := \"<correct horse battery>\"",
                "password = <84629175>",
                "password: <84629175>",
                "my password is <84629175>",
                "--password=<swordfish>",
                "?user=anna&password=<swordfish>&ssl=true",
                "Server=db;Uid=anna;Pwd=<swordfish>;",
                "export DB_PASSWORD=<swordfish>\npsql",
                "{\"env\": [\"DB_PASSWORD=<swordfish>\", \"A=b\"]}",
                "password=<swordfish>. Then go on",
                "password=<yourmother99>",
                "password=\"<hunter22>",
                "postgres://anna:<$Tr0ng!Pass99>@db/x",
            })
    void whatIsGivenToAPasswordIsReplacedUnlessItIsCode(String template) {
        String text = template.replaceAll("[<>]", "");
        String expected = template.replaceAll("<.*>", "[secret: password #1]");
        assertThat(clean(text)).isEqualTo(expected);
        assertThat(clean(expected)).as("once is enough").isEqualTo(expected);
    }

    @Test
    void aPasswordWithQuotesIsReplacedToItsEnd() throws JsonProcessingException {
        for (String password : List.of("\"Tr0ub4dor&3", "Tr0ub\"4dor&3", "a\"b'c`d", "Tr0ub4\"")) {
            String json = MAPPER.writeValueAsString(Map.of("db", Map.of("password", password)));
            assertThat(clean(json)).isEqualTo("{\"db\":{\"password\":\"[secret: password #1]\"}}");
            String code = "password = \"" + password.replace("\"", "\\\"") + "\"\nprint(1)";
            assertThat(clean(code)).isEqualTo("password = \"[secret: password #1]\"\nprint(1)");
        }
    }

    @Test
    void whereAPasswordIsANumberJsonStaysJson() throws JsonProcessingException {
        JsonNode inner =
                MAPPER.readTree("{\"password\": 12345678,\"db\":{\"db_pass\" :1e12345}, \"n\": 7}");
        String once = MAPPER.writeValueAsString(inner);
        String twice = MAPPER.writeValueAsString(Map.of("code", once));
        String thrice = MAPPER.writeValueAsString(Map.of("file", twice));

        JsonNode read = MAPPER.readTree(clean(once));
        assertThat(read.path("password").asText()).isEqualTo("[secret: password #1]");
        assertThat(read.at("/db/db_pass").asText()).isEqualTo("[secret: password #2]");
        assertThat(read.path("n").asInt()).isEqualTo(7);
        assertThat(MAPPER.readTree(clean(twice)).path("code").asText()).isEqualTo(clean(once));
        assertThat(MAPPER.readTree(clean(thrice)).path("file").asText()).isEqualTo(clean(twice));
        assertThat(clean("{'password': 12345678}"))
                .isEqualTo("{'password': '[secret: password #1]'}");
        assertThat(clean(clean(thrice))).as("once is enough").isEqualTo(clean(thrice));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"password\": \"«hunter2»\\\\\", \"user\": \"bob\"}",
                "{\"password\": \"«hun\\\"ter2»\\\\\", \"user\": \"bob\"}",
                "{\\\"password\\\": \\\"«hunter2»\\\\\\\\\\\", \\\"user\\\": \\\"bob\\\"}",
                "password='«hunter2»\\' and user='bob'",
                "password = '«swordfish»\\'",
                "password = \"«tr0ub4dor»\\\\\"  # x \"y\"",
                "connect(password=\"«hunter2»\\\\\", user=\"bob\")",
            })
    void aPasswordThatEndsInABackslashIsReplacedAndNothingBehindIt(String template) {
        assertThat(clean(template.replaceAll("[«»]", "")))
                .isEqualTo(template.replaceAll("«.*»", "[secret: password #1]"));
    }

    @Test
    void aKeyThatEndsInABackslashIsReplacedAndNothingBehindIt() {
        assertThat(clean("{\"api_key\": \"a1B2c3D4e5F6\\\\\", \"user\": \"bob smith\"}"))
                .isEqualTo("{\"api_key\": \"[secret: key #1]\\\\\", \"user\": \"bob smith\"}");
    }

    static Stream<String> keys() {
        return Stream.of(
                "api_key = \"%s\"",
                "X-Api-Key: %s",
                "AccountKey=%s;EndpointSuffix=core",
                "\"client_secret\": \"%s\"",
                "export AWS_SECRET_ACCESS_KEY=%s",
                "Authorization: Bearer %s",
                "curl -H 'authorization: bearer %s'",
                "see %s here",
                "\"%s\"");
    }

    @ParameterizedTest
    @MethodSource("keys")
    void aKeyWithoutAMarkIsReplaced(String template) {
        int missed = 0;
        for (int seed = 0; seed < 200; seed++) {
            String key = new FakeSecrets(seed).unmarked();
            missed += clean(template.formatted(key)).contains(key) ? 1 : 0;
        }
        assertThat(missed).as("of 200, chance is part of it").isLessThan(5);
    }

    @Test
    void keysInHexAreFoundByTheirNames() {
        String hex = new FakeSecrets(1).any("0123456789abcdef", 32);
        assertThat(clean("API_KEY=" + hex)).isEqualTo("API_KEY=[secret: key #1]");
        assertThat(clean("commit " + hex)).contains(hex);
    }

    @Test
    void aKeyThatSomebodyHasEncodedIsFound() {
        String inner = "aws: " + new FakeSecrets(4).vendors().getFirst().secret();
        String encoded = Base64.getEncoder().encodeToString(inner.getBytes(StandardCharsets.UTF_8));
        assertThat(clean("echo " + encoded)).isEqualTo("echo [secret: encoded secret #1]");
    }

    @Test
    void equalSecretsHaveEqualNumbers() {
        List<Fake> fakes = new FakeSecrets(5).vendors();
        String one = fakes.getFirst().secret();
        String two = fakes.get(5).secret();
        assertThat(clean(one + " " + two + " " + one))
                .isEqualTo("[secret: aws key #1] [secret: github token #2] [secret: aws key #1]");
        assertThat(clean("[secret: aws key #7] and " + two))
                .isEqualTo("[secret: aws key #7] and [secret: github token #8]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "commit 2acf45b0d9f6f3a1c0b1a2e3d4c5b6a7988f7e6d",
                "id 550e8400-e29b-41d4-a716-446655440000",
                "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "undefined reference to `_ZNSt7__cxx118messagesIwE2idE'",
                "undefined reference to `_ZNSbIwSt11char_traitsIwESaIwEE4findERKS2_m'",
                "0000 T _RNvXs0_NtNtNtCsjrHSEGnQ3l9_3std3net3tcpNtB5_9TcpStreamNtB9_2io5Write5write",
                "Undefined symbols: __RNvMs16_NtCsjrHSEGnQ3l9_3std4pathNtB6_4Path11file_prefix",
                "0000 t _ZN10hello_rust4main17h4e359f1dcd627c83E",
                "\"integrity\": \"sha512-z8IuJ0c4F1nVqKp2T9RkX0sWm3YbLd7HgQeA6tUvZx5rN1oPjCiSfDhGwKlMyBqE4aR8uTzVxWnOp3Qs2Yt0Lg==\"",
                "golang.org/x/text v0.3.0 h1:g61tztE5qeGQ89tm6NTjjM9VPIm088od1l6aSorWRWg=",
                "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kP0h1uW8x9gq2RkT5vLmN3bYcXzA7dEfGhIjKlMnO anna@host",
                "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
                "org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration2Test",
                "getHttpServletRequestWrapperFactoryBean2ForTesting3",
                "src/main/java/dev/glovebox/agent/Guardrails2Test.java",
                "https://example.com/a/b/c2d/Some-Long-Title-About-2024-Things?x=1&y=2",
                "x86_64-unknown-linux-gnu, aarch64-apple-darwin-20230815T120000Z",
                "token = tokenizer.next_token()",
                "password = os.environ[\"DB_PASSWORD\"]",
                "password: str = Field(default=None)",
                "if password == other.password:",
                "password = getPassword()",
                "password=getPassword(), password=config['db']['x'], password=sys.argv[1]",
                "password=$PASSWORD password=\"$DB_PASSWORD\" password='$env:DB_PASS'",
                "password=\"$(cat file)\" password=`cat file` password=$(pass show db)",
                "password=<your password>",
                "interface Login { user: string; password: string; }",
                "String password = user.password; this.password = newSecret;",
                "connect(user=user, password=secretive, host=host)",
                "connect(\n    user=user,\n    password=credential\n)",
                "login(password=self.credential) login(password=std::move) p(password=cfg->word)",
                "password=db_password\npassword=DB_PASS",
                "password='%s' password=\"%(password)s\" password='{password}' password=%DB_WORD%",
                "url = \"user=\" + user + \"&password=\" + word + \"&ssl=true\"",
                "print(\"password=\", word, \"user=\", user)",
                "{\"PWD\": \"/work/src\"} password = \":****\"",
                "PWD=/work/dir2/src OLDPWD=/home/anna password=/run/secrets/db",
                "forgot.password=Forgot your password?",
                "WRONG_PASSWORD = \"Login failed\"; INVALID_PASSWORD = \"WRONG_PASSWORD\"",
                "password = \"Enter your word\"; password=\"must be at least 8 characters long\"",
                "{\"errors\": {\"password\": \"can't be blank\"}}",
                "{\"password\": \"eight characters minimum\"}",
                "password=******** password=[FILTERED] password=changeme password=env:DB_WORD",
                "show_password=true require_password=always password=",
                "password: 2024-01-15, password = 2024-01-15",
                "re.compile(r'password=([^&]+)|password=.*')",
                "def login(user, password=None, token=None):",
                "max_tokens=4096, tokens: 12345678",
                "Enter your password: then press return",
                "The token is invalid or expired.",
                "{\"password\": {\"type\": \"string\"}}",
                "PASSWORD=${DB_PASSWORD}",
                "password: <your password here>",
                "api_key=YOUR_API_KEY",
                "Authorization: Bearer $TOKEN",
                "Bearer authentication is described elsewhere",
                "postgres://user:${PASS}@host/db",
                "https://host:8080/path/@scope/package",
                "tokens begin with ghp_ and are 36 characters long, so that people can see them",
                "class=\"sk-loading-spinner-component-wrapper-large\"",
                "if line.startswith(\"-----BEGIN PRIVATE KEY-----\"): pass",
                "-----BEGIN PRIVATE KEY-----\nNote: 16 characters or more\n\nfollow in each line",
                "first: -----BEGIN PRIVATE KEY-----\nsecond: 2 of them\n",
                "A = '-----BEGIN PRIVATE KEY-----'\ndef load(text):\n    x509 = parse_certificate_chain(text)\n    return x509\nB = '-----END PRIVATE KEY-----'",
                "A = '-----BEGIN PRIVATE KEY-----'\nreadX509CertificateChainFromText2(src/main/java/dev/glovebox/Key2Test)\nB = '-----END PRIVATE KEY-----'",
                "A = '-----BEGIN PRIVATE KEY-----'\nreadX509Certificate2(first)\nparseSha256Fingerprint(second)\nloadPkcs8PrivateKey(third)\nB = '-----END PRIVATE KEY-----'",
                "SGVsbG8sIHRoaXMgaXMgYSB0ZXN0IG9mIGJhc2U2NCBlbmNvZGluZyE=",
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            })
    void whatIsNoSecretIsLetAlone(String text) {
        assertThat(clean(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"=", "-", "_", "-=", "a", "/path/of/some/length"})
    void aTokenBetweenRulersIsReplaced(String piece) {
        String ruler = piece.repeat(64 / piece.length());
        for (int length : new int[] {40, 64}) {
            String token = new FakeSecrets(length).any(FakeSecrets.LETTERS, length);
            assertThat(clean("Your key:\n" + ruler + "\n" + token + "\n" + ruler))
                    .isEqualTo("Your key:\n" + ruler + "\n[secret: random token #1]\n" + ruler);
            assertThat(clean(ruler + "\r\n" + token + "\r\n" + ruler)).doesNotContain(token);
        }
    }

    @Test
    void certificatesAndAttachmentsAreLetAlone() {
        FakeSecrets fake = new FakeSecrets(6);
        StringBuilder lines = new StringBuilder("-----BEGIN CERTIFICATE-----\n");
        for (int i = 0; i < 20; i++) {
            lines.append(fake.any(FakeSecrets.LETTERS + "+/", 64)).append('\n');
        }
        lines.append(fake.any(FakeSecrets.LETTERS, 30)).append("==\n-----END CERTIFICATE-----\n");
        assertThat(clean(lines.toString())).isEqualTo(lines.toString());
        String image = "base64 " + fake.any(FakeSecrets.LETTERS + "+/", 5000);
        assertThat(clean(image)).isEqualTo(image);
    }

    @Test
    void aQuotedPrivateKeyThatIsCutOffIsReplacedAsFarAsItGoes() {
        for (String margin : List.of("> ", "> > ", "# ", "  | ", " * ", ">")) {
            String key = new FakeSecrets(2).privateKey("PRIVATE KEY").replace("\n", "\n" + margin);
            assertThat(clean(margin + key.substring(0, 400) + "\nand then text"))
                    .isEqualTo(margin + "[secret: private key #1]\nand then text");
            assertThat(clean("text.\n" + key.substring(200))).endsWith("#1]").hasSizeLessThan(40);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"* ", "  * ", "> ", "# ", "| "})
    void longTokensInAListAreReplaced(String mark) {
        for (int length : new int[] {60, 64, 86, 128}) {
            for (int seed = 0; seed < 20; seed++) {
                FakeSecrets fake = new FakeSecrets(seed);
                String first = fake.any(FakeSecrets.LETTERS, length);
                String second = fake.any(FakeSecrets.LETTERS, length);
                assertThat(clean("see /a+b:\n" + mark + first + "\n" + mark + second + "\ndone\n"))
                        .isEqualTo(
                                "see /a+b:\n%s[secret: random token #1]\n%s[secret: random token #2]\ndone\n"
                                        .formatted(mark, mark));
            }
        }
    }

    @Test
    void longTokensInBase64BehindBulletsAreReplacedAsEachIsAlone() {
        for (int seed = 0; seed < 20; seed++) {
            StringBuilder list = new StringBuilder();
            StringBuilder expected = new StringBuilder();
            for (int i = 0; i < 5; i++) {
                String line =
                        "* " + new FakeSecrets(5 * seed + i).any(FakeSecrets.LETTERS + "+/", 64);
                list.append(line).append('\n');
                expected.append(clean(line).replace("#1", "#n")).append('\n');
            }
            assertThat(expected).contains("* [secret: random token #n]");
            assertThat(clean(list.toString()).replaceAll("#[0-9]\\]", "#n]"))
                    .isEqualTo(expected.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"    ", "\t", "> ", "# ", "  | ", " * "})
    void certificatesAndDataThatAreSetInAreLetAlone(String margin) {
        FakeSecrets fake = new FakeSecrets(6);
        StringBuilder text =
                new StringBuilder("ca: |\n" + margin + "-----BEGIN CERTIFICATE-----\n");
        for (int i = 0; i < 20; i++) {
            text.append(margin).append(fake.any(FakeSecrets.LETTERS + "+/", 64)).append('\n');
        }
        text.append(margin).append(fake.any(FakeSecrets.LETTERS, 30)).append("==\n");
        text.append(margin).append("-----END CERTIFICATE-----\n");
        assertThat(clean(text.toString())).isEqualTo(text.toString());
    }
}
