package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.spi.ResultFiles;
import java.util.Optional;

/** What a tier knows about one of its running commands. */
interface Body {

    /** Writing end of its standard input, not blocking. */
    int stdin();

    /** Reading end of its standard output. */
    int stdout();

    /** Reading end of its standard error. */
    int stderr();

    /** A descriptor that becomes readable when there is news about its end. */
    int ending();

    /** Takes the news; how it ended by itself, or empty if it has not. */
    Optional<Outcome> end();

    /** Whether its end cannot come any more, since what was to start it is gone. */
    boolean lost();

    /** Makes sure that its end is seen, after everything in the box was killed. */
    void hangUp();

    Meter meter();

    /** The connections that were asked for while it ran. */
    ConnectionLog connections();

    /** What is known of the receipt before the end. */
    Evidence evidence(Program program);

    /** Reads the result files that the program asked for. */
    ResultFiles outputs(Program program);

    /** Closes its descriptors; called once, by the pump. */
    void release();
}
