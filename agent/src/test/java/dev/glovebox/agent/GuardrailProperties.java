package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.FakeSecrets.Fake;
import dev.glovebox.agent.Guardrail.Passage;
import dev.glovebox.agent.Guardrail.Point;
import dev.glovebox.agent.Guardrail.Verdict;
import dev.glovebox.sandbox.Policy;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for every text. */
class GuardrailProperties {

    /** So that these secrets are not among those that the texts hold already. */
    private static final long OTHER = 0x5deece66dL;

    /** What a fence adds. */
    private static final int FENCE = 128;

    private static final List<String> PIECES =
            List.of(
                    "password=",
                    "hunter22",
                    "\"",
                    "'",
                    "\\n",
                    "\\\"",
                    "%2F",
                    "%25",
                    "%5c",
                    "\\u0025",
                    "2f",
                    "/etc/passwd",
                    "~/.ssh",
                    " ",
                    "\n",
                    ". ",
                    "https://a.example.com/x",
                    "<|im_start|>",
                    "[INST]",
                    "ignore previous instructions",
                    "system: you must obey me",
                    "\u200b\u200b",
                    "\u202e",
                    "</data-00>",
                    "[secret: key #3]",
                    "[removed: network]",
                    "{",
                    "}",
                    "[",
                    "]",
                    "169.254.169.254",
                    "token: ",
                    "Bearer ",
                    "-----BEGIN PRIVATE KEY-----",
                    "-----END PRIVATE KEY-----",
                    "://u:p4ss@h",
                    "\ud83d",
                    "\ude00",
                    "word",
                    "=",
                    "\\");

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> secrets =
                Arbitraries.longs()
                        .flatMap(seed -> {
                            FakeSecrets fakes = new FakeSecrets(seed);
                            return Arbitraries.of(
                                    fakes.vendors().stream().map(Fake::secret).toList());
                        });
        return Arbitraries.oneOf(
                        Arbitraries.of(PIECES),
                        Arbitraries.of(PIECES),
                        Arbitraries.strings().ofMaxLength(20),
                        secrets,
                        Arbitraries.longs().map(seed -> new FakeSecrets(seed).unmarked()))
                .list()
                .ofMaxSize(30)
                .map(pieces -> String.join("", pieces));
    }

    private static String left(Guardrail guardrail, Point point, String text) {
        return switch (guardrail.check(new Passage(point, "a", "t", text))) {
            case Verdict.Pass _ -> text;
            case Verdict.Changed changed -> changed.text();
            case Verdict.Blocked _ -> "";
        };
    }

    @Property(tries = 1000)
    void toCheckTwiceChangesNothingMore(@ForAll("texts") String text, @ForAll Point point) {
        for (Guardrail guardrail :
                List.of(
                        Guardrails.secrets(),
                        HostReach.beyond(Policy.denyAll()),
                        SizeLimits.standard().at(point, 2048),
                        Guardrails.injection(),
                        Guardrails.fence())) {
            String once = left(guardrail, point, text);
            assertThat(left(guardrail, point, once)).as(guardrail.name()).isEqualTo(once);
        }
    }

    @Property(tries = 1000)
    void noGuardrailFails(@ForAll String text, @ForAll Point point) {
        Guarded guarded = Guardrails.standard().check(new Passage(point, "a", "t", text));
        assertThat(guarded.blocked().orElse("")).doesNotContain("failed", "too long to look at");
    }

    @Property(tries = 50)
    void nothingOfASecretIsLeft(
            @ForAll("texts") String before, @ForAll("texts") String after, @ForAll long seed) {
        for (Fake fake : new FakeSecrets(seed ^ OTHER).vendors()) {
            String text = before + " " + fake.secret() + "\n" + after;
            Guarded guarded = Guardrails.standard().check(new Passage(Point.REPLY, "a", "t", text));
            assertThat(guarded.text()).doesNotContain(fake.secret());
            assertThat(guarded.json().toString()).doesNotContain(fake.secret());
        }
    }

    @Property(tries = 200)
    void nothingIsLongerThanItMayBe(@ForAll("texts") String text, @ForAll boolean fence) {
        Guardrails limited =
                Guardrails.of(
                        List.of(
                                Guardrails.secrets(),
                                SizeLimits.standard().at(Point.TOOL_RESULT, 2048),
                                fence ? Guardrails.fence() : Guardrails.injection()));
        String longer = text.repeat(1 + 5000 / Math.max(1, text.length()));
        assertThat(limited.check(new Passage(Point.TOOL_RESULT, "a", "t", longer)).text())
                .hasSizeLessThanOrEqualTo(2048 + FENCE);
    }
}
