package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.Availability;
import java.util.Optional;

/** What boxes of a wall are made on. */
interface Ground {

    Availability probe();

    void prepare();

    int sweep();

    Optional<Interpreter> interpreter(Language language, Policy policy);

    /** See {@link dev.glovebox.sandbox.spi.Tier#check}. */
    void check(Policy policy);

    Sandbox open(Policy policy);
}
