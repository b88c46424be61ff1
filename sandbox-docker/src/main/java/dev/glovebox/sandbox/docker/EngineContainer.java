package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** A container of an engine, as long as it is ours to remove. */
record EngineContainer(Engine engine, String id, Optional<String> volume, Line line)
        implements Vessel {

    private static final Duration SETTLED = Duration.ofMillis(800);
    private static final Duration BETWEEN = Duration.ofMillis(40);

    /** Makes one, and starts its holder; what was made is removed if that fails. */
    static EngineContainer start(Engine engine, Creation creation) {
        Optional<Map<String, String>> scratch = creation.dialect().scratch(creation);
        Optional<String> volume = scratch.map(options -> creation.name());
        Optional<String> id = Optional.empty();
        try {
            scratch.ifPresent(
                    options -> engine.createVolume(creation.name(), options, creation.labels()));
            id = Optional.of(engine.create(creation));
            Line line = creation.dialect().start(engine, id.get());
            return new EngineContainer(engine, id.get(), volume, line);
        } catch (EngineFault e) {
            id.ifPresent(made -> quietly(() -> engine.remove(made)));
            volume.ifPresent(made -> quietly(() -> engine.removeVolume(made)));
            throw e;
        }
    }

    @Override
    public void kill() {
        // Gone already, or with its engine: then its holder ends it when its lease is over.
        quietly(() -> engine.kill(id));
    }

    @Override
    public void remove() {
        quietly(() -> engine.remove(id));
        volume.ifPresent(made -> quietly(() -> engine.removeVolume(made)));
    }

    /** What cannot be removed now is found by its labels and removed later. */
    private static void quietly(Runnable removal) {
        try {
            removal.run();
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
