package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Control;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The file of a cgroup in which the kernel keeps how fast disks may be written to.
 *
 * @param file {@code blkio.throttle.write_bps_device}, or {@code io.max} of version 2
 */
public record Throttle(Path file, Disks disks) {

    /** The name of the file in version 1. */
    public static final String RULES_V1 = "blkio.throttle.write_bps_device";

    /** The name of the file in version 2. */
    public static final String RULES_V2 = "io.max";

    static final String V2 = "cgroup v2";
    private static final String V1 = "cgroup v1";

    /** Gives each disk this many bytes a second; what came of it is read back. */
    public void hold(Bytes rate) {
        disks.known()
                .forEach(
                        disk -> write(disk.number() + (unified() ? " wbps=" : " ") + rate.count()));
    }

    /**
     * Lets everything through. Not even SIGKILL ends a process before its writes are done: a box
     * that has to end must not wait for a rate.
     */
    public void lift() {
        disks.known().forEach(disk -> write(disk.number() + (unified() ? " wbps=max" : " 0")));
    }

    private boolean unified() {
        return file.endsWith(RULES_V2);
    }

    private void write(String rule) {
        try {
            Files.writeString(file, rule);
        } catch (IOException e) {
            // The kernel takes no rule for such a device, or the group is gone: what is read
            // counts.
        }
    }

    /** What is in force, read back from the kernel. */
    public List<Control> controls() {
        String rules;
        try {
            rules = Files.readString(file);
        } catch (IOException e) {
            rules = "";
        }
        return disks.controls(rules, unified() ? V2 : V1, "the kernel has no rule for it");
    }
}
