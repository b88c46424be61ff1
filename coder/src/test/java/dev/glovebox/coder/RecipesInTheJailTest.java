package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.agent.support.Jail;
import dev.glovebox.sandbox.Language;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Every recipe, in both languages, with what is computed otherwise in Java beside it. */
class RecipesInTheJailTest {

    private static final int AT_ONCE = 2;
    private static final List<Language> LANGUAGES = List.of(Language.PYTHON, Language.JAVASCRIPT);

    @Test
    void everyRecipePrintsWhatIsRightWithItsDefaults() throws Exception {
        List<ExecutionPlan> plans = new ArrayList<>();
        for (Recipe recipe : Recipes.standard().all()) {
            for (Language language : LANGUAGES) {
                plans.add(RecipeRuns.byDefault(recipe, language));
            }
        }
        check(plans);
    }

    @Test
    void everyRecipePrintsWhatIsRightWithTheValuesOfSentences() throws Exception {
        List<ExecutionPlan> plans = new ArrayList<>();
        OfflinePlanner planner = OfflinePlanner.standard();
        Set<String> families = new HashSet<>();
        List<RecipeRuns.Example> examples = new ArrayList<>(RecipeRuns.examples("sentences.jsonl"));
        examples.addAll(RecipeRuns.examples("sentences-held-back.jsonl"));
        for (RecipeRuns.Example example : examples) {
            // In the language that it is about, and the first one of each family in both.
            List<Language> languages =
                    families.add(example.family()) ? LANGUAGES : List.of(example.language());
            for (Language language : languages) {
                if (planner.plan(Task.of(example.say()).in(language))
                        instanceof Planner.Planned.Plan(var plan)) {
                    plans.add(plan);
                }
            }
        }
        assertThat(plans).hasSizeGreaterThan(2 * families.size());
        check(plans);
    }

    @Test
    void everyRecipeManagesTheLargestValuesThatItTakes() throws Exception {
        Jail.assumed();
        List<ExecutionPlan> plans = new ArrayList<>();
        for (Recipe recipe : Recipes.standard().all()) {
            for (JsonNode inputs : RecipeRuns.largest(recipe)) {
                LANGUAGES.forEach(each -> plans.add(RecipeRuns.plan(recipe, each, inputs)));
            }
        }
        each(plans, plan -> RecipeRuns.run(plan, Map.of()));
    }

    private static void check(List<ExecutionPlan> plans) throws Exception {
        Jail.assumed();
        each(plans, RecipesInTheJailTest::check);
    }

    private static void each(List<ExecutionPlan> plans, Consumer<ExecutionPlan> task)
            throws Exception {
        List<String> wrong = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<?>> running = new ArrayList<>();
            for (ExecutionPlan plan : plans) {
                running.add(threads.submit(() -> task.accept(plan)));
            }
            for (Future<?> each : running) {
                try {
                    each.get();
                } catch (ExecutionException e) {
                    wrong.add(String.valueOf(e.getCause()));
                }
            }
        }
        assertThat(wrong).as(String.join("\n\n", wrong)).isEmpty();
    }

    private static void check(ExecutionPlan plan) {
        String printed = RecipeRuns.run(plan, Map.of());
        Oracle oracle = Oracles.of(plan.family());
        try {
            oracle.check(plan.inputs(), new Printed(printed));
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "%s in %s with %s: %s%n%s"
                            .formatted(plan.family(), plan.language(), plan.inputs(), e, printed),
                    e);
        }
    }
}
