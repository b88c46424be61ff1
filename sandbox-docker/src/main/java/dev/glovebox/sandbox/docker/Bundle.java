package dev.glovebox.sandbox.docker;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.sandbox.FileGrant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that gVisor makes a box of: a description, and a root of empty folders in which the
 * host's programs are shown read-only.
 */
record Bundle(Path folder) {

    private static final long PERIOD_MICROS = 100_000;
    private static final String PROGRAMS = "/usr";

    static Bundle make(Path folder, ContainerSpec spec, int uid, String cgroup) throws IOException {
        Path root = folder.resolve("root");
        for (String place : List.of("usr", "tmp", "proc", "dev", "etc")) {
            Files.createDirectories(root.resolve(place));
        }
        for (String top : List.of("bin", "lib", "lib64", "sbin")) {
            Files.createSymbolicLink(root.resolve(top), Path.of("usr", top));
        }
        for (FileGrant grant : spec.files()) {
            Path place = root.resolve(grant.box().substring(1));
            if (Files.isDirectory(grant.current())) {
                Files.createDirectories(place);
            } else {
                Files.createDirectories(place.resolveSibling("."));
                Files.createFile(place);
            }
        }
        Files.writeString(folder.resolve("config.json"), config(spec, uid, cgroup).toString());
        return new Bundle(folder);
    }

    private static ObjectNode config(ContainerSpec spec, int uid, String cgroup) {
        ObjectNode config = JsonNodeFactory.instance.objectNode();
        config.put("ociVersion", "1.0.0");
        config.put("hostname", "box");
        config.putObject("root").put("path", "root").put("readonly", true);
        ObjectNode process = config.putObject("process");
        process.put("terminal", false).put("cwd", "/").put("noNewPrivileges", true);
        process.putObject("user").put("uid", uid).put("gid", uid);
        process.putObject("capabilities");
        ArrayNode words = process.putArray("args");
        spec.command().forEach(words::add);
        ArrayNode env = process.putArray("env");
        Launch.environment().forEach((name, value) -> env.add(name + "=" + value));
        mounts(config.putArray("mounts"), spec, uid);
        ObjectNode linux = config.putObject("linux");
        linux.put("cgroupsPath", "/" + cgroup);
        ObjectNode resources = linux.putObject("resources");
        resources.putObject("memory").put("limit", spec.memory());
        resources
                .putObject("cpu")
                .put("quota", Math.round(spec.limits().cpus() * PERIOD_MICROS))
                .put("period", PERIOD_MICROS);
        resources.putObject("pids").put("limit", spec.processes(Wall.GVISOR));
        ArrayNode namespaces = linux.putArray("namespaces");
        Stream.of("pid", "network", "ipc", "uts", "mount")
                .forEach(type -> namespaces.addObject().put("type", type));
        return config;
    }

    private static void mounts(ArrayNode mounts, ContainerSpec spec, int uid) {
        mount(mounts, "proc", "proc", "/proc", List.of());
        mount(
                mounts,
                "tmpfs",
                "tmpfs",
                ContainerSpec.TMP,
                Stream.of(spec.scratchOptions(uid).split(","))
                        .filter(option -> !option.startsWith("nr_inodes"))
                        .toList());
        mount(mounts, "bind", PROGRAMS, PROGRAMS, List.of("ro", "rbind"));
        for (FileGrant grant : spec.files()) {
            String mode = grant.mode() == FileGrant.Mode.WRITE ? "rw" : "ro";
            mount(mounts, "bind", grant.current().toString(), grant.box(), List.of(mode, "rbind"));
        }
    }

    private static void mount(
            ArrayNode mounts, String type, String source, String target, List<String> options) {
        ArrayNode list =
                mounts.addObject()
                        .put("type", type)
                        .put("source", source)
                        .put("destination", target)
                        .putArray("options");
        options.forEach(list::add);
    }

    /** Removes it; nothing of the host is in it, only places where that was shown. */
    static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> tree = Files.walk(folder)) {
            all = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }
}
