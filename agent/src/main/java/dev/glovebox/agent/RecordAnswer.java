package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.run.Context;
import java.util.Objects;
import java.util.Optional;

/**
 * Answers that must make a record: they follow its schema, what they leave out is filled in as in
 * the arguments of a tool, and its constructor accepts them.
 */
final class RecordAnswer<T extends Record> implements Validator {

    private static final int LONGEST_REASON = 500;

    private final Class<T> type;
    private final FilledSchema schema;

    /**
     * Takes the record.
     *
     * @throws IllegalArgumentException if it has no schema
     */
    RecordAnswer(Class<T> type) {
        this.type = type;
        this.schema = FilledSchema.ofTypes(ParameterSchema.of(type));
    }

    /**
     * The record of an answer.
     *
     * @throws IllegalArgumentException if it makes none, with what a model reads of that
     */
    T read(String answer) {
        return switch (JsonText.read(JsonAnswer.of(answer))) {
            case JsonText.Read.Wrong(JsonProblem problem) -> throw wrong(JsonProblems.of(problem));
            case JsonText.Read.Tree(JsonNode tree) -> {
                JsonProblems problems = schema.fill(tree);
                if (!problems.isEmpty()) {
                    throw wrong(problems);
                }
                yield made(tree);
            }
        };
    }

    @Override
    public Optional<String> problem(String answer, Context context) {
        try {
            T _ = read(answer);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private T made(JsonNode tree) {
        try {
            return type.cast(Objects.requireNonNull(ToolJson.read(tree, type, "")));
        } catch (IllegalArgumentException e) {
            String why = Excerpt.line(String.valueOf(e.getMessage()), LONGEST_REASON);
            throw new IllegalArgumentException(
                    JsonProblems.NONE.error("The answer cannot be used: " + why).toString(), e);
        }
    }

    private static IllegalArgumentException wrong(JsonProblems problems) {
        return new IllegalArgumentException(JsonAnswer.told(problems));
    }
}
