package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Tier;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** A wall, and the ground that its boxes stand on, which is looked for when it is needed. */
abstract class GroundedTier implements Tier {

    private final Wall wall;
    private final Supplier<Ground> ground;

    GroundedTier(Wall wall, Supplier<Ground> ground) {
        this.wall = wall;
        this.ground = ground;
    }

    @Override
    public String name() {
        return wall.tier();
    }

    @Override
    public Isolation isolation() {
        return wall.isolation();
    }

    @Override
    public Duration typicalStart() {
        return wall.typicalStart();
    }

    @Override
    public void prepare() {
        ground.get().prepare();
    }

    @Override
    public int sweep() {
        return ground.get().sweep();
    }

    @Override
    public Availability probe() {
        return ground.get().probe();
    }

    @Override
    public Optional<Interpreter> interpreter(Language language, Policy policy) {
        return ground.get().interpreter(language, policy);
    }

    @Override
    public boolean ownInterpreters() {
        return true;
    }

    @Override
    public boolean takesImages() {
        return true;
    }

    @Override
    public void check(Policy policy) {
        ground.get().check(policy);
    }

    @Override
    public Sandbox open(Policy policy) {
        return ground.get().open(policy);
    }
}
