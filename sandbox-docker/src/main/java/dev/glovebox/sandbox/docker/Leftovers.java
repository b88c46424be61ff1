package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.command.InspectVolumeResponse;
import com.github.dockerjava.api.model.Container;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/** Containers, and what was made beside them, of JVMs that were killed. */
final class Leftovers {

    /** Where the owner cannot be asked, a container that does nothing for so long has none. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(5);

    private Leftovers() {}

    /** Removes them; returns how many. */
    static int sweep(Engine engine) {
        int removed = 0;
        for (Container container : engine.containers(List.of(Owner.LABEL))) {
            if (left(container)) {
                try {
                    engine.remove(container.getId());
                    removed++;
                } catch (EngineFault e) {
                    // Somebody else was faster, or it is found the next time.
                }
            }
        }
        for (InspectVolumeResponse volume : engine.volumes(Owner.LABEL)) {
            if (left(volume)) {
                try {
                    engine.removeVolume(volume.getName());
                    removed++;
                } catch (EngineFault e) {
                    // A container uses it, or somebody else was faster.
                }
            }
        }
        return removed + EngineFiles.sweep();
    }

    private static boolean left(InspectVolumeResponse volume) {
        Optional<Owner> owner = Owner.of(volume.getLabels());
        if (owner.isPresent() && owner.get().onThisMachine()) {
            return !owner.get().alive();
        }
        try {
            Object created = volume.getRawValues().get("CreatedAt");
            return OffsetDateTime.parse(String.valueOf(created))
                    .toInstant()
                    .isBefore(Instant.now().minus(FORGOTTEN));
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static boolean left(Container container) {
        Optional<Owner> owner = Owner.of(container.getLabels());
        if (owner.isPresent() && owner.get().onThisMachine()) {
            return !owner.get().alive();
        }
        Instant created = Instant.ofEpochSecond(container.getCreated());
        return !"running".equals(container.getState())
                && created.isBefore(Instant.now().minus(FORGOTTEN));
    }
}
