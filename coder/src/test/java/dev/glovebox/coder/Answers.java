package dev.glovebox.coder;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.agent.support.Turn;

/** What models answer. */
final class Answers {

    private static final JsonMapper JSON = new JsonMapper();

    private Answers() {}

    /** A plan for a program of Python that prints a text. */
    static ObjectNode plan(String task, String prints) {
        ObjectNode plan =
                JSON.createObjectNode()
                        .put("unclear", "")
                        .put("language", "PYTHON")
                        .put("shell", false)
                        .put("task", task)
                        .put("output", "TEXT");
        plan.putArray("dependencies");
        plan.putArray("inputs").addObject().put("name", "n").put("value", "3");
        plan.putArray("checks").addObject().put("kind", "PRINTS").put("value", prints);
        return plan;
    }

    static ObjectNode code(String name, String text) {
        ObjectNode code = JSON.createObjectNode().put("stuck", "").put("entry", name);
        code.putArray("files").addObject().put("name", name).put("text", text);
        code.putArray("dependencies");
        code.putArray("arguments");
        return code;
    }

    static ObjectNode repair(String cause, String name, String text) {
        ObjectNode repair = code(name, text);
        repair.remove("stuck");
        return repair.put("category", "type")
                .put("cause", cause)
                .put("fix", "Do it right")
                .put("confidence", 0.9);
    }

    static Turn says(ObjectNode answer) {
        return Turn.says(answer.toString());
    }
}
