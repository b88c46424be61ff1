package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.Promise;
import java.util.Map;

/** What the tiers of this module do not promise. */
final class Promises {

    static final Map<Promise, String> CONTAINER =
            Map.of(
                    Promise.EGRESS_GATED,
                    "a container has no network; a policy that allows a host is refused",
                    Promise.JAIL_LAYOUT,
                    "what a box sees is the image's and the engine's; a test of its own looks at it");

    static final Map<Promise, String> GVISOR =
            Map.of(
                    Promise.EGRESS_GATED,
                    "a container has no network; a policy that allows a host is refused",
                    Promise.JAIL_LAYOUT,
                    "what a box sees is the image's and gVisor's",
                    Promise.SYSCALLS_FILTERED,
                    "system calls are served by gVisor's own kernel, so none needs to be refused",
                    Promise.HARD_PROCESSES,
                    "gVisor bounds no processes: they are counted every 20 ms");

    private Promises() {}
}
