package dev.glovebox.sandbox.opensandbox;

import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.conformance.Wall;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;

/** A server that behaves, whose boxes are jails of this machine. */
final class OpenSandboxWall implements Wall {

    private static final Tier TIER = start();

    private static final Map<Promise, String> NOT_PROMISED =
            Map.of(
                    Promise.THIS_MACHINE, "its programs run on somebody else's",
                    Promise.EGRESS_GATED, "the server knows no ports and keeps no record",
                    Promise.TREE_MEMORY, "the server need not show its cgroup",
                    Promise.HARD_DISK, "the server bounds no disk, our agent looks at its size",
                    Promise.HARD_PROCESSES, "the server bounds no processes, our agent counts them",
                    Promise.NO_PRIVILEGES, "the user in the box is the image's",
                    Promise.SYSCALLS_FILTERED, "nobody tells whether there is a filter",
                    Promise.PROCESSES_HIDDEN, "the server's own processes are in the box");

    private static Tier start() {
        BoxServer server = new BoxServer();
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        return server.tier();
    }

    @Override
    public Tier tier() {
        return TIER;
    }

    @Override
    public Map<Promise, String> notPromised() {
        return NOT_PROMISED;
    }
}
