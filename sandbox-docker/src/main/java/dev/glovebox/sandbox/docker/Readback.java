package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.BlkioRateDevice;
import com.github.dockerjava.api.model.HostConfig;
import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Durations;
import dev.glovebox.sandbox.FileGrant;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.spi.Disks;
import dev.glovebox.sandbox.spi.SeccompProfile;
import dev.glovebox.sandbox.spi.Throttle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads back what confinement is on a container before anything runs in it, and refuses the box if
 * any of it is missing: first from the kernel, by what its holder reads inside, and where that does
 * not say, from what the engine says about the container after its start.
 */
final class Readback {

    private static final String KERNEL = "kernel";
    private static final String ENGINE = "engine";
    private static final int PAGE = 4096;
    private static final List<String> QUOTA =
            List.of("cpu/cpu.cfs_quota_us", "cpu,cpuacct/cpu.cfs_quota_us");

    private final Wall wall;
    private final Nature nature;
    private final Facts facts;
    private final ContainerSpec spec;
    private final HostConfig told;
    private final List<Control> controls = new ArrayList<>();

    private Readback(Wall wall, Nature nature, Facts facts, ContainerSpec spec, HostConfig told) {
        this.wall = wall;
        this.nature = nature;
        this.facts = facts;
        this.spec = spec;
        this.told = told;
    }

    /**
     * Lists what is in force on a container.
     *
     * @throws NotEnforceable naming the first control that is not in force
     */
    static List<Control> verify(
            Wall wall,
            Nature nature,
            Facts facts,
            ContainerSpec spec,
            int uid,
            InspectContainerResponse said) {
        Readback readback =
                new Readback(
                        wall, nature, facts, spec, Objects.requireNonNull(said.getHostConfig()));
        readback.image(said);
        readback.user(uid);
        readback.namespaces();
        readback.network();
        readback.privileges();
        readback.files(said);
        readback.resources();
        return List.copyOf(readback.controls);
    }

    /** Adds what belongs to a command, and not to its box. */
    static List<Control> withTimes(List<Control> controls, Policy policy, Rlimits rlimits) {
        Limits limits = policy.limits();
        List<Control> all = new ArrayList<>(controls);
        all.add(new Control("open-files", rlimits.openFiles(), "RLIMIT_NOFILE"));
        all.add(
                new Control(
                        "cpu-time",
                        Durations.format(limits.cpuTime()),
                        "supervised every 20 ms; RLIMIT_CPU " + rlimits.cpuSeconds() + " s"));
        all.add(new Control("wall", Durations.format(limits.wall()), "supervised every 20 ms"));
        all.add(new Control("output", limits.output().toString(), "kept per stream"));
        return List.copyOf(all);
    }

    private void image(InspectContainerResponse said) {
        String image = String.valueOf(said.getImageId());
        require("image", sameImage(image, spec.image()), "the engine took " + image);
        controls.add(new Control("image", image, ENGINE));
        String runtime = String.valueOf(told.getRuntime());
        controls.add(new Control("runtime", runtime.isBlank() ? "default" : runtime, ENGINE));
        require(
                "init",
                Boolean.TRUE.equals(told.getInit())
                        || facts.text("/proc/1/cmdline").contains("init"),
                "the box has no init process");
        controls.add(new Control("init", "on", ENGINE));
        require("logs", "none".equals(logs()), "what a box writes goes to the log " + logs());
        controls.add(new Control("logs", "none", ENGINE));
    }

    /** Podman writes digests without their kind. */
    private static boolean sameImage(String one, String other) {
        return one.replace("sha256:", "").equals(other.replace("sha256:", ""));
    }

    private String logs() {
        return told.getLogConfig() == null || told.getLogConfig().getType() == null
                ? "unknown"
                : told.getLogConfig().getType().getType();
    }

    private void user(int uid) {
        String[] uids = facts.status("Uid").orElse("").split("\\s+");
        for (String found : uids) {
            require(
                    "user",
                    found.equals(Integer.toString(uid)) && uid > 0,
                    "the box runs as user " + found);
        }
        controls.add(new Control("user", Integer.toString(uid), "of this box only"));
    }

    private void namespaces() {
        require("namespaces", !"host".equals(told.getPidMode()), "the box sees host processes");
        require("namespaces", !"host".equals(told.getIpcMode()), "the box shares host memory");
        require("namespaces", !"host".equals(told.getUtSMode()), "the box shares the host's name");
        controls.add(
                new Control(
                        "namespaces",
                        "mnt pid net ipc uts",
                        wall == Wall.GVISOR ? "gVisor, a kernel of its own" : ENGINE));
    }

    private void network() {
        require("network", "none".equals(told.getNetworkMode()), "the box has a network");
        List<String> interfaces =
                facts.lines("/proc/net/dev").stream()
                        .filter(line -> line.contains(":"))
                        .map(line -> line.substring(0, line.indexOf(':')).strip())
                        .toList();
        require(
                "network",
                interfaces.stream().allMatch(name -> name.equals("lo") || tunnel(name)),
                "the box has the network interfaces " + interfaces);
        require(
                "network",
                facts.lines("/proc/net/route").size() <= 1,
                "the box has a network route");
        controls.add(new Control("network", "none", "network namespace without a route"));
    }

    /** Modules of the kernel put one of these, which is down, into every new namespace. */
    private static boolean tunnel(String name) {
        return name.matches("(sit|tunl|gre|gretap|erspan|ip_vti|ip6_vti|ip6tnl|ip6gre)0");
    }

    private void privileges() {
        for (String set : List.of("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")) {
            Optional<String> found = facts.status(set);
            require(
                    "capabilities",
                    found.map(bits -> bits.chars().allMatch(c -> c == '0'))
                            .orElse(wall == Wall.GVISOR),
                    "the box has capabilities: " + set + " " + found.orElse("unknown"));
        }
        require("capabilities", !Boolean.TRUE.equals(told.getPrivileged()), "it is privileged");
        controls.add(new Control("capabilities", "none", KERNEL));
        List<String> options = told.getSecurityOpts() == null ? List.of() : told.getSecurityOpts();
        Optional<String> noNew = facts.status("NoNewPrivs");
        require(
                "no-new-privileges",
                noNew.map("1"::equals)
                        .orElse(options.stream().anyMatch(o -> o.startsWith("no-new-priv"))),
                "programs in the box could gain privileges");
        controls.add(new Control("no-new-privileges", "on", noNew.isPresent() ? KERNEL : ENGINE));
        seccomp(options);
        require(
                "holder",
                facts.text("dumpable").equals("0"),
                "programs in the box could write into the memory of the process that holds it");
    }

    private void seccomp(List<String> options) {
        if (wall == Wall.GVISOR) {
            controls.add(
                    new Control(
                            "seccomp",
                            "no system call reaches the host's kernel",
                            "gVisor, " + kernel()));
            return;
        }
        require(
                "seccomp",
                facts.status("Seccomp").equals(Optional.of("2")),
                "no system call filter is on the box");
        require(
                "seccomp",
                options.contains("seccomp=" + nature.dialect().filter(spec)),
                "the engine put another system call filter on the box");
        controls.add(new Control("seccomp", SeccompProfile.describe(), "kernel, filter mode"));
    }

    private String kernel() {
        String version = facts.text("/proc/version");
        return version.substring(0, Math.min(version.length(), 80));
    }

    private void files(InspectContainerResponse said) {
        require(
                "read-only-root",
                Boolean.TRUE.equals(told.getReadonlyRootfs()),
                "the root of the box is writable");
        List<String> writable =
                spec.files().stream()
                        .filter(grant -> grant.mode() == FileGrant.Mode.WRITE)
                        .map(FileGrant::box)
                        .toList();
        for (String point : facts.lines("writable")) {
            require(
                    "read-only-root",
                    point.equals(ContainerSpec.TMP)
                            || point.startsWith("/dev/")
                            || writable.contains(point),
                    point + " is writable in the box");
        }
        int mounts = facts.lines("/proc/self/mountinfo").size();
        controls.add(new Control("read-only-root", mounts + " mounts", "mount namespace"));
        scratch();
        int granted = said.getMounts() == null ? 0 : said.getMounts().size();
        require(
                "files",
                granted == spec.files().size() + nature.dialect().ownPlaces(),
                "the engine shows the box " + granted + " places");
        for (FileGrant grant : spec.files()) {
            String how = grant.mode() == FileGrant.Mode.WRITE ? "writable" : "read-only";
            controls.add(new Control("file", grant.box(), how + " mount"));
        }
        diskRate(said);
    }

    private void diskRate(InspectContainerResponse said) {
        Disks disks = spec.disks();
        controls.addAll(
                HostProcess.throttle(said, disks)
                        .map(Throttle::controls)
                        .orElseGet(() ->
                                disks.controls(rules(disks), ENGINE, "the engine has no rule")));
    }

    /** What the engine says that it bounds, in the kernel's words. */
    private String rules(Disks disks) {
        List<BlkioRateDevice> rates = told.getBlkioDeviceWriteBps();
        return disks.known().stream()
                .flatMap(disk ->
                        (rates == null ? List.<BlkioRateDevice>of() : rates)
                                .stream()
                                        .filter(rate -> disk.path().equals(rate.getPath()))
                                        .map(rate -> disk.number() + " " + rate.getRate()))
                .collect(Collectors.joining("\n"));
    }

    private void scratch() {
        String[] sizes = facts.text("scratch").split(" ");
        require("disk", sizes.length == 2 && sizes[0].matches("\\d{1,18}"), "it has no size");
        long size = Long.parseLong(sizes[0]);
        long allowed = Math.ceilDiv(spec.limits().disk().count(), PAGE) * PAGE;
        require(
                "disk",
                size > 0 && size <= allowed,
                "the scratch is larger than allowed: " + new Bytes(size));
        // gVisor counts no files of a tmpfs: they are counted every 20 ms.
        require(
                "disk",
                wall == Wall.GVISOR || sizes[1].equals(Long.toString(spec.scratchInodes())),
                "the scratch has room for " + sizes[1] + " files");
        controls.add(new Control("disk", new Bytes(size).toString(), "size of the tmpfs"));
    }

    private void resources() {
        String version = facts.groupVersion().orElse("");
        bound(
                "memory",
                List.of("memory/memory.limit_in_bytes", "memory.max"),
                told.getMemory(),
                spec.memory(),
                value -> new Bytes(value).toString(),
                "tree, "
                        + (version.isEmpty() ? ENGINE : version)
                        + ", with the scratch and our holder");
        swap();
        if (version.equals("cgroup v1")) {
            controls.add(
                    new Control(
                            "socket-memory",
                            facts.text("/proc/sys/net/ipv4/tcp_wmem").replaceAll("\\s+", " "),
                            "of each connection, beside the sum"));
        }
        if (wall == Wall.GVISOR) {
            controls.add(
                    new Control(
                            "processes",
                            Integer.toString(spec.limits().processes()),
                            "supervised every 20 ms"));
            bound(
                    ContainerSpec.HOST_THREADS,
                    List.of(),
                    told.getPidsLimit(),
                    spec.processes(wall),
                    Long::toString,
                    ENGINE);
        } else {
            bound(
                    "processes",
                    List.of("pids/pids.max", "pids.max"),
                    told.getPidsLimit(),
                    spec.processes(wall),
                    Long::toString,
                    (version.isEmpty() ? ENGINE : version)
                            + ", with our "
                            + ContainerSpec.OWN_PROCESSES);
        }
        cpus(version);
    }

    /** What is swapped out is in no sum of memory. A kernel without these files counts no swap. */
    private void swap() {
        String more = facts.groupText("memory.swap.max");
        requireBound(
                "memory",
                more.isEmpty() || more.equals("0"),
                "beside it the box has swap (memory.swap.max is " + more + ")");
        List<String> both = List.of("memory/memory.memsw.limit_in_bytes");
        requireBound(
                "memory",
                !facts.tells(both) || facts.group(both).orElse(Long.MAX_VALUE) <= spec.memory(),
                "with swap it is more");
    }

    private interface Shown {
        String of(long value);
    }

    private void bound(
            String name,
            List<String> files,
            @Nullable Long engine,
            long wanted,
            Shown shown,
            String by) {
        OptionalLong kernel = facts.group(files);
        long word = engine == null || !believed(files) ? 0 : engine;
        long found = kernel.orElse(word);
        requireBound(
                name,
                found > 0 && found <= wanted,
                "it is " + (found > 0 ? shown.of(found) : "not bounded"));
        controls.add(new Control(name, shown.of(found), by));
    }

    /** A kernel that says there is no limit is right, whatever the engine says. */
    private boolean believed(List<String> files) {
        return wall == Wall.GVISOR || (nature.believed() && !facts.tells(files));
    }

    private void cpus(String version) {
        double found = cpusByKernel().orElseGet(this::cpusByEngine);
        requireBound(
                "cpus",
                found > 0 && found <= spec.limits().cpus() + 0.01,
                "they are " + (found > 0 ? found : "not bounded"));
        controls.add(
                new Control(
                        "cpus",
                        String.format(Locale.ROOT, "%.2f", found),
                        version.isEmpty() ? ENGINE : version));
    }

    private Optional<Double> cpusByKernel() {
        OptionalLong quota = facts.group(QUOTA);
        OptionalLong period =
                facts.group(List.of("cpu/cpu.cfs_period_us", "cpu,cpuacct/cpu.cfs_period_us"));
        if (quota.isPresent() && period.isPresent()) {
            return Optional.of((double) quota.getAsLong() / period.getAsLong());
        }
        String[] both = facts.groupText("cpu.max").split(" ");
        return both.length == 2 && both[0].matches("\\d{1,12}") && both[1].matches("\\d{1,12}")
                ? Optional.of(Double.parseDouble(both[0]) / Double.parseDouble(both[1]))
                : Optional.empty();
    }

    private double cpusByEngine() {
        if (!believed(QUOTA) || !believed(List.of("cpu.max"))) {
            return 0;
        }
        Long quota = told.getCpuQuota();
        Long period = told.getCpuPeriod();
        return quota == null || period == null || period == 0 ? 0 : (double) quota / period;
    }

    /** Requires what a cgroup bounds, and says what helps an engine that has none to give. */
    private void requireBound(String control, boolean inForce, String otherwise) {
        if (!inForce) {
            throw new NotEnforceable(
                    control,
                    "The control '" + control + "' is not in force: " + otherwise,
                    nature.remedy());
        }
    }

    private static void require(String control, boolean inForce, String otherwise) {
        if (!inForce) {
            throw new NotEnforceable(
                    control, "The control '" + control + "' is not in force: " + otherwise);
        }
    }
}
