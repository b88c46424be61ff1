package dev.glovebox.run.spi;

import dev.glovebox.run.Question;
import dev.glovebox.run.StopReason;

/** What becomes of an effect. */
public sealed interface Decision {

    Decision ALLOW = new Allow();

    record Allow() implements Decision {}

    /** The node gets a failure with the code {@code refused}, and may go on without it. */
    record Refuse(String why) implements Decision {}

    /** Somebody is asked; the effect is performed if the answer is yes, and else the run stops. */
    record Approve(Question question) implements Decision {}

    /** The run stops. */
    record StopRun(StopReason reason) implements Decision {}
}
