package dev.glovebox.agent;

import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Optional;

/**
 * Which wall programs are to stand behind.
 *
 * <p>One that was asked for is on record with each program before it runs, so that a program which
 * is begun again does not end up behind another one. If it is not there, or cannot enforce the
 * policy, nothing runs: no other one takes its place.
 */
public final class Wall {

    private static final Wall FASTEST = new Wall(Optional.empty(), Optional.empty());
    private static final String NAME = "[A-Za-z0-9._-]{1,64}";

    private final Optional<String> name;
    private final Optional<Tier> own;

    private Wall(Optional<String> name, Optional<Tier> own) {
        this.name = name;
        this.own = own;
    }

    /** The fastest one that satisfies the policy. */
    public static Wall fastest() {
        return FASTEST;
    }

    /** The one of that name, such as {@code opensandbox}. */
    public static Wall named(String tier) {
        return new Wall(Optional.of(tier), Optional.empty());
    }

    /**
     * One of your own, such as the container engine of one tenant.
     *
     * @param name tells it from others of its kind: on record it is {@code container@name}
     * @throws IllegalArgumentException if the name is not made of letters, digits, '.', '_' and '-'
     */
    public static Wall of(String name, Tier tier) {
        if (!name.matches(NAME)) {
            throw new IllegalArgumentException(
                    "'%s' is no name for a wall: at most 64 letters, digits, '.', '_' and '-'"
                            .formatted(name));
        }
        return new Wall(Optional.of(tier.name() + "@" + name), Optional.of(tier));
    }

    /** What is on record; empty: none was asked for. */
    Optional<String> name() {
        return name;
    }

    /**
     * Opens a box behind it.
     *
     * @throws NotEnforceable if there is none that satisfies the policy
     */
    Sandbox open(Policy policy, Language... languages) {
        if (own.isPresent()) {
            return Sandboxes.openTier(own.get(), policy, languages);
        }
        return name.isPresent()
                ? Sandboxes.openTier(name.get(), policy, languages)
                : Sandboxes.open(policy, languages);
    }
}
