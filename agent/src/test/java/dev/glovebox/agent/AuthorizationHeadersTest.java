package dev.glovebox.agent;

import static dev.glovebox.agent.SecretsTest.clean;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found in headers of requests, and what of programs is let alone. */
class AuthorizationHeadersTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "requests.get(url, headers={\"Authorization\": auth_header})",
                "fetch(url, { headers: { Authorization: authHeader } })",
                "authorization = get_authorization_header(request).split()",
                "authorization = oauth2_header_v1_for(request)",
                "authorization = handlers2[kind]",
                "constructor(private authorization: AuthorizationService) {}",
                "constructor(private authorization: OAuth2AuthorizationServiceV2) {}",
                "authorization = request.headers.get('Authorization')",
                "authorization = base64.binascii.a2b_base64",
                "spring.security.authorization=deny-by-default",
                "Authorization: required",
                "Authorization: https://tools.ietf.org/html/rfc6749",
                "'Authorization': 'Bearer ' + token",
                "\"Authorization\": \"Bearer \" + accessToken",
                "\"Authorization\": f\"Bearer {access_token}\"",
                "Authorization: `Bearer ${accessToken}`",
                "Authorization: Bearer YOUR_TOKEN",
                "Authorization: Bearer access_token",
                "Authorization: Bearer my-access-token",
                "Authorization: Token credentials.accessToken",
                "Authorization: Basic credentials",
                "authorization: bearer authentication is described elsewhere",
                "bearer = oauth2.get_bearer_v2_token_1(request)",
                "bearer: oauth2BearerTokenProvider3(config)"
            })
    void programsAndWordsAreLetAlone(String text) {
        assertThat(clean(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: %s",
                "authorization=%s",
                "\"Authorization\": \"%s\"",
                "Authorization: Token %s",
                "\"Authorization\": \"Bearer %s\"",
                "curl -H 'authorization: bearer %s'"
            })
    void opaqueTokensAreReplaced(String template) {
        int missed = 0;
        for (int seed = 0; seed < 100; seed++) {
            FakeSecrets fake = new FakeSecrets(seed);
            String token = fake.any(FakeSecrets.LETTERS, 32);
            String hex = fake.any("0123456789abcdef", 32);
            missed += clean(template.formatted(token)).contains(token) ? 1 : 0;
            missed += clean(template.formatted(hex)).contains(hex) ? 1 : 0;
        }
        assertThat(missed).as("of 200, chance is part of it").isLessThan(5);
    }

    @Test
    void namesWithPasswordsAreReplacedAlsoWithoutDigits() {
        assertThat(clean("Authorization: Basic dXNlcjpw" + "YXNz"))
                .isEqualTo("Authorization: Basic [secret: authorization #1]");
        assertThat(clean("Authorization: Token " + "k".repeat(3) + "fjwnxqpzlamrtbvyhgd"))
                .isEqualTo("Authorization: Token [secret: authorization #1]");
    }
}
