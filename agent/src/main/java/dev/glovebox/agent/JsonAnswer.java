package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.run.Context;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Answers that must be JSON after a schema. */
final class JsonAnswer implements Validator {

    private static final String FENCE = "```";
    private static final String WANTED =
            "The answer must be JSON that follows its schema, and nothing else";

    /** How JSON begins that may hold a fence itself. */
    private static final String BEGINNINGS = "{[\"";

    private static final int LONGEST_REASON = 500;

    private final SchemaCheck schema;
    private final Optional<Class<? extends Record>> type;

    /**
     * Takes the schema.
     *
     * @throws IllegalArgumentException if it is none, or refers to another document
     */
    JsonAnswer(JsonNode schema) {
        this.schema = new SchemaCheck(schema).usable();
        this.type = Optional.empty();
    }

    /**
     * Takes a record, which the answer must also make: a schema does not tell what a constructor
     * refuses.
     *
     * @throws IllegalArgumentException if it has no schema
     */
    JsonAnswer(Class<? extends Record> type) {
        this.schema = SchemaCheck.ofTypes(ParameterSchema.of(type)).usable();
        this.type = Optional.of(type);
    }

    /** The JSON of an answer: models like to put a fence around it. */
    static String of(String answer) {
        String text = answer.strip();
        int from = text.indexOf(FENCE);
        int to = text.lastIndexOf(FENCE);
        if (from < 0 || to <= from || BEGINNINGS.indexOf(text.charAt(0)) >= 0) {
            return text;
        }
        int line = text.indexOf('\n', from);
        return line < 0 || line > to ? text : text.substring(line + 1, to).strip();
    }

    /**
     * The record of an answer.
     *
     * @throws IllegalArgumentException if it is none, with the place
     */
    static <T extends Record> T read(String answer, Class<T> type) {
        return switch (JsonText.read(of(answer))) {
            case JsonText.Read.Wrong(JsonProblem problem) ->
                    throw new IllegalArgumentException(
                            JsonProblem.error(WANTED, List.of(problem)).toString());
            case JsonText.Read.Tree(JsonNode tree) ->
                    type.cast(Objects.requireNonNull(ToolJson.read(tree, type, "")));
        };
    }

    @Override
    public Optional<String> problem(String answer, Context context) {
        return switch (JsonText.read(of(answer))) {
            case JsonText.Read.Wrong(JsonProblem problem) -> told(List.of(problem));
            case JsonText.Read.Tree(JsonNode tree) -> {
                List<JsonProblem> problems = schema.problems(tree);
                yield problems.isEmpty() ? unusable(tree) : told(problems);
            }
        };
    }

    private static Optional<String> told(List<JsonProblem> problems) {
        return Optional.of(JsonProblem.error(WANTED, problems).toString());
    }

    private Optional<String> unusable(JsonNode tree) {
        if (type.isEmpty()) {
            return Optional.empty();
        }
        try {
            Object _ = ToolJson.read(tree, type.get(), "");
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            String why = Excerpt.line(String.valueOf(e.getMessage()), LONGEST_REASON);
            return Optional.of(
                    JsonProblem.error("The answer cannot be used: " + why, List.of()).toString());
        }
    }
}
