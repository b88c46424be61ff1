package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.model.Container;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Containers of JVMs that were killed. */
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
        return removed;
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
