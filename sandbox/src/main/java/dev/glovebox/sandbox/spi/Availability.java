package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.Control;
import java.util.List;

/** Whether a tier works on this machine. */
public sealed interface Availability {

    /**
     * It works.
     *
     * @param version of what it is made of
     * @param controls what it can enforce here, and how
     */
    record Works(String version, List<Control> controls) implements Availability {}

    /**
     * It does not work.
     *
     * @param reason what is missing or in the way
     * @param remedy what to type, or do, to get it
     */
    record Missing(String reason, String remedy) implements Availability {}
}
