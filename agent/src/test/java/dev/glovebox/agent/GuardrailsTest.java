package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.agent.Guardrail.Passage;
import dev.glovebox.agent.Guardrail.Point;
import dev.glovebox.agent.Guardrail.Verdict;
import dev.glovebox.sandbox.Policy;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Guardrails in a row. */
class GuardrailsTest {

    private static Passage task(String text) {
        return new Passage(Point.TASK, "a", "", text);
    }

    private record Written(String name, Function<String, Verdict> rule) implements Guardrail {

        @Override
        public Verdict check(Passage passage) {
            return rule.apply(passage.text());
        }
    }

    private static Guardrail adds(String letter) {
        return new Written(
                "adds " + letter, text -> new Verdict.Changed(text + letter, "added " + letter));
    }

    @Test
    void eachSeesWhatThoseBeforeItLeftAndEachVerdictIsAFinding() {
        Guardrail passes = new Written("passes", _ -> new Verdict.Pass());
        Guarded guarded = Guardrails.of(List.of(adds("b"), passes, adds("c"))).check(task("a"));
        assertThat(guarded.text()).isEqualTo("abc");
        assertThat(guarded.isBlocked()).isFalse();
        assertThat(guarded.json().toString())
                .isEqualTo(
                        """
                        [{"guardrail":"adds b","point":"task","verdict":"changed","reason":"added b"},\
                        {"guardrail":"passes","point":"task","verdict":"pass","reason":""},\
                        {"guardrail":"adds c","point":"task","verdict":"changed","reason":"added c"}]\
                        """);
    }

    @Test
    void afterOneThatBlocksNobodyIsAskedAndNothingIsLeft() {
        Guardrail blocks = new Written("blocks", _ -> new Verdict.Blocked("never"));
        Guarded guarded = Guardrails.of(List.of(adds("b"), blocks, adds("c"))).check(task("a"));
        assertThat(guarded.text()).isEmpty();
        assertThat(guarded.blocked()).contains("blocks: never");
        assertThat(guarded.findings())
                .extracting(Finding::verdict)
                .containsExactly(Finding.Verdict.CHANGED, Finding.Verdict.BLOCKED);
    }

    @Test
    void oneThatFailsBlocksAndSaysNothingOfTheText() {
        Guardrail throwing =
                new Written(
                        "throws",
                        text -> {
                            throw new IllegalStateException(text);
                        });
        Guardrail asserting =
                new Written(
                        "asserts",
                        text -> {
                            throw new AssertionError("Not wanted: " + text);
                        });
        Guardrail endless = new Written("endless", GuardrailsTest::recurse);
        Guardrail silent = new Written("silent", GuardrailsTest::nothing);
        for (Guardrail broken : List.of(throwing, asserting, endless, silent)) {
            Guarded guarded = Guardrails.of(List.of(broken)).check(task("my secret"));
            assertThat(guarded.blocked()).contains(broken.name() + ": the guardrail failed");
            assertThat(guarded.toString()).doesNotContain("my secret");
        }
    }

    @SuppressWarnings("NullAway") // Guardrails are written by anybody.
    private static Verdict nothing(String text) {
        return null;
    }

    @SuppressWarnings("InfiniteRecursion")
    private static Verdict recurse(String text) {
        return recurse(text + "x");
    }

    @Test
    void reasonsAndNamesAreBounded() {
        Guardrail wordy = new Written("wordy", _ -> new Verdict.Blocked("x".repeat(10_000)));
        assertThat(Guardrails.of(List.of(wordy)).check(task("a")).findings().getFirst().reason())
                .hasSize(201);
        assertThatThrownBy(
                        () -> Guardrails.none().with(new Written("a\nb", _ -> new Verdict.Pass())))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void oneCanBeAskedAtSomePointsOnly() {
        Guardrails some = Guardrails.none().with(adds("b"), Point.REPLY);
        assertThat(some.check(task("a")).text()).isEqualTo("a");
        assertThat(some.check(new Passage(Point.REPLY, "a", "", "a")).text()).isEqualTo("ab");
        assertThat(Guardrails.none().with(adds("b")).check(task("a")).text()).isEqualTo("ab");
    }

    @Test
    void whatIsDeniedIsBlockedHoweverItIsWritten() {
        Guardrails denied =
                Guardrails.none()
                        .with(Guardrails.deny("code names", Pattern.compile("(?i)blue heron")));
        for (String text :
                List.of(
                        "Blue Heron",
                        "blue\u200b heron",
                        "blue\\u0020heron",
                        "blue%20heron",
                        "bl\uff55e heron",
                        "b\u04cfue h\u0435r\u043en")) {
            assertThat(denied.check(task("On " + text)).blocked())
                    .as(text)
                    .contains("code names: it holds what is denied");
        }
        assertThat(denied.check(task("blue herring")).isBlocked()).isFalse();
    }

    @Test
    @Timeout(60)
    void aPatternThatExplodesBlocks() {
        Guardrails denied =
                Guardrails.none().with(Guardrails.deny("x", Pattern.compile("^(a|aa)+(\\1c)?$")));
        assertThat(denied.check(task("a".repeat(100) + "b")).blocked())
                .contains("x: it takes too long to look at");
        Guardrails deep = Guardrails.none().with(Guardrails.deny("x", Pattern.compile("(a|b)*c")));
        assertThat(deep.check(task("ab".repeat(1_000_000))).isBlocked()).isTrue();
    }

    @Test
    void longResultsLoseTheirMiddleAndLongTasksAreBlocked() {
        Guardrails limited =
                Guardrails.none()
                        .with(
                                SizeLimits.standard()
                                        .at(Point.TOOL_RESULT, 4096)
                                        .at(Point.TASK, 4096));
        String words = "word ".repeat(2000);
        Guarded result = limited.check(new Passage(Point.TOOL_RESULT, "a", "t", words));
        assertThat(result.text())
                .hasSizeLessThanOrEqualTo(4096)
                .startsWith("word word")
                .endsWith("word ")
                .containsPattern("\n\\[[0-9,]+ characters left out\\]\n");
        assertThat(result.findings().getFirst().reason())
                .isEqualTo("it had 10,000 characters, of 4,096 allowed");
        assertThat(limited.check(task(words)).blocked())
                .contains("size: it has 10,000 characters, of 4,096 allowed");
        assertThat(limited.check(task("short")).text()).isEqualTo("short");
        String smileys = "\ud83d\ude00".repeat(5000);
        String cut = limited.check(new Passage(Point.TOOL_RESULT, "a", "t", "x" + smileys)).text();
        assertThat(cut.replace("\ud83d\ude00", ""))
                .matches("x\n\\[[0-9,]+ characters left out\\]\n");
    }

    @Test
    void whatNobodyCouldLookAtInTimeIsBlocked() {
        assertThat(Guardrails.standard().check(task("x".repeat(Guardrails.LONGEST + 1))).blocked())
                .contains("secrets: it is longer than 16,777,216 characters");
    }

    /** Each is repeated many times, and chosen to be hard for one of the guardrails. */
    static Stream<String> hostile() {
        return Stream.of(
                "a",
                " ",
                "\\",
                "%25",
                "\\u0061",
                "-",
                "-----BEGIN ",
                "-----BEGIN PRIVATE KEY-----",
                "-----END PRIVATE KEY-----",
                "sk-",
                "sk- ",
                "sk-ant-",
                "eyJ-",
                "eyJ.",
                "A K I A ",
                "AKIA",
                "ghp_ ",
                "glpat-",
                "://",
                "a://b:c",
                "http://a:",
                "@",
                "password=",
                "password='",
                "token:",
                "authorization:",
                "bearer ",
                "bearer=",
                "aB1",
                "aB1/",
                "/",
                "../",
                "/etc",
                "/etc/",
                "~a",
                "$HOME",
                "curl -a ",
                "curl a.",
                "1.",
                "0x1.",
                "12",
                "http://",
                "<|",
                "ignore all ",
                "ignore the ",
                "system: ",
                "\nsystem:",
                "<",
                "[INST",
                "\u200b",
                "\u202e",
                "\ud83d",
                "fd00:ec2:",
                "fd00:ec2::",
                "::ffff:",
                "a@",
                "[secret: ",
                ". ",
                "forget,.,.",
                "you are now ",
                "-----BEGIN PRIVATE KEY-----a:",
                "ws:\\a\\",
                " /etc");
    }

    @ParameterizedTest
    @MethodSource("hostile")
    @Timeout(60)
    void manyHostileCharactersAreLookedAtInTime(String piece) {
        Guardrails all =
                Guardrails.of(
                        List.of(
                                Guardrails.secrets(),
                                HostReach.beyond(Policy.denyAll()),
                                Guardrails.injection()));
        String text = piece.repeat(300_000 / piece.length());
        assertThat(all.check(new Passage(Point.MESSAGE, "a", "t", text)).isBlocked()).isFalse();
    }

    /** With a look at all that follows for each of them these would take many minutes. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void beginningsOfKeysWithoutAnEndAreLookedAtInTime() {
        String text = "-----BEGIN PRIVATE KEY-----a:".repeat(500_000);
        Guardrails secrets = Guardrails.of(List.of(Guardrails.secrets()));
        assertThat(secrets.check(task(text)).text()).isEqualTo(text);
    }

    @Test
    @Timeout(120)
    void millionsOfCharactersAreLookedAtInTime() {
        String pieces = String.join("", hostile().toList());
        String text = pieces.repeat(4_000_000 / pieces.length());
        Guarded guarded =
                Guardrails.of(List.of(Guardrails.secrets(), Guardrails.injection()))
                        .check(new Passage(Point.TOOL_RESULT, "a", "t", text));
        assertThat(guarded.isBlocked()).isFalse();
    }
}
