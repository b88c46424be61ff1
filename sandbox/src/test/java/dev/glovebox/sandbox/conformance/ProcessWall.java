package dev.glovebox.sandbox.conformance;

import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;

/** The process tier promises little: it is for code you trust. */
final class ProcessWall implements Wall {

    private static final Tier PROCESS = ConformanceKit.tierNamed("process");

    private static final Map<Promise, String> NOT_PROMISED =
            Map.of(
                    Promise.NETWORK_CONFINED, "its programs use the host's network",
                    Promise.EGRESS_GATED, "nothing stands between its programs and the network",
                    Promise.FILES_CONFINED, "its programs see the host's files",
                    Promise.PROCESSES_HIDDEN, "its programs are processes among the host's",
                    Promise.TREE_MEMORY, "memory is summed by a supervisor, there is no cgroup",
                    Promise.HARD_DISK, "the scratch is a folder whose size a supervisor adds up",
                    Promise.HARD_PROCESSES, "processes are counted by a supervisor",
                    Promise.NO_PRIVILEGES, "its programs run as the user of this JVM",
                    Promise.SYSCALLS_FILTERED, "there is no system call filter",
                    Promise.HIDDEN_DAEMONS_KILLED, "its processes are told by their environment");

    @Override
    public Tier tier() {
        return PROCESS;
    }

    @Override
    public Map<Promise, String> notPromised() {
        return NOT_PROMISED;
    }
}
