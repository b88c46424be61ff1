package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.FileGrant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * The disks behind the host folders that a box may write to.
 *
 * @param known those that can be given a rate
 * @param others what the receipt says of folders behind which there is none
 */
public record Disks(List<Disk> known, List<Control> others) {

    private static final String CONTROL = "disk-rate";
    private static final String NOTHING = "nothing to write to";
    private static final Path DEVICES = Path.of("/sys/dev/block");

    /**
     * Where what is written later is counted for whoever wrote it (SB_I_CGROUPWB in the kernel).
     */
    private static final Set<String> TRACKING = Set.of("ext2", "ext4", "xfs", "btrfs", "f2fs");

    public Disks {
        known = List.copyOf(known);
        others = List.copyOf(others);
    }

    /** Looks for the disks of all that may be written to. */
    public static Disks behind(Collection<FileGrant> files) {
        Map<String, Disk> known = new TreeMap<>();
        List<Control> others = new ArrayList<>();
        for (FileGrant grant : files) {
            if (grant.mode() == FileGrant.Mode.WRITE) {
                try {
                    find(grant, known, others);
                } catch (IOException e) {
                    others.add(unbounded("the disk of " + grant.box() + " cannot be found"));
                }
            }
        }
        return new Disks(List.copyOf(known.values()), others);
    }

    private static void find(FileGrant grant, Map<String, Disk> known, List<Control> others)
            throws IOException {
        String type = Files.getFileStore(grant.host()).type();
        if (type.equals("tmpfs")) {
            others.add(new Control(CONTROL, NOTHING, grant.box() + " is in memory"));
            return;
        }
        Path device = DEVICES.resolve(number((long) Files.getAttribute(grant.host(), "unix:dev")));
        if (!Files.exists(device)) {
            // Such as overlayfs, btrfs and those of a network.
            others.add(unbounded(grant.box() + " is on " + type + ", which names no disk"));
            return;
        }
        Disk disk = whole(device.toRealPath(), TRACKING.contains(type));
        known.merge(
                disk.number(),
                disk,
                (one, other) ->
                        new Disk(one.number(), one.name(), one.tracked() && other.tracked()));
    }

    /** The kernel takes rules for whole disks, not for their parts. */
    private static Disk whole(Path device, boolean tracked) throws IOException {
        Path disk = Files.exists(device.resolve("partition")) ? device.resolveSibling(".") : device;
        String name =
                Files.readAllLines(disk.resolve("uevent")).stream()
                        .filter(line -> line.startsWith("DEVNAME="))
                        .map(line -> line.substring("DEVNAME=".length()))
                        .findFirst()
                        .orElseThrow(() -> new IOException("The device has no name"));
        return new Disk(Files.readString(disk.resolve("dev")).strip(), name, tracked);
    }

    /** Takes {@code st_dev} apart as the C library does. */
    static String number(long device) {
        long major = ((device >>> 8) & 0xfff) | ((device >>> 32) & 0xffff_f000L);
        long minor = (device & 0xff) | ((device >>> 12) & 0xffff_ff00L);
        return major + ":" + minor;
    }

    /** Whether there is nothing to give a rate to. */
    public boolean isEmpty() {
        return known.isEmpty();
    }

    /** What the receipt says where no rule can be had. */
    public List<Control> unruled(String reason) {
        return controls("", "", reason);
    }

    /**
     * What the receipt says: first of what has no bound, so that nobody overlooks it.
     *
     * @param rules as the kernel, or who speaks for it, tells them
     * @param by who that is
     * @param otherwise why there may be no rule for a disk
     */
    public List<Control> controls(String rules, String by, String otherwise) {
        List<Control> controls = new ArrayList<>(others);
        List<Control> bounded = new ArrayList<>();
        for (Disk disk : known) {
            OptionalLong rate = disk.rate(rules);
            if (rate.isPresent()) {
                bounded.add(bounded(disk, new Bytes(rate.getAsLong()), by));
            } else {
                controls.add(unbounded(disk.name() + ": " + otherwise));
            }
        }
        controls.addAll(bounded);
        return controls.isEmpty()
                ? List.of(new Control(CONTROL, NOTHING, "scratch in memory, all else read-only"))
                : List.copyOf(controls);
    }

    private static Control bounded(Disk disk, Bytes rate, String by) {
        // Version 1 does not know for whom it writes later, so that counts for nobody.
        boolean all = disk.tracked() && by.endsWith(Throttle.V2);
        return new Control(
                CONTROL,
                rate + "/s",
                by
                        + ", disk "
                        + disk.name()
                        + (all
                                ? ", what is written back later included"
                                : ", what is written back later not included"));
    }

    private static Control unbounded(String reason) {
        return new Control(CONTROL, "not bounded", reason);
    }
}
