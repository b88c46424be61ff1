package dev.glovebox.agent;

import org.jspecify.annotations.Nullable;

/** A tool that is made of Java code. */
record JavaTool(ToolOffer offer, ToolTraits traits, Body body) implements Tool {

    /** What it does. */
    @FunctionalInterface
    interface Body {
        @Nullable Object call(ToolInput input) throws Exception;
    }

    @Override
    public ToolOutput call(ToolInput input) throws Exception {
        return ToolJson.output(body.call(input));
    }
}
