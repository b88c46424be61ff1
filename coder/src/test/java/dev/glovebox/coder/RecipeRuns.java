package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.Sandboxes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** Sentences, what is expected of them, and what their programs really print. */
final class RecipeRuns {

    static final ObjectMapper JSON = new ObjectMapper();

    private RecipeRuns() {}

    /** A sentence, and what it means. */
    record Example(String say, String family, Language language, JsonNode values) {}

    static List<Example> examples(String name) {
        List<Example> examples = new ArrayList<>();
        for (String line : lines(name)) {
            try {
                JsonNode json = JSON.readTree(line);
                examples.add(
                        new Example(
                                json.path("say").asText(),
                                json.path("family").asText(),
                                json.path("language").asText().equals("python")
                                        ? Language.PYTHON
                                        : Language.JAVASCRIPT,
                                json.path("values")));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(line, e);
            }
        }
        return examples;
    }

    static List<String> lines(String name) {
        try (InputStream in = RecipeRuns.class.getResourceAsStream(name)) {
            return new String(
                            Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With nothing said of any value. */
    static ExecutionPlan byDefault(Recipe recipe, Language language) {
        ObjectNode inputs = JSON.createObjectNode();
        recipe.values().forEach(value -> inputs.set(value.name(), value.byDefault()));
        return plan(recipe, language, inputs);
    }

    /** With the largest numbers that it takes, once for each option of its choices. */
    static List<JsonNode> largest(Recipe recipe) {
        ObjectNode inputs = JSON.createObjectNode();
        for (RecipeValue value : recipe.values()) {
            boolean number = value.type() == ValueType.INTEGER || value.type() == ValueType.NUMBER;
            if (number && value.most() < RecipeValue.UNBOUNDED) {
                inputs.put(value.name(), (long) value.most());
            } else {
                inputs.set(value.name(), value.byDefault());
            }
        }
        List<JsonNode> all = new ArrayList<>(List.of(inputs));
        for (RecipeValue value : recipe.values()) {
            if (value.type() == ValueType.CHOICE) {
                value.options()
                        .keySet()
                        .forEach(option -> all.add(inputs.deepCopy().put(value.name(), option)));
            }
        }
        return all;
    }

    static ExecutionPlan plan(Recipe recipe, Language language, JsonNode inputs) {
        return new ExecutionPlan(
                language,
                List.of(),
                false,
                recipe.describe(inputs),
                recipe.name(),
                inputs,
                recipe.output(),
                recipe.checks(inputs));
    }

    static String source(ExecutionPlan plan) {
        return switch (OfflineCoder.standard().code(plan)) {
            case Coder.Coded.Code code -> code.artifact().source();
            case Coder.Coded.Stuck stuck -> throw new AssertionError(stuck.why());
        };
    }

    /** Runs it in a box of its own; what it printed has passed the checks of the plan. */
    static String run(ExecutionPlan plan, Map<String, String> files) {
        String source = source(plan);
        Program program = Program.script(plan.language(), source.getBytes(StandardCharsets.UTF_8));
        for (Map.Entry<String, String> file : files.entrySet()) {
            program =
                    program.input(file.getKey(), file.getValue().getBytes(StandardCharsets.UTF_8));
        }
        Result result;
        try (Sandbox box = Sandboxes.open(Policy.denyAll(), plan.language())) {
            result = box.run(program);
        }
        String printed = new String(result.stdout().bytes(), StandardCharsets.UTF_8);
        assertThat(result.outcome())
                .as(
                        "%s in %s: %s%n%s",
                        plan.task(),
                        plan.language(),
                        new String(result.stderr().bytes(), StandardCharsets.UTF_8),
                        source)
                .isInstanceOfSatisfying(
                        Outcome.Exited.class, exited -> assertThat(exited.code()).isZero());
        for (Check check : plan.checks()) {
            if (check instanceof Check.Matches matches) {
                assertThat(Pattern.compile(matches.expression()).matcher(printed).find())
                        .as("%s in what %s printed:%n%s", matches, plan.family(), printed)
                        .isTrue();
            }
        }
        return printed;
    }
}
