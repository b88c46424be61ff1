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

/** Boxes on gVisor, a kernel of their own in user space. */
public final class GvisorTier implements Tier {

    private static final class Usual {
        static final Ground HERE = ground(Settings.ofSystem());
    }

    private final Optional<Ground> own;

    /** On the engine that the environment names. */
    public GvisorTier() {
        own = Optional.empty();
    }

    /** On an engine of its own, for instance that of one tenant. */
    public GvisorTier(Settings settings) {
        own = Optional.of(ground(settings));
    }

    /** The engine where it has gVisor, else gVisor alone where that is installed. */
    private static Ground ground(Settings settings) {
        EngineTier engine = new EngineTier(Wall.GVISOR, settings);
        return DirectGvisor.find()
                .filter(runsc -> !engine.there())
                .<Ground>map(runsc -> new DirectGvisor(runsc, settings.pool()))
                .orElse(engine);
    }

    private Ground ground() {
        return own.orElseGet(() -> Usual.HERE);
    }

    @Override
    public String name() {
        return Wall.GVISOR.tier();
    }

    @Override
    public Isolation isolation() {
        return Wall.GVISOR.isolation();
    }

    @Override
    public Duration typicalStart() {
        return Wall.GVISOR.typicalStart();
    }

    @Override
    public void prepare() {
        ground().prepare();
    }

    @Override
    public int sweep() {
        return ground().sweep();
    }

    @Override
    public Availability probe() {
        return ground().probe();
    }

    @Override
    public Optional<Interpreter> interpreter(Language language, Policy policy) {
        return ground().interpreter(language, policy);
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
        ground().check(policy);
    }

    @Override
    public Sandbox open(Policy policy) {
        return ground().open(policy);
    }
}
