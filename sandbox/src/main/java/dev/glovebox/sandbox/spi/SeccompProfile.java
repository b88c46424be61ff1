package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.internal.EngineProfile;

/** The jail's rules on system calls, in the form that container engines read. */
public final class SeccompProfile {

    private SeccompProfile() {}

    /**
     * A profile for boxes whose memory a cgroup bounds, for the architecture of this machine.
     *
     * @param unixSockets whether programs may make Unix sockets, and so reach whoever listens in a
     *     folder that the box can see; without it they still get connected pairs
     * @throws NotEnforceable if there is no table of its system calls
     */
    public static String json(boolean unixSockets) {
        return EngineProfile.json(unixSockets);
    }

    /** What the profile is, in the words of a receipt. */
    public static String describe() {
        return EngineProfile.describe();
    }
}
