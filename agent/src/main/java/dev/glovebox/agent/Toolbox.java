package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/** The tools of an agent, by name. */
public final class Toolbox {

    private static final Toolbox EMPTY = new Toolbox(new LinkedHashMap<>());

    private static final int LONGEST_NAME = 100;
    private static final int MOST_NAMES = 100;

    private final SequencedMap<String, Slot> slots;
    private final List<ToolOffer> offers;
    private final boolean handsOver;

    private Toolbox(SequencedMap<String, Slot> slots) {
        this.slots = slots;
        // One list for all prompts, so that it need not be looked at each time.
        this.offers = List.copyOf(slots.values().stream().map(Slot::offer).toList());
        this.handsOver = slots.values().stream().anyMatch(slot -> slot.tool() instanceof Handoff);
    }

    /** A tool, with its offer as it was when it came in: what is checked is what was offered. */
    private record Slot(Tool tool, ToolOffer offer, FilledSchema schema) {

        private static Slot of(Tool tool, ToolOffer offer) {
            return new Slot(
                    tool,
                    offer,
                    tool instanceof JavaTool java && java.isOfTypes()
                            ? FilledSchema.ofTypes(offer.parameters())
                            : FilledSchema.of(offer.parameters()));
        }
    }

    /** No tools. */
    public static Toolbox empty() {
        return EMPTY;
    }

    /**
     * Takes tools.
     *
     * @throws IllegalArgumentException if two have the same name, or one has none that vendors take
     */
    public static Toolbox of(List<Tool> tools) {
        return EMPTY.plus(tools.toArray(Tool[]::new));
    }

    /**
     * These, and more.
     *
     * @throws IllegalArgumentException if two have the same name, or one has none that vendors take
     */
    public Toolbox plus(Tool... more) {
        SequencedMap<String, Slot> named = new LinkedHashMap<>(slots);
        for (Tool tool : more) {
            ToolOffer offer = tool.offer();
            if (!ToolName.isFit(offer.name())) {
                throw new IllegalArgumentException(
                        "A tool has a name of up to 64 letters, digits, '_' and '-', not '%s'"
                                .formatted(Excerpt.line(offer.name(), LONGEST_NAME)));
            }
            if (named.put(offer.name(), Slot.of(tool, offer)) != null) {
                throw new IllegalArgumentException("Two tools have the name " + offer.name());
            }
        }
        return new Toolbox(named);
    }

    /** What models are told of them. */
    public List<ToolOffer> offers() {
        return offers;
    }

    public List<String> names() {
        return List.copyOf(slots.sequencedKeySet());
    }

    List<Tool> tools() {
        return slots.sequencedValues().stream().map(Slot::tool).toList();
    }

    /** The agent that a tool hands over to, if it does. */
    Optional<String> handsTo(String name) {
        Slot slot = handsOver ? slots.get(name) : null;
        return slot != null && slot.tool() instanceof Handoff handoff
                ? Optional.of(handoff.to())
                : Optional.empty();
    }

    /** Says whether a call can be made; whatever a model wrote, it is not made. */
    ToolCheck check(ToolCall call) {
        Slot slot = slots.get(call.name());
        if (slot == null) {
            return new ToolCheck.Unfit(unknown(call.name()));
        }
        // With nothing some models call a tool that has no parameters.
        String written = call.arguments().isBlank() ? "{}" : call.arguments();
        return switch (JsonText.read(written)) {
            case JsonText.Read.Wrong(JsonProblem problem) -> unfit(call, JsonProblems.of(problem));
            case JsonText.Read.Tree(ObjectNode arguments) -> {
                JsonProblems problems = slot.schema().fill(arguments);
                yield problems.isEmpty()
                        ? new ToolCheck.Fit(slot.tool(), arguments)
                        : unfit(call, problems);
            }
            case JsonText.Read.Tree(JsonNode other) ->
                    unfit(call, JsonProblems.of(JsonProblem.of("", "a JSON object", other)));
        };
    }

    private static ToolCheck unfit(ToolCall call, JsonProblems problems) {
        ObjectNode error = problems.error("The arguments do not fit, so the tool was not called");
        return new ToolCheck.Unfit(ToolOutput.error(error.put("tool", call.name()).toString()));
    }

    private ToolOutput unknown(String name) {
        ObjectNode json =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("error", "There is no such tool")
                        .put("tool", Excerpt.line(name, LONGEST_NAME));
        nearest(name).ifPresent(near -> json.put("did_you_mean", near));
        names().stream().limit(MOST_NAMES).forEach(json.putArray("available")::add);
        return ToolOutput.error(json.toString());
    }

    private Optional<String> nearest(String wrong) {
        record Guess(String name, int distance) {}
        if (wrong.length() > LONGEST_NAME) {
            return Optional.empty();
        }
        return slots.sequencedKeySet().stream()
                .filter(name -> name.length() <= LONGEST_NAME)
                .map(name -> new Guess(name, Nearness.distance(wrong, name)))
                .filter(guess -> guess.distance() <= Math.max(1, guess.name().length() / 3))
                .min(Comparator.comparingInt(Guess::distance))
                .map(Guess::name);
    }
}
