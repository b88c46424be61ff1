package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.NotEnforceable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What confines QEMU itself on the host, should a guest ever take it over. */
final class Cage {

    /** What QEMU takes beside the memory of its guest: its code, its stacks, translated code. */
    static final Bytes OWN_SPACE = new Bytes(2L << 30);

    /** More than its log needs; it has nothing else to write to. */
    static final Bytes LARGEST_FILE = new Bytes(1L << 20);

    private static final String KERNEL = "kernel of the host, for QEMU";
    private static final String FILTERED = "2";

    private Cage() {}

    /**
     * Reads back what is in force for a QEMU that runs.
     *
     * @throws NotEnforceable naming the first control that is not
     */
    static List<Control> verify(ProcessHandle qemu, Folder folder, Shape shape) throws IOException {
        Path process = Path.of("/proc", Long.toString(qemu.pid()));
        Map<String, String> status = new TreeMap<>();
        for (String line : Files.readAllLines(process.resolve("status"))) {
            int colon = line.indexOf(':');
            status.put(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        String user = Integer.toString(folder.user());
        require("host-user", status, "Uid", String.join("\t", user, user, user, user));
        for (String set : List.of("CapInh", "CapPrm", "CapEff", "CapAmb")) {
            require("host-capabilities", status, set, "0000000000000000");
        }
        require("host-no-new-privileges", status, "NoNewPrivs", "1");
        require("host-system-calls", status, "Seccomp", FILTERED);
        List<String> limits = Files.readAllLines(process.resolve("limits"));
        limit("host-memory", limits, "Max address space", space(shape));
        limit("host-file-size", limits, "Max file size", LARGEST_FILE.count());
        for (String mount : Files.readAllLines(process.resolve("mountinfo"))) {
            mounted(mount.split(" "));
        }
        List<Control> controls = new ArrayList<>();
        controls.add(new Control("host-files", "the system's and the image, read-only", KERNEL));
        controls.add(new Control("host-user", user, KERNEL));
        controls.add(new Control("host-capabilities", "none", KERNEL));
        controls.add(new Control("host-no-new-privileges", "on", KERNEL));
        controls.add(new Control("host-system-calls", "QEMU's filter", KERNEL));
        controls.add(
                new Control(
                        "host-memory", new Bytes(space(shape)).toString(), "RLIMIT_AS of QEMU"));
        controls.add(
                new Control("host-file-size", LARGEST_FILE.toString(), "RLIMIT_FSIZE of QEMU"));
        return controls;
    }

    /** Devices that every program has, and its own processes, are no place to write to. */
    private static void mounted(String[] fields) {
        String place = fields[4];
        boolean readOnly = List.of(fields[5].split(",")).contains("ro");
        if (!readOnly && !place.startsWith("/dev/") && !place.equals("/proc")) {
            throw new NotEnforceable(
                    "host-files", "QEMU is not confined: it can write to " + place);
        }
    }

    static long space(Shape shape) {
        return ((long) shape.mebibytes() << 20) + OWN_SPACE.count();
    }

    private static void require(
            String control, Map<String, String> status, String name, String wanted) {
        String found = status.getOrDefault(name, "not told");
        if (!found.equals(wanted)) {
            throw new NotEnforceable(control, "QEMU is not confined: its " + name + " is " + found);
        }
    }

    private static void limit(String control, List<String> limits, String name, long wanted) {
        boolean inForce =
                limits.stream()
                        .filter(line -> line.startsWith(name))
                        .map(line -> line.substring(name.length()).strip().split("\\s+"))
                        .anyMatch(values ->
                                values[0].equals(Long.toString(wanted))
                                        && values[1].equals(Long.toString(wanted)));
        if (!inForce) {
            throw new NotEnforceable(
                    control, "QEMU is not confined: " + name + " is not " + wanted);
        }
    }
}
