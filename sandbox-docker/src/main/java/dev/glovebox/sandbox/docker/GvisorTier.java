package dev.glovebox.sandbox.docker;

/** Boxes on gVisor, a kernel of their own in user space. */
public final class GvisorTier extends GroundedTier {

    private static final class Usual {
        static final Ground HERE = ground(Settings.ofSystem());
    }

    /** On the engine that the environment names. */
    public GvisorTier() {
        super(Wall.GVISOR, () -> Usual.HERE);
    }

    /** On an engine of its own, for instance that of one tenant. */
    public GvisorTier(Settings settings) {
        this(ground(settings));
    }

    private GvisorTier(Ground own) {
        super(Wall.GVISOR, () -> own);
    }

    /** The engine where it has gVisor, else gVisor alone where that is installed. */
    private static Ground ground(Settings settings) {
        EngineTier engine = new EngineTier(Wall.GVISOR, settings);
        return DirectGvisor.find()
                .filter(runsc -> !engine.there())
                .<Ground>map(runsc -> new DirectGvisor(runsc, settings.pool()))
                .orElse(engine);
    }
}
