package dev.glovebox.sandbox.opensandbox;

import dev.glovebox.sandbox.conformance.Promise;
import java.util.Map;

/** What boxes on somebody else's server do not promise, and why. */
final class Promises {

    static final Map<Promise, String> NOT_PROMISED =
            Map.of(
                    Promise.THIS_MACHINE, "its programs run on somebody else's",
                    Promise.EGRESS_GATED, "the server knows no ports and keeps no record",
                    Promise.TREE_MEMORY, "the server need not show its cgroup",
                    Promise.HARD_DISK, "the server bounds no disk, our agent looks at its size",
                    Promise.HARD_PROCESSES, "the server bounds no processes, our agent counts them",
                    Promise.NO_PRIVILEGES, "the user in the box is the image's",
                    Promise.SYSCALLS_FILTERED, "nobody tells whether there is a filter",
                    Promise.PROCESSES_HIDDEN, "the server's own processes are in the box");

    private Promises() {}
}
