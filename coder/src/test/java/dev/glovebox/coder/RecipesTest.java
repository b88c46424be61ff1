package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Language;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RecipesTest {

    private static Path folder() throws URISyntaxException {
        URL index = RecipesTest.class.getResource("recipes/" + Recipes.INDEX);
        return Objects.requireNonNull(Path.of(Objects.requireNonNull(index).toURI()).getParent());
    }

    @Test
    void theIndexNamesAllFolders() throws Exception {
        try (Stream<Path> folders = Files.list(folder())) {
            assertThat(Files.readAllLines(folder().resolve(Recipes.INDEX)))
                    .isEqualTo(
                            folders.filter(Files::isDirectory)
                                    .map(each -> each.getFileName().toString())
                                    .sorted()
                                    .toList());
        }
    }

    @Test
    void thereAreManyFamiliesEachInBothLanguagesWithChecks() {
        assertThat(Recipes.standard().all()).hasSizeGreaterThanOrEqualTo(28);
        for (Recipe recipe : Recipes.standard().all()) {
            assertThat(recipe.programs().keySet())
                    .as(recipe.name())
                    .containsExactlyInAnyOrder(Language.PYTHON, Language.JAVASCRIPT);
            for (Language language : recipe.programs().keySet()) {
                ExecutionPlan plan = RecipeRuns.byDefault(recipe, language);
                assertThat(plan.checks()).as(recipe.name()).hasSizeGreaterThan(1);
                assertThat(RecipeRuns.source(plan))
                        .as(recipe.name())
                        .startsWith(language == Language.PYTHON ? "\"\"\"" : "//")
                        .doesNotContain("{{")
                        .doesNotContain("{%")
                        .doesNotContain("TODO")
                        .doesNotContain("\n\n\n\n");
            }
        }
    }

    @Test
    void noSentenceOfTheTablesIsWhatARecipeAnswersTo() {
        List<String> said =
                RecipeRuns.examples("sentences.jsonl").stream()
                        .map(example -> example.say().toLowerCase(Locale.ROOT))
                        .toList();
        for (Recipe recipe : Recipes.standard().all()) {
            assertThat(recipe.phrases().stream().map(Phrase::toString))
                    .as(recipe.name())
                    .doesNotContainAnyElementsOf(said);
        }
    }
}
