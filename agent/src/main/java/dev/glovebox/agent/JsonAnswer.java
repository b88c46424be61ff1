package dev.glovebox.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Context;
import java.util.List;
import java.util.Optional;

/** Answers that must be JSON after a schema. */
final class JsonAnswer implements Validator {

    private static final String FENCE = "```";

    private final ToolSchema schema;

    JsonAnswer(ObjectNode schema) {
        this.schema = new ToolSchema(schema);
    }

    /** The JSON of an answer: models like to put a fence around it. */
    static String of(String answer) {
        String text = answer.strip();
        int from = text.indexOf(FENCE);
        int to = text.lastIndexOf(FENCE);
        if (text.startsWith("{") || from < 0 || to <= from) {
            return text;
        }
        int line = text.indexOf('\n', from);
        return line < 0 || line > to ? text : text.substring(line + 1, to).strip();
    }

    @Override
    public Optional<String> problem(String answer, Context context) {
        List<ArgumentProblem> problems =
                switch (ArgumentReader.read(of(answer))) {
                    case ArgumentReader.Read.Wrong wrong -> List.of(wrong.problem());
                    case ArgumentReader.Read.Arguments read -> schema.problems(read.object());
                };
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "The answer must be one JSON object that follows the schema, and nothing else. "
                                + ArgumentProblem.output("answer", problems).text());
    }
}
