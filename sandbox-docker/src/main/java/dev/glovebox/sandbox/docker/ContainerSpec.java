package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.FileGrant;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.spi.Disks;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * All that a container is made of; boxes of equal ones are interchangeable as long as nothing has
 * run in them.
 *
 * @param image the digest of its image
 * @param limits with times and output that play no part set to one value
 */
record ContainerSpec(String image, Limits limits, List<FileGrant> files) {

    static final String TMP = "/tmp";
    static final String SCRATCH = TMP + "/scratch";

    /** What gVisor has at once of each kind, beside one for each process of a program's. */
    private static final int GVISOR_SPARE = 32;

    /** Half of the numbers that a small kernel has for processes: no box uses them up. */
    private static final long MOST_HOST_THREADS = 16_384;

    /** The name of the control that bounds these. */
    static final String HOST_THREADS = "host-threads";

    /** The init process, the holder, and its child before that has become a program. */
    static final int OWN_PROCESSES = 3;

    private static final long BYTES_PER_INODE = 4096;
    private static final long LEAST_INODES = 1024;
    // Beside what is counted: the program itself learns that there is no room a little later.
    private static final long SPARE_INODES = 64;

    static ContainerSpec of(String image, Policy policy) {
        return new ContainerSpec(
                image,
                policy.limits().withWall(Limits.DEFAULT.wall()).withOutput(Limits.DEFAULT.output()),
                policy.files());
    }

    static long inodes(Limits limits) {
        return Math.max(LEAST_INODES, limits.disk().count() / BYTES_PER_INODE);
    }

    static long cpuSeconds(Limits limits) {
        return limits.cpuTime().toSeconds() + 1;
    }

    /** The scratch is memory to the kernel and is charged to the same group, as is the holder. */
    long memory() {
        return limits.memory().plus(limits.disk()).count();
    }

    /** What the cgroup bounds: for gVisor the threads of its own kernel, not the programs'. */
    long processes(Wall wall) {
        return wall == Wall.GVISOR ? hostThreads() : (long) limits.processes() + OWN_PROCESSES;
    }

    /**
     * gVisor on ptrace has a host process for each address space, in which every thread of its
     * kernel that ever ran a program there has a thread of its own, and ends none of them. So their
     * number grows to the product, and a kernel that gets no more panics: 60 programs, started
     * again and again, came to 70 processes of 76 threads.
     */
    private long hostThreads() {
        long each = (long) limits.processes() + GVISOR_SPARE;
        return Math.min(each * each, MOST_HOST_THREADS);
    }

    /** The disks that the box can write to. */
    Disks disks() {
        return Disks.behind(files);
    }

    /** Files and folders that the scratch has room for. */
    long scratchInodes() {
        return inodes(limits) + SPARE_INODES;
    }

    /** Options of the mount that the scratch is in. */
    String scratchOptions(int uid) {
        return "rw,exec,nosuid,nodev,mode=0700,size="
                + limits.disk().count()
                + ",nr_inodes="
                + scratchInodes()
                + ",uid="
                + uid
                + ",gid="
                + uid;
    }

    /** The command line of the holder; its program is an argument, so that nothing is mounted. */
    List<String> command() {
        return List.of(
                "python3",
                "-I",
                "-S",
                "-u",
                "-c",
                Source.HOLDER,
                SCRATCH,
                Integer.toString(limits.openFiles()),
                Long.toString(limits.disk().count()),
                Long.toString(cpuSeconds(limits)));
    }

    private static final class Source {

        static final String HOLDER = read();

        private static String read() {
            try (InputStream in =
                    Objects.requireNonNull(ContainerSpec.class.getResourceAsStream("holder.py"))) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
