package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.run.Context;
import java.util.Optional;

/** Answers that must be JSON after a schema. */
final class JsonAnswer implements Validator {

    private static final String FENCE = "```";
    private static final String WANTED =
            "The answer must be JSON that follows its schema, and nothing else";

    /** How JSON begins that may hold a fence itself. */
    private static final String BEGINNINGS = "{[\"";

    private final SchemaCheck schema;

    /**
     * Takes the schema.
     *
     * @throws IllegalArgumentException if it is none, or refers to another document
     */
    JsonAnswer(JsonNode schema) {
        this.schema = new SchemaCheck(schema).usable();
    }

    /**
     * The JSON of an answer: models like to put a fence around it, and of some the server does not
     * take away what they thought before.
     */
    static String of(String answer) {
        String text = answer.strip();
        return text.isEmpty() || BEGINNINGS.indexOf(text.charAt(0)) >= 0
                ? text
                : unfenced(Thoughts.without(text));
    }

    private static String unfenced(String text) {
        int from = text.indexOf(FENCE);
        int to = text.lastIndexOf(FENCE);
        if (from < 0 || to <= from || BEGINNINGS.indexOf(text.charAt(0)) >= 0) {
            return text;
        }
        int line = text.indexOf('\n', from);
        return line < 0 || line > to ? text : text.substring(line + 1, to).strip();
    }

    /** What a model reads of an answer that does not fit. */
    static String told(JsonProblems problems) {
        return problems.error(WANTED).toString();
    }

    @Override
    public Optional<String> problem(String answer, Context context) {
        JsonProblems problems =
                switch (JsonText.read(of(answer))) {
                    case JsonText.Read.Wrong(JsonProblem problem) -> JsonProblems.of(problem);
                    case JsonText.Read.Tree(JsonNode tree) -> schema.problems(tree);
                };
        return problems.isEmpty() ? Optional.empty() : Optional.of(told(problems));
    }
}
