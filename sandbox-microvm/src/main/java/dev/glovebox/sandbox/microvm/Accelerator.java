package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.Home;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What runs the guest's instructions: the processor itself, or a translator.
 *
 * @param kilohertz how fast the processor counts its cycles
 */
record Accelerator(boolean kvm, long kilohertz) {

    static final Path DEVICE = Path.of("/dev/kvm");

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Pattern NOTE = Pattern.compile("(.*) (kvm|tcg) (\\d{1,9})\\s*");
    private static final Pattern MEGAHERTZ = Pattern.compile("(?m)^cpu MHz\\s*: (\\d{1,5})");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int USUAL_MEGAHERTZ = 2000;

    /**
     * The fastest that really works here. A device that opens is no proof: a kernel has to start
     * and to end by itself. What was found is kept until the host starts anew.
     */
    static Accelerator find(Path qemu, Image image, Map<String, String> environment) {
        try {
            Path note = Home.of(environment).resolve("microvm").resolve("accelerator");
            String here = Files.readString(BOOT).strip() + " " + qemu + " " + image.digest();
            Optional<Accelerator> known = read(note, here);
            if (known.isPresent()) {
                return known.get();
            }
            Accelerator found = new Accelerator(runs(qemu, image), measured());
            Path fresh = Files.createTempFile(note.getParent(), "accelerator", ".new");
            Files.writeString(
                    fresh, here + (found.kvm ? " kvm " : " tcg ") + found.kilohertz + "\n");
            Files.move(fresh, note, StandardCopyOption.ATOMIC_MOVE);
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<Accelerator> read(Path note, String here) throws IOException {
        if (!Files.isReadable(note)) {
            return Optional.empty();
        }
        Matcher said = NOTE.matcher(Files.readString(note));
        return said.matches() && said.group(1).equals(here)
                ? Optional.of(
                        new Accelerator(said.group(2).equals("kvm"), Long.parseLong(said.group(3))))
                : Optional.empty();
    }

    /** A kernel without a root panics and so restarts, which ends QEMU. */
    private static boolean runs(Path qemu, Image image) {
        if (!Files.isReadable(DEVICE) || !Files.isWritable(DEVICE)) {
            return false;
        }
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
                        image.folder().resolve(Image.KERNEL).toString(),
                        "-append",
                        "panic=-1 reboot=t");
        return Tool.output(PATIENCE, words).isPresent();
    }

    /** Read once: where processors change their speed, it is another number each time. */
    private static long measured() throws IOException {
        Matcher told = MEGAHERTZ.matcher(Files.readString(Path.of("/proc/cpuinfo")));
        return 1000L * (told.find() ? Integer.parseInt(told.group(1)) : USUAL_MEGAHERTZ);
    }

    List<String> options() {
        return kvm
                ? List.of("-accel", "kvm", "-cpu", "host")
                : List.of("-accel", "tcg,tb-size=128", "-cpu", "max");
    }

    /**
     * What the kernel must be told. A translated processor counts the host's cycles, and this
     * machine has no other clock to measure them with.
     */
    String kernelOptions() {
        return kvm ? "" : " mitigations=off tsc_early_khz=" + kilohertz;
    }

    String told() {
        return kvm ? "KVM" : "TCG: translated instructions, many times slower than KVM";
    }
}
