package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;

/** A container of an engine, as long as it is ours to remove. */
record EngineContainer(Engine engine, String id, Line line) implements Vessel {

    /** Makes one, and starts its holder; what was made is removed if that fails. */
    static EngineContainer start(Engine engine, Creation creation) {
        String id = engine.create(creation);
        try {
            // Before the start, so that nothing the holder says is lost.
            Line line = engine.attach(id);
            try {
                engine.start(id);
                return new EngineContainer(engine, id, line);
            } catch (EngineFault e) {
                line.close();
                throw e;
            }
        } catch (EngineFault e) {
            removeQuietly(engine, id);
            throw e;
        }
    }

    @Override
    public void kill() {
        try {
            engine.kill(id);
        } catch (EngineFault e) {
            // Gone already, or with its engine: then its holder ends it when its lease is over.
        }
    }

    @Override
    public void remove() {
        removeQuietly(engine, id);
    }

    /** What cannot be removed now is found by its labels and removed later. */
    private static void removeQuietly(Engine engine, String id) {
        try {
            engine.remove(id);
        } catch (EngineFault e) {
            // Its engine is gone, or somebody else removed it.
        }
    }

    @Override
    public boolean outOfMemory() {
        return engine.glance(id)
                .map(InspectContainerResponse::getState)
                .map(InspectContainerResponse.ContainerState::getOOMKilled)
                .orElse(false);
    }
}
