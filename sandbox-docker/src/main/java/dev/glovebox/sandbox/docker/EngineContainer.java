package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** A container of an engine, as long as it is ours to remove. */
record EngineContainer(Engine engine, String id, Line line) implements Vessel {

    private static final Duration SETTLED = Duration.ofMillis(800);
    private static final Duration BETWEEN = Duration.ofMillis(40);

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

    /** Asks for a while: the engine learns of an end, and of its reason, a moment after us. */
    @Override
    public boolean outOfMemory() {
        long end = System.nanoTime() + SETTLED.toNanos();
        while (true) {
            Optional<InspectContainerResponse.ContainerState> state =
                    engine.glance(id).map(InspectContainerResponse::getState);
            if (state.isEmpty() || Boolean.TRUE.equals(state.get().getOOMKilled())) {
                return state.isPresent();
            }
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(BETWEEN.toNanos());
        }
    }
}
