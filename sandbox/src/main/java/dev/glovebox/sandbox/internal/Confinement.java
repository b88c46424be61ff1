package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Durations;
import dev.glovebox.sandbox.FileGrant;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.spi.Disks;
import dev.glovebox.sandbox.spi.Throttle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reads back from the kernel what confinement is on a jail before anything runs in it, and refuses
 * the box if any of it is missing.
 */
final class Confinement {

    private static final List<String> NAMESPACES =
            List.of("user", "mnt", "pid", "net", "ipc", "uts", "cgroup");

    /** A process stays in the namespaces it has, except when it leaves them itself. */
    private static final Map<String, String> OURS =
            NAMESPACES.stream()
                    .collect(
                            Collectors.toMap(
                                    name -> name, name -> link(Path.of("/proc/self"), name)));

    private static final long TMPFS = 0x01021994;

    private final Path holder;
    private final Map<String, String> status = new TreeMap<>();
    private final List<Control> controls = new ArrayList<>();

    private Confinement(Path holder) {
        this.holder = holder;
        Proc.read(holder.resolve("status"))
                .orElse("")
                .lines()
                .map(line -> line.split(":\\s*", 2))
                .forEach(pair -> status.put(pair[0], pair[1]));
    }

    /**
     * Lists what is in force on a jail.
     *
     * @throws NotEnforceable naming the first control that is not in force
     */
    static List<Control> verify(
            JailProcess process, Policy policy, Optional<Gate> gate, Scratch scratch) {
        Confinement confinement = new Confinement(process.holderProc());
        confinement.user(process);
        confinement.namespaces();
        confinement.network(gate);
        confinement.privileges(Seccomp.Options.of(policy, process.cgroup().isPresent()));
        confinement.files(policy, scratch);
        confinement.resources(process, policy);
        return List.copyOf(confinement.controls);
    }

    private void user(JailProcess process) {
        String[] uids = status("Uid").split("\\s+");
        String expected = Long.toString(process.hostUid());
        for (String uid : uids) {
            require(
                    "host-uid",
                    uid.equals(expected) && !uid.equals("0"),
                    "the box runs as host user " + uid);
        }
        controls.add(
                new Control(
                        "host-uid",
                        expected,
                        process.owner() >= 0 ? "of this box only" : "the caller's own"));
    }

    private void namespaces() {
        for (String name : NAMESPACES) {
            require(
                    "namespaces",
                    !link(holder, name).equals(OURS.get(name)),
                    "the box shares our " + name + " namespace");
        }
        controls.add(new Control("namespaces", String.join(" ", NAMESPACES), "kernel"));
    }

    private void network(Optional<Gate> gate) {
        String routes = Proc.read(holder.resolve("net/route")).orElse("?");
        require("network", routes.lines().count() <= 1, "the box has a network route");
        controls.add(
                gate.map(way -> way.control(holder))
                        .orElseGet(() ->
                                new Control(
                                        "network", "none", "network namespace without a route")));
    }

    private static String link(Path process, String namespace) {
        try {
            return Files.readSymbolicLink(process.resolve("ns").resolve(namespace)).toString();
        } catch (IOException e) {
            throw new NotEnforceable(
                    "namespaces", "The namespaces of " + process + " cannot be read", e);
        }
    }

    private void privileges(Seccomp.Options filter) {
        for (String set : List.of("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")) {
            require(
                    "capabilities",
                    status(set).chars().allMatch(c -> c == '0'),
                    "the box has capabilities: " + set + " " + status(set));
        }
        controls.add(new Control("capabilities", "none", "kernel"));
        require(
                "no-new-privileges",
                status("NoNewPrivs").equals("1"),
                "programs in the box could gain privileges");
        controls.add(new Control("no-new-privileges", "on", "kernel"));
        require("seccomp", status("Seccomp").equals("2"), "no system call filter is on the box");
        controls.add(
                new Control(
                        "seccomp",
                        Seccomp.describe(Architecture.current(), filter),
                        "kernel, filter mode"));
    }

    private void files(Policy policy, Scratch scratch) {
        Map<String, String> mounts = mounts();
        mounts.forEach((point, options) ->
                require(
                        "read-only-root",
                        options.startsWith("ro")
                                || point.equals(Bubblewrap.TMP)
                                || mayWrite(policy, point),
                        point + " is writable in the box"));
        controls.add(new Control("read-only-root", mounts.size() + " mounts", "mount namespace"));
        require(
                "isolation",
                mounts.keySet().containsAll(Bubblewrap.INIT_MEMORY),
                "programs could write into the memory of the box's init process");
        Kernel.Space space = Kernel.space(scratch.descriptor());
        require("disk", space.type() == TMPFS, "the scratch is not a tmpfs");
        Bytes size = new Bytes(space.blocks() * space.blockSize());
        require(
                "disk",
                size.count() <= roundedUp(policy.limits().disk().count(), space.blockSize()),
                "the scratch is larger than allowed: " + size);
        controls.add(new Control("disk", size.toString(), "size of the tmpfs"));
        for (FileGrant grant : policy.files()) {
            require(
                    "file",
                    isShown(grant),
                    "the host path "
                            + grant.host()
                            + " was replaced while the box was made, and led elsewhere");
            controls.add(
                    new Control(
                            "file",
                            grant.box(),
                            grant.mode() == FileGrant.Mode.WRITE
                                    ? "writable mount"
                                    : "read-only mount"));
        }
    }

    private boolean isShown(FileGrant grant) {
        Optional<Object> shown = identity(Path.of(holder + "/root" + grant.box()));
        return shown.isPresent() && shown.equals(identityWithoutLinks(grant.host()));
    }

    /**
     * Which file a path without links names; empty if there is a link on it.
     *
     * <p>bubblewrap follows links, and another box that may write to a folder above can swap one in
     * after the path was checked, and out again.
     */
    private static Optional<Object> identityWithoutLinks(Path path) {
        int file = Kernel.holdWithoutLinks(path.toString());
        if (file < 0) {
            return Optional.empty();
        }
        try {
            return identity(Path.of("/proc/self/fd", Integer.toString(file)));
        } finally {
            Kernel.close(file);
        }
    }

    private static Optional<Object> identity(Path path) {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(path, BasicFileAttributes.class).fileKey());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static long roundedUp(long size, long block) {
        return (size + block - 1) / block * block;
    }

    private static boolean mayWrite(Policy policy, String point) {
        // Character devices such as /dev/null are mounts too, and the kernel's own views below
        // /proc.
        return point.startsWith("/dev/")
                || point.equals("/proc")
                || policy.files().stream()
                        .anyMatch(grant ->
                                grant.mode() == FileGrant.Mode.WRITE && point.equals(grant.box()));
    }

    /** Mount points of the box with their options. */
    private Map<String, String> mounts() {
        Map<String, String> mounts = new TreeMap<>();
        Proc.read(holder.resolve("mountinfo"))
                .orElse("")
                .lines()
                .map(line -> line.split(" "))
                .forEach(fields -> mounts.put(fields[4], fields[5]));
        require(
                "read-only-root",
                mounts.containsKey("/") && mounts.containsKey(Bubblewrap.TMP),
                "the mounts of the box cannot be read");
        return mounts;
    }

    private void resources(JailProcess process, Policy policy) {
        Limits limits = policy.limits();
        boolean supervised = process.cgroup().isEmpty();
        Map<String, String> found =
                ResourceLimits.parse(Proc.read(holder.resolve("limits")).orElse(""));
        ResourceLimits.of(limits, supervised)
                .expected()
                .forEach((name, value) ->
                        require(
                                name,
                                value.equals(found.get(name)),
                                "it is " + found.get(name) + " instead of " + value));
        process.cgroup()
                .ifPresent(group -> {
                    require("memory", group.holds(holder), "the box is outside of its cgroup");
                    controls.addAll(group.controls());
                });
        if (supervised) {
            String processors = status("Cpus_allowed_list");
            controls.add(
                    new Control(
                            "cpus",
                            Integer.toString(count(processors)),
                            "kept on processor " + processors));
            controls.add(
                    new Control(
                            "memory",
                            limits.memory().toString(),
                            "supervised, RLIMIT_DATA and sum every 20 ms"));
            controls.add(
                    new Control(
                            "processes",
                            found.getOrDefault("Max processes", "?"),
                            "RLIMIT_NPROC in the user namespace, with our "
                                    + CgroupLimits.OWN_PROCESSES));
        }
        diskRate(process.cgroup(), policy);
        controls.add(
                new Control(
                        "open-files", found.getOrDefault("Max open files", "?"), "RLIMIT_NOFILE"));
        controls.add(
                new Control(
                        "cpu-time",
                        Durations.format(limits.cpuTime()),
                        "supervised every 20 ms; RLIMIT_CPU " + found.get("Max cpu time") + " s"));
        controls.add(
                new Control("wall", Durations.format(limits.wall()), "supervised every 20 ms"));
        controls.add(new Control("output", limits.output().toString(), "kept per stream"));
    }

    private void diskRate(Optional<Cgroup> cgroup, Policy policy) {
        controls.addAll(
                cgroup.flatMap(Cgroup::throttle)
                        .map(Throttle::controls)
                        .orElseGet(() ->
                                Disks.behind(policy.files())
                                        .unruled(
                                                cgroup.isPresent()
                                                        ? "our cgroup has no controller of disks"
                                                        : "no cgroup can be made here")));
    }

    /** How many processors a list such as {@code 0-1,4} names. */
    private static int count(String processors) {
        int count = 0;
        for (String part : processors.split(",")) {
            String[] ends = part.split("-");
            count += Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1;
        }
        return count;
    }

    private String status(String name) {
        return status.getOrDefault(name, "unknown");
    }

    private static void require(String control, boolean inForce, String otherwise) {
        if (!inForce) {
            throw new NotEnforceable(
                    control, "The control '" + control + "' is not in force: " + otherwise);
        }
    }
}
