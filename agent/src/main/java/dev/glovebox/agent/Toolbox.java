package dev.glovebox.agent;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** The tools of an agent, by name. */
public final class Toolbox {

    private final SequencedMap<String, Tool> tools;

    private Toolbox(SequencedMap<String, Tool> tools) {
        this.tools = tools;
    }

    /**
     * Takes tools.
     *
     * @throws IllegalArgumentException if two have the same name
     */
    public static Toolbox of(List<Tool> tools) {
        SequencedMap<String, Tool> named = new LinkedHashMap<>();
        for (Tool tool : tools) {
            if (named.put(tool.offer().name(), tool) != null) {
                throw new IllegalArgumentException(
                        "Two tools have the name " + tool.offer().name());
            }
        }
        return new Toolbox(named);
    }

    /** What models are told of them. */
    public List<ToolOffer> offers() {
        return tools.values().stream().map(Tool::offer).toList();
    }

    Map<String, Tool> tools() {
        return tools;
    }
}
