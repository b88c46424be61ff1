package dev.glovebox.sandbox.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds out which cgroups this process may make, and makes them.
 *
 * <p>Groups are named after the JVM that made them, so that another one can tell which were left by
 * a JVM that was killed, and removes those.
 */
final class Cgroups {

    private static final String PREFIX = "glovebox-";

    /** Where JVMs of ours are that had to leave the group they were started in. */
    private static final String JVMS = PREFIX + "jvms";

    private static final int END_MILLIS = 1_000;
    private static final AtomicLong NUMBERS = new AtomicLong();

    /**
     * Either the homes of version 1 controllers, or the parent of version 2 groups, or why neither.
     */
    private record Place(Map<String, Path> v1, Optional<Path> v2, String problem) {}

    private final Place place;
    private final AtomicBoolean remembered = new AtomicBoolean();

    private Cgroups(Place place) {
        this.place = place;
    }

    /** Looks where groups can be made here. */
    static Cgroups discover() {
        Place place;
        try {
            place =
                    find(
                            Files.readAllLines(Path.of("/proc/self/mountinfo")),
                            Files.readAllLines(Path.of("/proc/self/cgroup")));
        } catch (IOException | UncheckedIOException e) {
            place =
                    new Place(
                            Map.of(),
                            Optional.empty(),
                            "cannot look for cgroups: " + e.getMessage());
        }
        return new Cgroups(place);
    }

    boolean available() {
        return !place.v1.isEmpty() || place.v2.isPresent();
    }

    /** Why no group can be made; empty when it can. */
    String problem() {
        return place.problem;
    }

    String version() {
        return place.v2.isPresent() ? "v2" : "v1";
    }

    Cgroup create(CgroupLimits limits) {
        remember();
        String name =
                PREFIX
                        + ProcessHandle.current().pid()
                        + "-"
                        + Proc.startTime("self")
                        + "-"
                        + NUMBERS.incrementAndGet();
        return place.v2.isPresent()
                ? new CgroupV2(place.v2.get(), name, limits)
                : new CgroupV1(place.v1, name, limits);
    }

    /** Before the first group is made, so that it is found whatever happens. */
    private void remember() {
        if (remembered.compareAndSet(false, true)) {
            homes().forEach(CgroupHomes::remember);
        }
    }

    private static Place find(List<String> mounts, List<String> memberships) {
        Map<String, Path> v1 = new TreeMap<>();
        Optional<Path> top = Optional.empty();
        Optional<Path> own = Optional.empty();
        for (String mount : mounts) {
            String[] halves = mount.split(" - ", 2);
            String[] left = halves[0].split(" ");
            String[] right = halves[1].split(" ");
            Path point = Path.of(left[4]);
            if (right[0].equals("cgroup")) {
                List<String> options = List.of(right[right.length - 1].split(","));
                for (String controller : options) {
                    if (CgroupV1.uses(controller)) {
                        membership(memberships, controller)
                                .ifPresent(path ->
                                        v1.putIfAbsent(controller, inside(point, left[3], path)));
                    }
                }
            } else if (right[0].equals("cgroup2") && own.isEmpty()) {
                own = membership(memberships, "").map(path -> inside(point, left[3], path));
                top = Optional.of(point);
            }
        }
        if (v1.containsKey(CgroupV1.DISKS) && !Files.isWritable(v1.get(CgroupV1.DISKS))) {
            v1.remove(CgroupV1.DISKS);
        }
        if (v1.keySet().containsAll(CgroupV1.CONTROLLERS)) {
            return v1.values().stream().allMatch(Files::isWritable)
                    ? new Place(v1, Optional.empty(), "")
                    : nowhere("the cgroup v1 hierarchies are not writable for this user");
        }
        return top.isPresent() && own.isPresent()
                ? unified(top.get(), own.get())
                : nowhere("no cgroup hierarchy is mounted");
    }

    /** The path of our own group in the hierarchy of a controller; the empty name is version 2. */
    private static Optional<String> membership(List<String> memberships, String controller) {
        return memberships.stream()
                .map(line -> line.split(":", 3))
                .filter(parts -> List.of(parts[1].split(",")).contains(controller))
                .map(parts -> parts[2])
                .findFirst();
    }

    private static Path inside(Path point, String root, String path) {
        String below =
                root.equals("/") || !path.startsWith(root) ? path : path.substring(root.length());
        return point.resolve(below.substring(below.startsWith("/") ? 1 : 0)).normalize();
    }

    private static Place nowhere(String problem) {
        return new Place(Map.of(), Optional.empty(), problem);
    }

    /**
     * Version 2: our own group, so that boxes are held by whatever limits it has; for root, where
     * that cannot be, the top of the hierarchy.
     */
    private static Place unified(Path top, Path own) {
        // Started by another JVM of ours, which made this place already.
        Path parent = own.getParent();
        Place place = below(own.endsWith(JVMS) && parent != null ? parent : own);
        if (place.v2.isEmpty() && Kernel.getuid() == 0 && !own.equals(top)) {
            Place above = below(top);
            return above.v2.isPresent() ? above : place;
        }
        return place;
    }

    private static Place below(Path group) {
        String remedy =
                "; start with: systemd-run "
                        + (Kernel.getuid() == 0 ? "" : "--user ")
                        + "--scope -p Delegate=yes";
        if (!Files.isWritable(group.resolve("cgroup.procs"))
                || !Files.isWritable(group.resolve("cgroup.subtree_control"))) {
            return nowhere("the cgroup " + group + " is not delegated to this user" + remedy);
        }
        if (!hasControllers(group)) {
            return nowhere("the cgroup " + group + " has not all of " + CgroupV2.CONTROLLERS);
        }
        try {
            return enableControllers(group)
                    ? new Place(Map.of(), Optional.of(group), "")
                    : nowhere("the cgroup " + group + " has other processes in it" + remedy);
        } catch (UncheckedIOException e) {
            return nowhere("the cgroup " + group + " cannot be divided: " + e.getMessage());
        }
    }

    private static boolean hasControllers(Path group) {
        Path file = group.resolve("cgroup.controllers");
        return Files.isReadable(file)
                && List.of(CgroupFiles.read(file).split(" ")).containsAll(CgroupV2.CONTROLLERS);
    }

    /** False if processes are in the way that are not ours to move. */
    private static boolean enableControllers(Path own) {
        Path subtree = own.resolve("cgroup.subtree_control");
        if (List.of(CgroupFiles.read(subtree).split(" ")).containsAll(CgroupV2.CONTROLLERS)) {
            enableDisks(own);
            return true;
        }
        boolean root = !Files.exists(own.resolve("cgroup.type"));
        List<String> present = root ? List.of() : processes(own);
        if (!present.isEmpty()) {
            // Only the hierarchy's root may have processes beside groups with controllers, so this
            // JVM moves aside first. Not into a group of its own: nobody could remove that at its
            // end.
            String self = Long.toString(ProcessHandle.current().pid());
            if (!present.equals(List.of(self))) {
                return false;
            }
            Path aside = own.resolve(JVMS);
            try {
                Files.createDirectories(aside);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            CgroupFiles.write(aside.resolve("cgroup.procs"), self);
        }
        CgroupFiles.write(
                subtree,
                CgroupV2.CONTROLLERS.stream()
                        .map(name -> "+" + name)
                        .collect(Collectors.joining(" ")));
        enableDisks(own);
        return true;
    }

    /** Where it cannot be, the receipts of boxes that write to disks say so. */
    private static void enableDisks(Path own) {
        try {
            if (List.of(CgroupFiles.read(own.resolve("cgroup.controllers")).split(" "))
                    .contains(CgroupV2.DISKS)) {
                CgroupFiles.write(own.resolve("cgroup.subtree_control"), "+" + CgroupV2.DISKS);
            }
        } catch (UncheckedIOException e) {
            // Others are in the group, or it is not ours to divide any further.
        }
    }

    /**
     * Kills what a JVM leaves that was killed in the very moment between bubblewrap's start and its
     * child's: that child waits for ever. A box that lives has more processes.
     */
    private static void endHalfStarted(Path group) {
        List<String> processes = processes(group);
        if (processes.size() != 1) {
            return;
        }
        String pid = processes.getFirst();
        int handle = Kernel.pidfd(Long.parseLong(pid));
        if (handle < 0) {
            return;
        }
        // Looked at again, now that the number cannot become somebody else's.
        boolean ours = processes(group).equals(processes);
        if (ours && Proc.status(Path.of("/proc", pid), "Name").equals(Optional.of("bwrap"))) {
            Kernel.signal(handle, Kernel.SIGKILL);
            Kernel.ready(handle, Kernel.POLLIN, END_MILLIS);
        }
        Kernel.close(handle);
    }

    private static List<String> processes(Path group) {
        return Proc.read(group.resolve("cgroup.procs"))
                .map(text -> text.lines().toList())
                .orElse(List.of());
    }

    private List<Path> homes() {
        return Stream.concat(place.v1.values().stream(), place.v2.stream()).distinct().toList();
    }

    /** Removes groups whose JVM is gone, wherever this user's JVMs made some; returns how many. */
    int sweep() {
        List<Path> dead = new ArrayList<>();
        Set<Path> searched = CgroupHomes.remembered();
        searched.addAll(homes());
        for (Path home : searched) {
            try (DirectoryStream<Path> groups = Files.newDirectoryStream(home, PREFIX + "*-*-*")) {
                for (Path group : groups) {
                    String[] parts = group.getFileName().toString().split("-");
                    if (!Proc.startTime(parts[1]).equals(parts[2])) {
                        dead.add(group);
                    }
                }
            } catch (IOException e) {
                // Gone meanwhile, or not ours to look into any more.
            }
        }
        int removed = 0;
        for (Path group : dead) {
            try {
                endHalfStarted(group);
                Files.deleteIfExists(group);
                removed++;
            } catch (IOException e) {
                // Its last processes are still dying, or another JVM is sweeping: next time.
            }
        }
        return removed;
    }
}
