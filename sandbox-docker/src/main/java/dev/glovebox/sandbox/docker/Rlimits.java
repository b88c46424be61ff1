package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.Limits;

/**
 * The limits that the kernel holds each process of a command to, as that process read them itself.
 */
record Rlimits(String openFiles, String cpuSeconds) {

    /** From what was said: open files, bytes of a file and seconds, all soft limits. */
    static Rlimits of(String said, Limits limits) {
        String[] words = said.split(" ");
        return words.length == 3
                ? new Rlimits(words[0], words[2])
                : new Rlimits(
                        Integer.toString(limits.openFiles()),
                        Long.toString(ContainerSpec.cpuSeconds(limits)));
    }
}
