package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.Home;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What runs the guest's instructions: the processor itself, or a translator. */
enum Accelerator {
    KVM,
    TCG;

    private static final Path DEVICE = Path.of("/dev/kvm");
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int KILOHERTZ = 1000;
    private static final int USUAL_MEGAHERTZ = 2000;

    /**
     * The fastest that really works here. A device that opens is no proof: a kernel has to start
     * and to end by itself. What was found is kept until the host starts anew.
     */
    static Accelerator find(Path qemu, Image image, Map<String, String> environment) {
        if (!Files.isReadable(DEVICE) || !Files.isWritable(DEVICE)) {
            return TCG;
        }
        try {
            Path note = Home.of(environment).resolve("microvm").resolve("accelerator");
            String now = Files.readString(BOOT).strip() + " " + qemu + " " + image.digest() + " ";
            if (Files.isReadable(note) && Files.readString(note).startsWith(now)) {
                return valueOf(Files.readString(note).substring(now.length()));
            }
            Accelerator found = runs(qemu, image) ? KVM : TCG;
            Files.createDirectories(note.getParent());
            Files.writeString(note, now + found.name());
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A kernel without a root panics and so restarts, which ends QEMU. */
    private static boolean runs(Path qemu, Image image) {
        List<String> words =
                List.of(
                        qemu.toString(),
                        "-M",
                        "microvm",
                        "-accel",
                        "kvm",
                        "-nodefaults",
                        "-no-user-config",
                        "-display",
                        "none",
                        "-no-reboot",
                        "-m",
                        "256M",
                        "-kernel",
                        image.kernel().toString(),
                        "-append",
                        "panic=-1 reboot=t");
        return Tool.output(PATIENCE, words).isPresent();
    }

    List<String> options() {
        return switch (this) {
            case KVM -> List.of("-accel", "kvm", "-cpu", "host");
            case TCG -> List.of("-accel", "tcg,tb-size=128", "-cpu", "max");
        };
    }

    /**
     * What the kernel must be told. A translated processor counts the host's cycles, and this
     * machine has no other clock to measure them with.
     */
    String kernelOptions() {
        return switch (this) {
            case KVM -> "";
            case TCG -> " tsc_early_khz=" + kilohertz();
        };
    }

    private static long kilohertz() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("cpu MHz"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .mapToLong(value -> Math.round(Double.parseDouble(value)) * KILOHERTZ)
                    .findFirst()
                    .orElse((long) USUAL_MEGAHERTZ * KILOHERTZ);
        } catch (IOException e) {
            return (long) USUAL_MEGAHERTZ * KILOHERTZ;
        }
    }

    String told() {
        return switch (this) {
            case KVM -> "KVM";
            case TCG -> "TCG: translated instructions, many times slower than KVM";
        };
    }
}
