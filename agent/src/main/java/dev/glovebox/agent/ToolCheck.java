package dev.glovebox.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Whether a call that a model wants can be made. */
sealed interface ToolCheck {

    /**
     * It can.
     *
     * @param arguments that follow the schema, with its defaults
     */
    record Fit(Tool tool, ObjectNode arguments) implements ToolCheck {}

    /** It cannot; the model is told why. */
    record Unfit(ToolOutput error) implements ToolCheck {}
}
