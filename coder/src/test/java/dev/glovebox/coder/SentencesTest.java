package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.coder.RecipeRuns.Example;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people say, in many wordings, and what is understood. */
class SentencesTest {

    private static final double RIGHT = 0.9;

    private final OfflinePlanner planner = OfflinePlanner.standard();

    @ParameterizedTest
    @ValueSource(strings = {"sentences.jsonl", "sentences-held-back.jsonl"})
    void mostSentencesAreUnderstoodWithFamilyLanguageAndValues(String table) {
        List<Example> examples = RecipeRuns.examples(table);
        List<String> wrong = new ArrayList<>();
        for (Example example : examples) {
            String difference = difference(example);
            if (!difference.isEmpty()) {
                wrong.add(example.say() + "\n    " + difference);
            }
        }
        double right = 1 - (double) wrong.size() / examples.size();
        System.out.printf(
                "%s: %d of %d right%n%s%n",
                table, examples.size() - wrong.size(), examples.size(), String.join("\n", wrong));
        assertThat(right).as(String.join("\n", wrong)).isGreaterThanOrEqualTo(RIGHT);
    }

    private String difference(Example example) {
        return switch (planner.plan(Task.of(example.say()))) {
            case Planner.Planned.Unclear unclear -> "unclear: " + unclear.why();
            case Planner.Planned.Plan(ExecutionPlan plan) -> {
                if (!plan.family().equals(example.family())) {
                    yield "is no " + plan.family();
                }
                if (plan.language() != example.language()) {
                    yield "is not in " + plan.language();
                }
                for (Map.Entry<String, JsonNode> value : example.values().properties()) {
                    JsonNode read = plan.inputs().path(value.getKey());
                    if (!Recipe.plain(read).equals(Recipe.plain(value.getValue()))) {
                        yield "%s is not %s".formatted(value.getKey(), read);
                    }
                }
                yield "";
            }
        };
    }

    @Test
    void whatNoRecipeCoversIsSaidSo() {
        List<String> pretended = new ArrayList<>();
        for (String sentence : RecipeRuns.lines("sentences-not-covered.txt")) {
            if (planner.plan(Task.of(sentence)) instanceof Planner.Planned.Plan(var plan)) {
                pretended.add(sentence + "\n    is no " + plan.family());
            }
        }
        assertThat(pretended).as(String.join("\n", pretended)).isEmpty();
    }

    @Test
    void theTableIsLargeEnoughAndHasEveryRecipe() {
        List<Example> examples = RecipeRuns.examples("sentences.jsonl");

        assertThat(examples).hasSizeGreaterThanOrEqualTo(150);
        assertThat(examples.stream().map(Example::family).distinct())
                .containsExactlyInAnyOrderElementsOf(
                        Recipes.standard().all().stream().map(Recipe::name).toList());
    }
}
