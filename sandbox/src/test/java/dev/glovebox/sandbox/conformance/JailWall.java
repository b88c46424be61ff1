package dev.glovebox.sandbox.conformance;

import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;

/** What the jail promises depends on whether this user may make cgroups. */
final class JailWall implements Wall {

    private static final Tier JAIL = ConformanceKit.tierNamed("jail");

    private static final Map<Promise, String> MISSING =
            hasCgroup()
                    ? Map.of()
                    : Map.of(
                            Promise.TREE_MEMORY,
                            "no cgroup can be made here, so memory is supervised",
                            Promise.DISK_RATE,
                            "no cgroup can be made here");

    @Override
    public Tier tier() {
        return JAIL;
    }

    @Override
    public Map<Promise, String> notPromised() {
        return MISSING;
    }

    private static boolean hasCgroup() {
        return !(JAIL.probe() instanceof Availability.Works works)
                || works.controls().stream()
                        .anyMatch(control ->
                                control.name().equals("memory") && control.by().startsWith("tree"));
    }
}
