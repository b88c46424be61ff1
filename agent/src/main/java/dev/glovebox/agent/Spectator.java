package dev.glovebox.agent;

import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Result;
import java.util.function.Consumer;

/** Sees an execution while it goes on, and may stop it. */
public interface Spectator extends Consumer<Chunk> {

    /** Sees nothing. */
    Spectator NONE = chunk -> {};

    /** It has begun. */
    default void started(Execution execution) {}

    /** It has come to its end, and its box is gone. */
    default void ended(Result result) {}

    /** Nothing ran, or the box was lost. */
    default void failed(RuntimeException problem) {}
}
