package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.run.Context;
import dev.glovebox.sandbox.Language;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes code without a model, from the recipe that a plan names and its inputs.
 *
 * <p>The inputs become literals of the language: whatever they hold, they stay data.
 */
public final class OfflineCoder implements Coder {

    private final Recipes recipes;

    private OfflineCoder(Recipes recipes) {
        this.recipes = recipes;
    }

    /** With the recipes that come with it. */
    public static OfflineCoder standard() {
        return new OfflineCoder(Recipes.standard());
    }

    /**
     * And with those of a folder.
     *
     * @throws IllegalArgumentException if one cannot be used, with its name and the reason
     */
    public OfflineCoder with(Path folder) {
        return new OfflineCoder(recipes.with(folder));
    }

    @Override
    public Coded code(ExecutionPlan plan, Context context) {
        return code(plan);
    }

    Coded code(ExecutionPlan plan) {
        Optional<Recipe> recipe = recipes.named(plan.family());
        if (recipe.isEmpty()) {
            return new Coded.Stuck(
                    plan.family().isEmpty()
                            ? "The plan is no recipe, and without a model only recipes are written."
                            : "There is no recipe " + plan.family() + ".");
        }
        Language language = plan.language();
        RecipeTemplate program = recipe.get().programs().get(language);
        if (program == null) {
            return new Coded.Stuck(
                    "The recipe %s is not there in %s.".formatted(plan.family(), language));
        }
        Set<String> missing = new TreeSet<>(program.names());
        plan.inputs().fieldNames().forEachRemaining(missing::remove);
        if (!missing.isEmpty()) {
            return new Coded.Stuck("The plan has no values for " + List.copyOf(missing) + ".");
        }
        JsonNode inputs = plan.inputs();
        String source = program.fill(inputs, value -> Literals.of(value, language));
        return new Coded.Code(CodeArtifact.of(language, source));
    }
}
