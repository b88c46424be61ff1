package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.Promise;
import java.util.Map;

/** What the tiers of this module do not promise. */
final class Promises {

    static final Map<Promise, String> CONTAINER =
            Map.of(
                    Promise.EGRESS_GATED,
                    "a container has no network; a policy that allows a host is refused");

    private Promises() {}
}
