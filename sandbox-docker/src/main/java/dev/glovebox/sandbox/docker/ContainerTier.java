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

/** Boxes in containers of a Docker engine, on this machine or another, or of Podman on this one. */
public final class ContainerTier implements Tier {

    private static final class Usual {
        static final EngineTier HERE = new EngineTier(Wall.CONTAINER, Settings.ofSystem());
    }

    private final Optional<EngineTier> own;

    /** On the engine that the environment names. */
    public ContainerTier() {
        own = Optional.empty();
    }

    /** On an engine of its own, for instance that of one tenant. */
    public ContainerTier(Settings settings) {
        own = Optional.of(new EngineTier(Wall.CONTAINER, settings));
    }

    private EngineTier engine() {
        return own.orElseGet(() -> Usual.HERE);
    }

    @Override
    public String name() {
        return Wall.CONTAINER.tier();
    }

    @Override
    public Isolation isolation() {
        return Wall.CONTAINER.isolation();
    }

    @Override
    public Duration typicalStart() {
        return Wall.CONTAINER.typicalStart();
    }

    @Override
    public void prepare() {
        engine().prepare();
    }

    @Override
    public int sweep() {
        return engine().sweep();
    }

    @Override
    public Availability probe() {
        return engine().probe();
    }

    @Override
    public Optional<Interpreter> interpreter(Language language, Policy policy) {
        return engine().interpreter(language, policy);
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
        engine().check(policy);
    }

    @Override
    public Sandbox open(Policy policy) {
        return engine().open(policy);
    }
}
