package dev.glovebox.sandbox;

import java.util.Locale;

/** How strong a wall is, from a plain process to a virtual machine. */
public enum Isolation {
    /** A scrubbed child process with resource limits: for code you trust. */
    PROCESS,
    /** Kernel namespaces, system call filter, resource limits, no privileges. */
    JAIL,
    /** A container engine's isolation. */
    CONTAINER,
    /** A kernel of its own in user space. */
    GVISOR,
    /** A virtual machine of its own. */
    MICROVM;

    public boolean atLeast(Isolation other) {
        return compareTo(other) >= 0;
    }

    /** The name used in policies and on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
