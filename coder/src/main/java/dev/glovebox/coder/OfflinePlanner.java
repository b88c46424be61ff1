package dev.glovebox.coder;

import dev.glovebox.agent.Excerpt;
import dev.glovebox.coder.Recognition.Ranking;
import dev.glovebox.coder.Recognition.Score;
import dev.glovebox.run.Context;
import dev.glovebox.sandbox.Language;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Plans without a model, what recipes can do.
 *
 * <p>It recognises which recipe a sentence is about, and takes the values out of it. What no recipe
 * covers is {@link Planned.Unclear}, and never something similar.
 */
public final class OfflinePlanner implements Planner {

    private static final String MODEL =
            "A model can do more: --model anthropic:claude-haiku-4-5 with its key in"
                    + " ANTHROPIC_API_KEY, openai:… with OPENAI_API_KEY, google:… with"
                    + " GOOGLE_API_KEY, or ollama:… without a key.";

    private static final int MOST_NAMED = 5;
    private static final int LONGEST_NAMED = 40;

    private final Recipes recipes;
    private final Vocabulary vocabulary;
    private final Recognition recognition;

    private OfflinePlanner(Recipes recipes) {
        this.recipes = recipes;
        this.vocabulary = recipes.vocabulary();
        this.recognition = new Recognition(recipes, vocabulary);
    }

    /** With the recipes that come with it. */
    public static OfflinePlanner standard() {
        return new OfflinePlanner(Recipes.standard());
    }

    /**
     * And with those of a folder; give the same one to the {@link OfflineCoder}.
     *
     * @param folder with a folder for each recipe
     * @throws IllegalArgumentException if one cannot be used, with its name and the reason
     */
    public OfflinePlanner with(Path folder) {
        return new OfflinePlanner(recipes.with(folder));
    }

    @Override
    public Planned plan(Task task, Context context) {
        return plan(task);
    }

    Planned plan(Task task) {
        Optional<String> unreadable = unreadable(task.sentence());
        if (unreadable.isPresent()) {
            return new Planned.Unclear(unreadable.get());
        }
        Sentence sentence = Sentence.of(task.sentence(), vocabulary);
        Ranking ranking = recognition.rank(sentence);
        if (ranking.best().isEmpty()) {
            return new Planned.Unclear(uncovered(vocabulary.reasons(sentence), ranking.near()));
        }
        Score best = ranking.best().get();
        List<String> problems = best.values().problems();
        if (!problems.isEmpty()) {
            return new Planned.Unclear(
                    "This is a task for the recipe %s, but %s. %s"
                            .formatted(best.recipe().name(), String.join("; ", problems), MODEL));
        }
        if (!best.left().isEmpty()) {
            return new Planned.Unclear(halfCovered(best));
        }
        return language(task, sentence, best);
    }

    private static Optional<String> unreadable(String text) {
        if (text.isBlank()) {
            return Optional.of(
                    "There is no task: it is empty. Say in a sentence what a program is to do.");
        }
        if (text.length() > Sentence.LONGEST) {
            return Optional.of(
                    "The task has %d characters; without a model at most %d are read. Put long data"
                                    .formatted(text.length(), Sentence.LONGEST)
                            + " into a file.");
        }
        boolean broken =
                text.codePoints()
                        .anyMatch(point ->
                                point == '\uFFFD'
                                        || Character.getType(point) == Character.SURROGATE
                                        || (Character.isISOControl(point)
                                                && "\t\n\r".indexOf(point) < 0));
        return broken
                ? Optional.of(
                        "The task is no text: there are control characters or broken ones in it.")
                : Optional.empty();
    }

    private static String uncovered(List<String> reasons, List<Score> near) {
        StringBuilder why =
                new StringBuilder("Without a model only recipes are known, and none covers this.");
        reasons.forEach(reason -> why.append(' ').append(reason));
        if (!near.isEmpty()) {
            why.append(" Nearest: ")
                    .append(
                            String.join(
                                    "; ",
                                    near.stream()
                                            .map(score ->
                                                    "%s (%s)"
                                                            .formatted(
                                                                    score.recipe().name(),
                                                                    score.recipe().title()))
                                            .toList()))
                    .append(". If you mean one of these, say it in those words.");
        }
        return why.append(' ').append(MODEL).toString();
    }

    /** To do what is understood would be to do something else. */
    private static String halfCovered(Score best) {
        List<String> left =
                best.left().stream()
                        .limit(MOST_NAMED)
                        .map(word -> "'" + Excerpt.line(word, LONGEST_NAMED) + "'")
                        .toList();
        return "The nearest recipe is %s (%s), but it has no answer to %s. If you mean what it does, say it without that. %s"
                .formatted(
                        best.recipe().name(),
                        best.recipe().title(),
                        String.join(", ", left),
                        MODEL);
    }

    private Planned language(Task task, Sentence sentence, Score best) {
        Optional<Language> wanted = task.language();
        List<Vocabulary.Named> named = vocabulary.languages(sentence);
        if (wanted.isEmpty() && !named.isEmpty()) {
            Optional<Vocabulary.Named> known =
                    named.stream()
                            .filter(each ->
                                    each.language()
                                            .filter(best.recipe().programs()::containsKey)
                                            .isPresent())
                            .findFirst();
            if (known.isEmpty()) {
                return new Planned.Unclear(notIn(best.recipe(), named.getFirst().name()));
            }
            wanted = known.get().language();
        }
        Language language = wanted.orElse(preferred(best.recipe()));
        if (!best.recipe().programs().containsKey(language)) {
            return new Planned.Unclear(notIn(best.recipe(), language.toString()));
        }
        return new Planned.Plan(plan(best, language));
    }

    private static Language preferred(Recipe recipe) {
        return recipe.programs().containsKey(Language.PYTHON)
                ? Language.PYTHON
                : recipe.programs().keySet().iterator().next();
    }

    private static String notIn(Recipe recipe, String language) {
        return "There is a recipe for it, %s (%s), but not in %s; it is there in %s. %s"
                .formatted(
                        recipe.name(),
                        recipe.title(),
                        language,
                        String.join(
                                " and ",
                                recipe.programs().keySet().stream()
                                        .sorted()
                                        .map(Language::toString)
                                        .toList()),
                        MODEL);
    }

    private static ExecutionPlan plan(Score best, Language language) {
        Recipe recipe = best.recipe();
        var inputs = best.values().inputs();
        List<String> assumed = best.values().assumed();
        String task = recipe.describe(inputs);
        if (!assumed.isEmpty()) {
            task += ". Not said, so assumed: " + String.join(", ", assumed);
        }
        return new ExecutionPlan(
                language,
                List.of(),
                false,
                task,
                recipe.name(),
                inputs,
                recipe.output(),
                recipe.checks(inputs));
    }

    @Override
    public String toString() {
        return "offline planner with %d recipes".formatted(recipes.all().size());
    }
}
