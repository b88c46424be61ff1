package dev.glovebox.run;

/** What effects use up. */
public enum Resource {
    TOKENS("tokens"),
    /** Millionths of a dollar. */
    MONEY("millionths of a dollar"),
    MODEL_CALLS("model calls"),
    TOOL_CALLS("tool calls"),
    /** Milliseconds in a sandbox. */
    SANDBOX("milliseconds in a sandbox");

    private final String unit;

    Resource(String unit) {
        this.unit = unit;
    }

    public String unit() {
        return unit;
    }

    public long of(Cost cost) {
        return switch (this) {
            case TOKENS -> cost.tokens();
            case MONEY -> cost.microDollars();
            case MODEL_CALLS -> cost.modelCalls();
            case TOOL_CALLS -> cost.toolCalls();
            case SANDBOX -> cost.sandboxMillis();
        };
    }
}
