package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Version;
import dev.glovebox.sandbox.NotEnforceable;
import java.util.Map;
import java.util.Optional;

/** All in which engines differ that speak Docker's interface. */
sealed interface Dialect permits DockerDialect, PodmanDialect {

    /** What to type on the engine's machine. */
    String program();

    /** What a receipt says of the engine. */
    String title(Version version);

    /**
     * Refuses what the engine cannot be asked for.
     *
     * @param local whether the engine is on this machine
     * @throws NotEnforceable naming the control
     */
    void require(Wall wall, boolean local);

    /** The rules on system calls, as the engine takes them. */
    String filter(ContainerSpec spec);

    /** What the holder's own environment has beside the usual. */
    Map<String, String> environment();

    /** Adds what is asked for in words of its own. */
    void complete(HostConfig config, Creation creation);

    /** Options of the volume that the scratch is in; empty where it needs none. */
    Optional<Map<String, String>> scratch(Creation creation);

    /** Starts a container and opens its streams, so that nothing of what it says is lost. */
    Line start(Engine engine, String container);

    /** How many places the engine shows to a box beside those of its policy. */
    int ownPlaces();

    /** Whether what it says of limits counts where the kernel does not say anything. */
    boolean believed();
}
