package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.internal.EngineProfile;

/** The jail's rules on system calls, for other walls. */
public final class SeccompProfile {

    private SeccompProfile() {}

    /**
     * The rules in the form that container engines read, for boxes whose memory a cgroup bounds,
     * for the architecture of this machine.
     *
     * @param unixSockets whether programs may make Unix sockets, and so reach whoever listens in a
     *     folder that the box can see; without it they still get connected pairs
     * @throws NotEnforceable if there is no table of its system calls
     */
    public static String json(boolean unixSockets) {
        return EngineProfile.json(unixSockets);
    }

    /**
     * The same rules as a kernel takes them: {@code struct sock_filter[]}.
     *
     * @throws NotEnforceable if there is no table of its system calls
     */
    public static byte[] program(boolean unixSockets) {
        return EngineProfile.program(unixSockets);
    }

    /** What the rules are, in the words of a receipt. */
    public static String describe() {
        return EngineProfile.describe();
    }
}
