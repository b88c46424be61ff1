package dev.glovebox.sandbox.docker;

/** Boxes in containers of a Docker engine, on this machine or another, or of Podman on this one. */
public final class ContainerTier extends GroundedTier {

    private static final class Usual {
        static final Ground HERE = ground(Settings.ofSystem());
    }

    /** On the engine that the environment names. */
    public ContainerTier() {
        super(Wall.CONTAINER, () -> Usual.HERE);
    }

    /** On an engine of its own, for instance that of one tenant. */
    public ContainerTier(Settings settings) {
        this(ground(settings));
    }

    private ContainerTier(Ground own) {
        super(Wall.CONTAINER, () -> own);
    }

    private static Ground ground(Settings settings) {
        return new EngineTier(Wall.CONTAINER, settings);
    }
}
