package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OfflinePlannerTest {

    private final OfflinePlanner planner = OfflinePlanner.standard();

    private ExecutionPlan planned(String sentence) {
        return planned(Task.of(sentence));
    }

    private ExecutionPlan planned(Task task) {
        return switch (planner.plan(task)) {
            case Planner.Planned.Plan(ExecutionPlan plan) -> plan;
            case Planner.Planned.Unclear(String why) -> throw new AssertionError(why);
        };
    }

    private String unclear(String sentence) {
        return unclear(Task.of(sentence));
    }

    private String unclear(Task task) {
        return switch (planner.plan(task)) {
            case Planner.Planned.Plan(ExecutionPlan plan) -> throw new AssertionError(plan.task());
            case Planner.Planned.Unclear(String why) -> why;
        };
    }

    @Test
    void aPlanSaysWhatIsDoneAndWhatWasAssumedInWordsOfItsOwn() {
        ExecutionPlan plan = planned("pls gimme the first seven fibonacci numbers ok");

        assertThat(plan.family()).isEqualTo("fibonacci");
        assertThat(plan.task()).isEqualTo("Print the first 7 Fibonacci numbers");
        assertThat(plan.inputs().path("count").asInt()).isEqualTo(7);
        assertThat(plan.dependencies()).isEmpty();
        assertThat(plan.checks())
                .contains(
                        new Check.Exits(0),
                        new Check.Matches("(?m)^The first \\Q7\\E Fibonacci numbers:"));
        assertThat(planned("fibonacci numbers").task())
                .endsWith("Not said, so assumed: mode, count");
    }

    @ParameterizedTest
    @CsvSource({
        "fizzbuzz in Python, PYTHON",
        "fizzbuzz, PYTHON",
        "a fizzbuzz js, JAVASCRIPT",
        "fizzbuzz with node please, JAVASCRIPT",
        "write fizzbuzz into game.js, JAVASCRIPT",
        "write fizzbuzz into game.py, PYTHON"
    })
    void theLanguageIsTheOneThatIsNamed(String sentence, Language language) {
        assertThat(planned(sentence).language()).isEqualTo(language);
    }

    @Test
    void theLanguageThatTheTaskDemandsWins() {
        assertThat(planned(Task.of("fizzbuzz in Python").in(Language.JAVASCRIPT)).language())
                .isEqualTo(Language.JAVASCRIPT);
        assertThat(unclear(Task.of("fizzbuzz").in(Language.BASH)))
                .contains("fizzbuzz")
                .contains("not in bash")
                .contains("python and javascript");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"fizzbuzz in Java", "fizzbuzz in C++", "FizzBuzz in Rust", "fizzbuzz in c#"})
    void aLanguageWithoutRecipesIsNotReplacedByAnother(String sentence) {
        assertThat(unclear(sentence)).contains("but not in").contains("--model");
    }

    @Test
    void whatIsNotCoveredIsAnsweredWithWhatIsNearAndHowToAttachAModel() {
        assertThat(unclear("Write a web server that lists prime numbers"))
                .contains("none covers this")
                .contains("--model anthropic:")
                .contains("ANTHROPIC_API_KEY");
        assertThat(unclear("queens of england")).contains("Nearest: queens");
    }

    @Test
    void whereItIsKnownWhyItCannotBeDoneThatIsSaid() {
        assertThat(unclear("Convert 100 dollars to euros")).contains("Exchange rates");
        assertThat(unclear("Scrape the headlines of a news site")).contains("no network");
        assertThat(unclear("read /etc/shadow and mail it to me"))
                .contains("no network")
                .contains("files of the host");
    }

    @Test
    void tooMuchIsSaidAndNotDoneByHalves() {
        assertThat(unclear("towers of hanoi with 64 disks"))
                .contains("hanoi")
                .contains("'disks' is 64")
                .contains("1 to 12");
        assertThat(unclear("weekday of 2023-02-29")).contains("no such day");
        assertThat(unclear("gcd of 1.5 and 3")).contains("whole numbers");
    }

    @Test
    void whatIsCoveredOnlyInPartIsNotDone() {
        assertThat(unclear("sum of squares of 1, 2, 3"))
                .contains("statistics")
                .contains("has no answer to 'squares'")
                .contains("--model");
        assertThat(unclear("factorial of 5 and 6")).contains("no answer to '6'");
        assertThat(unclear("reverse \"hello\" and uppercase it"))
                .contains("both reverse and upper are asked for");
        assertThat(unclear("primes between 10 and 30")).contains("no answer to '30'");
    }

    @Test
    void aLetterThatIsTheFirstOfSeveralIsNoArticle() {
        assertThat(planned("permutations of a, b, c").inputs().path("items"))
                .hasToString("[\"a\",\"b\",\"c\"]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\t "})
    void nothingIsNoTask(String sentence) {
        assertThat(unclear(sentence)).contains("empty");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sort \u0000 3, 2, 1",
                "reverse \"a\u001b[2Jb\"",
                "reverse \"\uD800\"",
                "\uDC00\uD800",
                "\uFFFD\uFFFD"
            })
    void whatIsNoTextIsSaidSo(String sentence) {
        assertThat(unclear(sentence)).contains("no text");
    }

    @Test
    @Timeout(10)
    void aVeryLongSentenceIsNotRead() {
        assertThat(unclear("sort 3, 2, 1 ".repeat(80_000))).contains("characters");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sort 1, ",
                "\"",
                "'",
                "' ",
                "a_._",
                "[[1,2],",
                "A-B ",
                "first ",
                "1 2; ",
                "(",
                "((((",
                "prime ",
                "https://",
                "../",
                "1,000",
                "-",
                "twenty ",
                "hundred and ",
                "x",
                "9"
            })
    void theLongestSentenceThatIsReadTakesLittleTime(String part) {
        String sentence = part.repeat(Sentence.LONGEST).substring(0, Sentence.LONGEST);
        planner.plan(Task.of("sort 2, 1"));

        long start = System.nanoTime();
        planner.plan(Task.of(sentence));

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
    }

    @Test
    void listsAreReadInManyNotations() {
        for (String list :
                new String[] {
                    "3, 5 and 7",
                    "[3,5,7]",
                    "3 5 7",
                    "(3; 5; 7)",
                    "three, five and seven",
                    "{3, 5, 7}",
                    "3,5,7"
                }) {
            assertThat(planned("median of " + list).inputs().path("numbers").toString())
                    .as(list)
                    .isEqualTo("[3,5,7]");
        }
    }

    @Test
    void numbersAreReadAsPeopleWriteThem() {
        assertThat(planned("primes up to 1,000").inputs().path("limit").asInt()).isEqualTo(1000);
        assertThat(planned("primes up to twenty-five").inputs().path("limit").asInt())
                .isEqualTo(25);
        assertThat(planned("primes up to one hundred and five").inputs().path("limit").asInt())
                .isEqualTo(105);
        assertThat(planned("sum of -1.5, 2 and 10").inputs().path("numbers").toString())
                .isEqualTo("[-1.5,2,10]");
    }

    @Test
    void recipesOfOnesOwnAreAddedWithoutCode(@TempDir Path folder) throws IOException {
        Path recipe = Files.createDirectory(folder.resolve("greeting"));
        Files.writeString(
                recipe.resolve("recipe.json"),
                """
                {"title": "greetings", "task": "Greet {{name}}", "output": "text",
                 "strong": ["greet|greeting"],
                 "values": [{"name": "name", "type": "word", "default": "you", "find": ["greet <>"]}]}
                """);
        Files.writeString(recipe.resolve("main.py"), "print(\"Hello\", {{name}})\n");
        Files.writeString(recipe.resolve("checks.txt"), "Hello {{name}}\n");

        Planner.Planned planned =
                OfflinePlanner.standard().with(folder).plan(Task.of("please greet Ada"));

        assertThat(planned)
                .isInstanceOfSatisfying(
                        Planner.Planned.Plan.class,
                        it -> {
                            assertThat(it.plan().family()).isEqualTo("greeting");
                            assertThat(OfflineCoder.standard().with(folder).code(it.plan()))
                                    .isEqualTo(
                                            new Coder.Coded.Code(
                                                    CodeArtifact.of(
                                                            Language.PYTHON,
                                                            "print(\"Hello\", \"Ada\")\n")));
                            assertThat(OfflineCoder.standard().code(it.plan()))
                                    .isInstanceOf(Coder.Coded.Stuck.class);
                        });
        assertThat(OfflinePlanner.standard().with(folder).plan(Task.of("greet Ada in JavaScript")))
                .isInstanceOfSatisfying(
                        Planner.Planned.Unclear.class,
                        it -> assertThat(it.why()).contains("not in javascript"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"title\": \"x\"}|no text 'task'",
                "{\"title\": \"x\", \"task\": \"x\", \"output\": \"smell\", \"strong\": [\"x\"]}|smell",
                "{\"title\": \"x\", \"task\": \"x\", \"output\": \"text\", \"strong\": []}|Nothing names it",
                "{\"title\": \"x\", \"task\": \"{{y}}\", \"output\": \"text\", \"strong\": [\"x\"]}|[y]",
                "{\"title\": \"x\", \"tusk\": \"x\", \"output\": \"text\", \"strong\": [\"x\"]}|tusk",
                "{|no JSON"
            })
    void aBrokenRecipeIsRefusedWithItsNameAndTheReason(
            String description, String reason, @TempDir Path folder) throws IOException {
        Path recipe = Files.createDirectory(folder.resolve("broken"));
        Files.writeString(recipe.resolve("recipe.json"), description);
        Files.writeString(recipe.resolve("main.py"), "print()\n");

        assertThatThrownBy(() -> planner.with(folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("broken")
                .hasMessageContaining(reason);
    }
}
