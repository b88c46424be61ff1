package dev.glovebox.sandbox.internal;

import static dev.glovebox.sandbox.internal.CgroupFiles.entry;
import static dev.glovebox.sandbox.internal.CgroupFiles.number;
import static dev.glovebox.sandbox.internal.CgroupFiles.read;
import static dev.glovebox.sandbox.internal.CgroupFiles.write;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.spi.Throttle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A box's groups in the version 1 hierarchies.
 *
 * <p>A thread moves itself by writing 0 to {@code tasks}, and its children are born in the group.
 * Moving a process from outside instead would wait for every processor to pass through the
 * scheduler: 20 ms was measured.
 */
final class CgroupV1 implements Cgroup {

    private static final int PERIOD_MICROS = 100_000;
    // What is under way in a box's own sockets is not part of its memory in version 1; without a
    // limit of its own, a box of 64 MiB was seen to take 2.6 GiB of the host.
    private static final String SOCKETS = "memory.kmem.tcp.limit_in_bytes";
    private static final Bytes SOCKET_MEMORY = Bytes.mebibytes(16);
    static final List<String> CONTROLLERS = List.of("memory", "pids", "cpu", "cpuacct");

    /** The controller that is used where it is there, and a box can write to disks. */
    static final String DISKS = "blkio";

    private static final List<String> RATES =
            List.of(
                    Throttle.RULES_V1,
                    "blkio.throttle.read_bps_device",
                    "blkio.throttle.write_iops_device",
                    "blkio.throttle.read_iops_device");

    private final Map<String, Path> homes;
    private final Map<String, Path> groups = new TreeMap<>();
    private final boolean swap;
    private final Optional<Throttle> throttle;

    /** Makes the groups below our own ones and sets the limits. */
    CgroupV1(Map<String, Path> homes, String name, CgroupLimits limits) {
        this.homes = new TreeMap<>(homes);
        if (limits.disks().isEmpty()) {
            this.homes.remove(DISKS);
        }
        try {
            for (Map.Entry<String, Path> home : this.homes.entrySet()) {
                Path group = home.getValue().resolve(name);
                if (!groups.containsValue(group)) { // cpu and cpuacct may be one hierarchy
                    Files.createDirectory(group);
                }
                groups.put(home.getKey(), group);
            }
        } catch (IOException e) {
            close();
            throw new UncheckedIOException(e);
        }
        throttle =
                Optional.ofNullable(groups.get(DISKS))
                        .map(group ->
                                new Throttle(group.resolve(Throttle.RULES_V1), limits.disks()));
        swap = Files.exists(file("memory", "memory.memsw.limit_in_bytes"));
        try {
            write(file("memory", "memory.limit_in_bytes"), Long.toString(limits.memory()));
            if (swap) {
                write(
                        file("memory", "memory.memsw.limit_in_bytes"),
                        Long.toString(limits.memory()));
            }
            if (Files.exists(file("memory", SOCKETS))) {
                write(file("memory", SOCKETS), Long.toString(SOCKET_MEMORY.count()));
            }
            write(file("pids", "pids.max"), Integer.toString(limits.processes()));
            write(
                    file("cpu", "cpu.cfs_quota_us"),
                    Long.toString(Math.round(limits.cpus() * PERIOD_MICROS)));
            throttle.ifPresent(rates -> hold(rates, limits.diskRate().count()));
        } catch (UncheckedIOException e) {
            close();
            throw e;
        }
    }

    /** A group of this controller is not held by what holds those above it: so that is copied. */
    private void hold(Throttle rates, long most) {
        rates.hold(new Bytes(most));
        Path home = Objects.requireNonNull(homes.get(DISKS));
        for (String name : RATES) {
            Path ours = home.resolve(name);
            List<String> rules = Files.exists(ours) ? read(ours).lines().toList() : List.of();
            for (String rule : rules) {
                long value = Long.parseLong(rule.substring(rule.indexOf(' ') + 1).strip());
                if (!name.equals(Throttle.RULES_V1) || value < most) {
                    write(file(DISKS, name), rule);
                }
            }
        }
    }

    static boolean uses(String controller) {
        return CONTROLLERS.contains(controller) || controller.equals(DISKS);
    }

    private Path file(String controller, String name) {
        return Objects.requireNonNull(groups.get(controller)).resolve(name);
    }

    @Override
    public void enter() {
        groups.values().forEach(group -> write(group.resolve("tasks"), "0"));
    }

    @Override
    public void leave() {
        homes.values().forEach(home -> write(home.resolve("tasks"), "0"));
    }

    @Override
    public void attach(int pid) {
        // Born in the group.
    }

    @Override
    public boolean holds(Path process) {
        List<String[]> memberships =
                Proc.read(process.resolve("cgroup"))
                        .orElse("")
                        .lines()
                        .map(line -> line.split(":", 3))
                        .toList();
        return groups.entrySet().stream()
                .allMatch(one ->
                        memberships.stream()
                                .anyMatch(parts ->
                                        List.of(parts[1].split(",")).contains(one.getKey())
                                                && parts[2].endsWith(
                                                        "/" + one.getValue().getFileName())));
    }

    @Override
    public long cpuNanos() {
        return number(file("cpuacct", "cpuacct.usage"));
    }

    @Override
    public long memory() {
        return number(file("memory", "memory.usage_in_bytes"));
    }

    @Override
    public long programMemory() {
        return entry(file("memory", "memory.stat"), "total_rss");
    }

    @Override
    public long peakMemory() {
        return number(file("memory", "memory.max_usage_in_bytes"));
    }

    @Override
    public long oomKills() {
        return entry(file("memory", "memory.oom_control"), "oom_kill");
    }

    @Override
    public long refusedForks() {
        return entry(file("pids", "pids.events"), "max");
    }

    @Override
    public Optional<Throttle> throttle() {
        return throttle;
    }

    @Override
    public List<Control> controls() {
        double cpus =
                (double) number(file("cpu", "cpu.cfs_quota_us"))
                        / number(file("cpu", "cpu.cfs_period_us"));
        return CgroupLimits.controls(
                "cgroup v1",
                new Bytes(number(file("memory", "memory.limit_in_bytes"))),
                number(file("pids", "pids.max")),
                cpus);
    }

    @Override
    public void close() {
        groups.values().forEach(CgroupFiles::remove);
    }
}
