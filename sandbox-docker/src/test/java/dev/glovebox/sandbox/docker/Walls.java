package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.conformance.Wall;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;

/** The walls of this module, and what they do not promise. */
final class Walls {

    private static final Map<Promise, String> CONTAINER =
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
                    Promise.LITTLE_MEMORY,
                    "gVisor's own kernel takes some of it",
                    Promise.USAGE_EXACT,
                    "gVisor counts waiting for a processor as well, and memory is looked at every 20 ms",
                    Promise.HARD_PROCESSES,
                    "gVisor bounds no processes: they are counted every 20 ms");

    private Walls() {}

    static class Container implements Wall {

        @Override
        public Tier tier() {
            return TestEngine.CONTAINER;
        }

        @Override
        public Map<Promise, String> notPromised() {
            return CONTAINER;
        }

        @Override
        public int keptConnections() {
            return Engine.QUESTIONS_AT_ONCE;
        }
    }

    static final class Podman extends Container {

        @Override
        public Tier tier() {
            return TestPodman.tier();
        }
    }

    static class Gvisor implements Wall {

        @Override
        public Tier tier() {
            return TestEngine.GVISOR;
        }

        @Override
        public Map<Promise, String> notPromised() {
            return GVISOR;
        }

        @Override
        public int keptConnections() {
            return Engine.QUESTIONS_AT_ONCE;
        }
    }

    static final class GvisorAlone extends Gvisor {

        @Override
        public Tier tier() {
            return DirectGvisorTest.TIER;
        }

        @Override
        public int keptConnections() {
            return 0;
        }
    }
}
