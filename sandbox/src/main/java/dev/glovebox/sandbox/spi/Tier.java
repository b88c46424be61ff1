package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Sandbox;
import java.time.Duration;
import java.util.Optional;

/** A wall that boxes can stand behind; found by {@link java.util.ServiceLoader}. */
public interface Tier {

    /** The word that chooses it, such as {@code jail}. */
    String name();

    /** How strong it counts. */
    Isolation isolation();

    /** About how long a fresh box takes, to choose the fastest. */
    Duration typicalStart();

    /** Does ahead what the first box would wait for; a server calls it before traffic comes. */
    default void prepare() {}

    /** Removes what JVMs that were killed have left on this machine; returns how many things. */
    int sweep();

    /** Tries whether it works on this machine; bounded in time. */
    Availability probe();

    /**
     * The interpreter a box of this tier gets for a language.
     *
     * @throws dev.glovebox.sandbox.InvalidPolicy if the policy names one that cannot be used
     * @throws NotEnforceable if the policy names an image that cannot be had
     */
    Optional<Interpreter> interpreter(Language language, Policy policy);

    /** Whether it brings its interpreters, so that none installed on the host adds to them. */
    default boolean ownInterpreters() {
        return false;
    }

    /** Whether its boxes are made of the image that a policy names. */
    default boolean takesImages() {
        return false;
    }

    /** Whether it is never chosen, only asked for by name: what runs there leaves this machine. */
    default boolean onlyByName() {
        return false;
    }

    /**
     * Refuses what it can enforce nowhere, without asking anybody or starting anything.
     *
     * @throws NotEnforceable naming the control
     */
    default void check(Policy policy) {}

    /**
     * Opens a fresh box.
     *
     * @throws NotEnforceable if the tier or a control that the policy asks for cannot be had; then
     *     nothing was started, or nothing of it is left
     */
    Sandbox open(Policy policy);
}
