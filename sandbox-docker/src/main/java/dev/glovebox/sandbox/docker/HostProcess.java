package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import dev.glovebox.sandbox.spi.Disks;
import dev.glovebox.sandbox.spi.Throttle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What a container's process is to this machine, where the engine runs on it. */
final class HostProcess {

    private static final Path GROUPS = Path.of("/sys/fs/cgroup");

    private HostProcess() {}

    /** The user that it is here; nothing if it cannot be seen, or is not that container's. */
    static OptionalLong user(InspectContainerResponse said, String container) {
        Optional<Path> process = process(said);
        if (process.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            if (!Files.readString(process.get().resolve("cgroup")).contains(container)) {
                return OptionalLong.empty();
            }
            return Files.readAllLines(process.get().resolve("status")).stream()
                    .filter(line -> line.startsWith("Uid:"))
                    .mapToLong(line -> Long.parseLong(line.split("\\s+")[1]))
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /** What bounds its writing to disks, as far as there are any and its cgroup can be seen. */
    static Optional<Throttle> throttle(InspectContainerResponse said, Disks disks) {
        Optional<Path> process = process(said);
        if (process.isEmpty() || disks.isEmpty() || said.getId() == null) {
            return Optional.empty();
        }
        try {
            return Files.readAllLines(process.get().resolve("cgroup")).stream()
                    .map(line -> line.split(":", 3))
                    .filter(parts -> parts.length == 3 && parts[2].contains(said.getId()))
                    .flatMap(parts -> rates(parts[1], parts[2]))
                    .filter(Files::exists)
                    .findFirst()
                    .map(file -> new Throttle(file, disks));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The file with the rates of a cgroup. */
    static Stream<Path> rates(String controllers, String group) {
        String name = group.substring(1);
        return switch (controllers) {
            case "blkio" -> Stream.of(GROUPS.resolve("blkio").resolve(name, Throttle.RULES_V1));
            case "" -> Stream.of(GROUPS.resolve(name, Throttle.RULES_V2));
            default -> Stream.empty();
        };
    }

    private static Optional<Path> process(InspectContainerResponse said) {
        Long pid = said.getState() == null ? null : said.getState().getPidLong();
        return Optional.ofNullable(pid)
                .filter(number -> number > 0)
                .map(number -> Path.of("/proc", Long.toString(number)));
    }
}
