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

    /** What gVisor's kernel runs on, beside one thread or two for each of a program's. */
    private static final int GVISOR_THREADS = 1024;

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

    /** What the engine bounds: for gVisor the threads of its own kernel, not the programs'. */
    long processes(Wall wall) {
        return (long) limits.processes() + (wall == Wall.GVISOR ? GVISOR_THREADS : OWN_PROCESSES);
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
