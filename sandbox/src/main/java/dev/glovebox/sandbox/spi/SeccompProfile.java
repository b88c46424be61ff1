package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.internal.EngineProfile;

/** The jail's rules on system calls, in the form that container engines read. */
public final class SeccompProfile {

    private SeccompProfile() {}

    /**
     * A profile for boxes whose memory a cgroup bounds, for the architecture of this machine.
     *
     * @throws NotEnforceable if there is no table of its system calls
     */
    public static String json() {
        return EngineProfile.json();
    }

    /** What the profile is, in the words of a receipt. */
    public static String describe() {
        return EngineProfile.describe();
    }
}
