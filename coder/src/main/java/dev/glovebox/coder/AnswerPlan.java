package dev.glovebox.coder;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.glovebox.sandbox.Language;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A plan, as a model gives it.
 *
 * @param unclear what is missing, if the task cannot be planned; else empty
 */
record AnswerPlan(
        String unclear,
        Language language,
        List<String> dependencies,
        boolean shell,
        String task,
        List<Input> inputs,
        ExecutionPlan.OutputKind output,
        List<AnswerCheck> checks) {

    private static final int MOST_CHECKS = 20;
    private static final int MOST_INPUTS = 100;
    private static final int LONGEST_TASK = 32 * 1024;
    private static final int MOST_DEPTH = 32;

    private static final JsonMapper JSON = json();

    private static JsonMapper json() {
        JsonMapper mapper =
                JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
        mapper.getFactory()
                .setStreamReadConstraints(
                        StreamReadConstraints.builder().maxNestingDepth(MOST_DEPTH).build());
        return mapper;
    }

    /**
     * A value that the task names.
     *
     * @param value as JSON, or a text
     */
    record Input(String name, String value) {}

    boolean isUnclear() {
        return !unclear.isBlank();
    }

    /** What is wrong with it, for the model to read. */
    Optional<String> problem(Optional<Language> wanted) {
        if (isUnclear()) {
            return Optional.empty();
        }
        List<String> problems = new ArrayList<>();
        if (task.isBlank() || task.length() > LONGEST_TASK) {
            problems.add("'task' says what the program is to do, in up to 32,000 characters");
        }
        wanted.filter(one -> one != language)
                .ifPresent(one -> problems.add("The language must be " + one.name()));
        problems.addAll(AnswerDependencies.problems(language, dependencies));
        if (inputs.size() > MOST_INPUTS || checks.size() > MOST_CHECKS) {
            problems.add(
                    "There may be at most %d inputs and %d checks"
                            .formatted(MOST_INPUTS, MOST_CHECKS));
        } else {
            checks.forEach(check -> check.problem(language).ifPresent(problems::add));
        }
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of("This plan cannot be used:\n- " + String.join("\n- ", problems));
    }

    /** The plan, which has no problem. A program that fails is never what somebody wants. */
    ExecutionPlan plan() {
        List<Check> all = new ArrayList<>();
        for (AnswerCheck check : checks) {
            all.add(check.check(language, all.size() + 1));
        }
        if (all.stream().noneMatch(Check.Exits.class::isInstance)) {
            all.addFirst(new Check.Exits(0));
        }
        ObjectNode values = JsonNodeFactory.instance.objectNode();
        inputs.forEach(input -> values.set(input.name(), value(input.value())));
        return new ExecutionPlan(language, dependencies, shell, task, "", values, output, all);
    }

    private static JsonNode value(String text) {
        try {
            JsonNode tree = JSON.readTree(text);
            return tree.isMissingNode() ? TextNode.valueOf(text) : tree;
        } catch (JsonProcessingException e) {
            return TextNode.valueOf(text);
        }
    }
}
