package dev.glovebox.sandbox.microvm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Durations;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Receipt;
import dev.glovebox.sandbox.spi.Digests;
import dev.glovebox.sandbox.spi.SeccompProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is in force on a machine and in its guest, read back before anything runs in it; a box that
 * lacks some of it is refused.
 */
record Confinement(Launch launch, long inodes, List<Control> controls) {

    private static final long BYTES_PER_FILE = 4096;
    private static final long FEWEST_FILES = 64;
    private static final String USER = "60000";
    private static final String KERNEL = "kernel of the guest";
    private static final Set<String> WRITABLE = Set.of("/dev", "/proc", "/sys", "/tmp");

    /**
     * Asks QEMU and the guest.
     *
     * @throws NotEnforceable naming the first control that is not in force
     */
    static Confinement verify(
            Launch launch, Machine machine, JsonNode found, Policy policy, long memory)
            throws IOException {
        List<Control> controls = new ArrayList<>();
        boolean kvm = machine.qmp().execute("query-kvm", Map.of()).path("enabled").asBoolean();
        require(
                "isolation",
                kvm == launch.accelerator().kvm(),
                "QEMU runs with another accelerator");
        JsonNode status = machine.qmp().execute("query-status", Map.of());
        require("isolation", status.path("running").asBoolean(), "the machine does not run");
        long ram =
                machine.qmp()
                        .execute("query-memory-size-summary", Map.of())
                        .path("base-memory")
                        .asLong();
        require("memory", ram == (long) launch.shape().mebibytes() << 20, "QEMU has another size");
        controls.add(new Control("machine", launch.accelerator().told(), launch.version()));
        controls.add(
                new Control(
                        "image",
                        "sha256:" + launch.image().digest(),
                        "read when its snapshot was made"));
        controls.add(new Control("kernel", word(found.path("kernel")), KERNEL));
        controls.add(
                new Control("kernel-image", "sha256:" + launch.image().kernelDigest(), "its file"));
        controls.add(new Control("machine-memory", new Bytes(ram).toString(), "QEMU"));
        controls.addAll(Cage.verify(machine.qemu(), machine.folder(), launch.shape()));
        guest(controls, found);
        limits(controls, found, policy, memory);
        return new Confinement(launch, inodes(policy.limits()), controls);
    }

    private static void guest(List<Control> controls, JsonNode found) {
        require("user", all(found.path("uids"), USER), "programs have another user");
        require("user", all(found.path("gids"), USER), "programs have another group");
        require("user", found.path("groups").isEmpty(), "programs have more groups");
        controls.add(new Control("user", USER, KERNEL));
        require(
                "capabilities",
                found.path("capabilities").size() == 5
                        && all(found.path("capabilities"), "0000000000000000"),
                "programs have capabilities");
        controls.add(new Control("capabilities", "none", KERNEL));
        require(
                "no-new-privileges",
                found.path("noNewPrivileges").asText().equals("1"),
                "programs could gain privileges");
        controls.add(new Control("no-new-privileges", "on", KERNEL));
        require(
                "seccomp",
                found.path("seccomp").asText().equals("2"),
                "no filter on system calls is on");
        controls.add(new Control("seccomp", SeccompProfile.describe(), KERNEL));
        require(
                "network",
                found.path("interfaces").size() == 1 && all(found.path("interfaces"), "lo"),
                "the guest has a network device");
        controls.add(new Control("network", "none", "no network device in the machine"));
        Set<String> writable = new TreeSet<>();
        found.path("writable").forEach(one -> writable.add(one.asText()));
        require("read-only-root", WRITABLE.containsAll(writable), "more of it is writable");
        controls.add(new Control("read-only-root", "on", "read-only disk, shared by machines"));
    }

    private static void limits(List<Control> controls, JsonNode found, Policy policy, long memory) {
        Limits limits = policy.limits();
        require("memory", found.path("cgroup").asText().equals("0::/box"), "outside of its cgroup");
        exactly("memory", found.path("memory.max"), memory);
        controls.add(
                new Control(
                        "memory",
                        new Bytes(found.path("memory.max").asLong()).toString(),
                        "tree with its scratch, cgroup v2, guest"));
        exactly("processes", found.path("pids.max"), limits.processes());
        controls.add(
                new Control("processes", Integer.toString(limits.processes()), "cgroup v2, guest"));
        require(
                "cpus",
                found.path("cpu.max").asText().equals(quota(limits) + " 100000"),
                "more processors are allowed");
        controls.add(
                new Control(
                        "cpus",
                        String.format(Locale.ROOT, "%.2f", limits.cpus()),
                        "cgroup v2, guest"));
        exactly("open-files", found.path("openFiles"), limits.openFiles());
        controls.add(
                new Control("open-files", Integer.toString(limits.openFiles()), "RLIMIT_NOFILE"));
        exactly("cpu-time", found.path("cpuSeconds"), cpuSeconds(limits));
        exactly("disk", found.path("fileSize"), limits.disk().count());
        long disk = found.path("disk").asLong();
        require("disk", disk > 0 && disk <= limits.disk().count() + 4096, "it is " + disk);
        controls.add(new Control("disk", new Bytes(disk).toString(), "size of the tmpfs, guest"));
        exactly("inodes", found.path("inodes"), inodes(limits));
        controls.add(new Control("inodes", Long.toString(inodes(limits)), "of the tmpfs, guest"));
        controls.add(
                new Control(
                        "cpu-time",
                        Durations.format(limits.cpuTime()),
                        "supervised every 20 ms; RLIMIT_CPU " + cpuSeconds(limits) + " s, guest"));
        controls.add(
                new Control("wall", Durations.format(limits.wall()), "supervised by the host"));
        controls.add(new Control("output", limits.output().toString(), "kept per stream"));
        controls.add(
                new Control(
                        "disk-rate",
                        "nothing to write to",
                        "scratch in memory, all else read-only"));
    }

    /** How many files a scratch may have. */
    static long inodes(Limits limits) {
        return Math.max(FEWEST_FILES, limits.disk().count() / BYTES_PER_FILE);
    }

    /** What one process may use, behind the supervisor that watches the sum of all. */
    static long cpuSeconds(Limits limits) {
        return limits.cpuTime().toSeconds() + 1;
    }

    static long quota(Limits limits) {
        return Math.max(1000, Math.round(limits.cpus() * 100_000));
    }

    private static void exactly(String control, JsonNode found, long wanted) {
        require(control, found.asText().equals(Long.toString(wanted)), "it is " + word(found));
    }

    private static boolean all(JsonNode list, String wanted) {
        if (list.isEmpty()) {
            return false;
        }
        for (JsonNode one : list) {
            if (!one.asText().equals(wanted)) {
                return false;
            }
        }
        return true;
    }

    private static String word(JsonNode found) {
        String text = found.asText().replaceAll("[^A-Za-z0-9._+-]", "?");
        return text.substring(0, Math.min(text.length(), 64));
    }

    private static void require(String control, boolean inForce, String otherwise) {
        if (!inForce) {
            throw new NotEnforceable(
                    control, "The control '" + control + "' is not in force: " + otherwise);
        }
    }

    Receipt receipt(Program program, Policy policy, Output stdout, Output stderr) {
        Map<String, String> inputs = new TreeMap<>();
        program.inputs().forEach((path, content) -> inputs.put(path, Digests.hex(content)));
        return new Receipt(
                MicrovmTier.NAME,
                launch.version(),
                interpreter(program),
                OptionalLong.empty(),
                digest(program),
                inputs,
                policy.digest(),
                controls,
                stdout.digest(),
                stderr.digest());
    }

    /** The path of an interpreter, in the guest. */
    String interpreter(Language language) {
        return launch.image()
                .interpreter(language)
                .orElseThrow(() -> new NotEnforceable("image", "The image has no " + language))
                .path()
                .toString();
    }

    private Optional<Interpreter> interpreter(Program program) {
        return program.code() instanceof Program.Script script
                ? launch.image().interpreter(script.language())
                : Optional.empty();
    }

    private static String digest(Program program) {
        return switch (program.code()) {
            case Program.Script script -> Digests.hex(script.source());
            case Program.Command(String name) -> {
                List<String> words = new ArrayList<>(List.of(name));
                words.addAll(program.arguments());
                yield Digests.hex(String.join("\0", words).getBytes(StandardCharsets.UTF_8));
            }
        };
    }
}
