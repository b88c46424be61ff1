package dev.glovebox.agent;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * All that is wrong with JSON that a model wrote: it may be thousands of things, of which a few are
 * told.
 *
 * @param others how many there are beside the first ones
 */
record JsonProblems(List<JsonProblem> first, int others) {

    /** None at all. */
    static final JsonProblems NONE = new JsonProblems(List.of(), 0);

    private static final int MOST = 10;

    /** A single one. */
    static JsonProblems of(JsonProblem problem) {
        return new JsonProblems(List.of(problem), 0);
    }

    boolean isEmpty() {
        return first.isEmpty();
    }

    /** What a model reads of them. */
    ObjectNode error(String error) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("error", error);
        int told = Math.min(MOST, first.size());
        for (JsonProblem problem : first.subList(0, told)) {
            json.withArray("/problems")
                    .addObject()
                    .put("field", problem.field())
                    .put("expected", problem.expected())
                    .put("got", problem.got());
        }
        int more = first.size() - told + others;
        if (more > 0) {
            json.put("more", more);
        }
        return json;
    }
}
