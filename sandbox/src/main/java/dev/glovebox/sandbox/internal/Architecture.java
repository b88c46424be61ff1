package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.NotEnforceable;

/** A processor architecture whose system calls the filter knows. */
enum Architecture {
    X86_64(0xC000_003E, 1),
    AARCH64(0xC000_00B7, 2);

    private final int auditArch;
    private final int column;

    Architecture(int auditArch, int column) {
        this.auditArch = auditArch;
        this.column = column;
    }

    /**
     * The architecture of this machine.
     *
     * @throws NotEnforceable if there is no table of its system calls
     */
    static Architecture current() {
        return of(System.getProperty("os.arch"));
    }

    static Architecture of(String osArch) {
        return switch (osArch) {
            case "amd64", "x86_64" -> X86_64;
            case "aarch64", "arm64" -> AARCH64;
            default ->
                    throw new NotEnforceable(
                            "seccomp",
                            "The jail filters system calls on x86_64 and aarch64 only, and this is "
                                    + osArch
                                    + ": use a tier that does not need it, such as container.");
        };
    }

    /** The {@code AUDIT_ARCH_…} value by which the kernel tells a filter whose call it is. */
    int auditArch() {
        return auditArch;
    }

    /** Where the rows of {@link Syscalls} have its numbers. */
    int column() {
        return column;
    }
}
