package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** What a container's process is to this machine, where the engine runs on it. */
final class HostProcess {

    private HostProcess() {}

    /** The user that it is here; nothing if it cannot be seen, or is not that container's. */
    static OptionalLong user(InspectContainerResponse said, String container) {
        Long pid = said.getState() == null ? null : said.getState().getPidLong();
        if (pid == null || pid <= 0) {
            return OptionalLong.empty();
        }
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            if (!Files.readString(process.resolve("cgroup")).contains(container)) {
                return OptionalLong.empty();
            }
            return Files.readAllLines(process.resolve("status")).stream()
                    .filter(line -> line.startsWith("Uid:"))
                    .mapToLong(line -> Long.parseLong(line.split("\\s+")[1]))
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }
}
