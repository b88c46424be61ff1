package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Digests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How QEMU is started: as a user of its own, in namespaces of its own that hold nothing but the
 * system's programs and the image, with few devices and a filter on its system calls.
 */
record Launch(Path qemu, String version, Image image, Accelerator accelerator, Shape shape) {

    static final String CONTROL = "control";
    static final String AGENT = "agent";
    static final String INSIDE = "/box";

    private static final String QEMU = "qemu-system-x86_64";
    private static final List<String> TOOLS = List.of(QEMU, "bwrap", "prlimit", "setpriv");
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Map<Path, String> VERSIONS = new ConcurrentHashMap<>();

    /** What is missing here, if something is. */
    static Optional<Availability.Missing> missing(Map<String, String> environment) {
        if (!System.getProperty("os.name", "").equals("Linux")
                || !System.getProperty("os.arch", "").equals("amd64")) {
            return Optional.of(
                    new Availability.Missing(
                            "it needs Linux on x86_64", "Use another wall, such as wasm"));
        }
        for (String tool : TOOLS) {
            if (Tool.find(tool).isEmpty()) {
                return Optional.of(
                        new Availability.Missing(
                                tool + " is not installed",
                                "apt-get install qemu-system-x86 bubblewrap util-linux,"
                                        + " then glovebox image build"));
            }
        }
        return Image.current(environment).isPresent()
                ? Optional.empty()
                : Optional.of(
                        new Availability.Missing(
                                "there is no image for its machines", "glovebox image build"));
    }

    static Launch of(Shape shape, Map<String, String> environment) {
        missing(environment)
                .ifPresent(lack -> {
                    throw new NotEnforceable("isolation", lack.reason(), "Type: " + lack.remedy());
                });
        Path qemu = Tool.find(QEMU).orElseThrow();
        Image image = Image.current(environment).orElseThrow();
        return new Launch(
                qemu,
                VERSIONS.computeIfAbsent(qemu, Launch::version),
                image,
                Accelerator.find(qemu, image, environment),
                shape);
    }

    private static String version(Path qemu) {
        return Tool.output(PATIENCE, List.of(qemu.toString(), "--version"))
                .flatMap(text -> text.lines().findFirst())
                .map(line -> line.replace("QEMU emulator version", "QEMU").strip())
                .orElseThrow(
                        () -> new NotEnforceable("isolation", "QEMU does not tell its version"));
    }

    /** Equal for machines that can go on from each other's snapshot. */
    String key() {
        String all = version + "\n" + image.digest() + "\n" + String.join("\n", machine());
        return Digests.hex(all.getBytes(StandardCharsets.UTF_8));
    }

    List<String> words(Folder folder, boolean restored) {
        boolean root = Folder.ownUser() == 0;
        List<String> words = new ArrayList<>(List.of(tool("bwrap"), "--die-with-parent"));
        if (!root) {
            words.add("--unshare-user");
        }
        add(words, "--new-session --unshare-pid --unshare-net --unshare-ipc --unshare-uts");
        add(words, "--unshare-cgroup-try --clearenv --chdir / --ro-bind /usr /usr");
        for (String name : List.of("/bin", "/sbin", "/lib", "/lib64")) {
            link(words, Path.of(name));
        }
        words.addAll(List.of("--ro-bind", image.folder().toString(), "/image"));
        // Sockets can be connected to in a read-only folder, so nothing at all can be written.
        words.addAll(List.of("--ro-bind", folder.path().toString(), INSIDE));
        add(words, "--dev /dev --proc /proc");
        if (accelerator.kvm()) {
            add(words, "--dev-bind /dev/kvm /dev/kvm");
        }
        add(words, "--remount-ro /dev --remount-ro /");
        words.addAll(
                List.of(
                        "--",
                        tool("prlimit"),
                        "--core=0",
                        "--nofile=128",
                        "--fsize=" + Cage.LARGEST_FILE.count(),
                        "--as=" + Cage.space(shape),
                        "--"));
        words.add(tool("setpriv"));
        if (root) {
            words.add("--reuid=" + folder.user());
            words.add("--regid=" + folder.user());
            words.add(
                    accelerator.kvm() ? "--groups=" + group(Accelerator.DEVICE) : "--clear-groups");
            words.add("--bounding-set=-all");
        }
        words.addAll(List.of("--inh-caps=-all", "--no-new-privs", "--", qemu.toString()));
        words.addAll(machine());
        if (restored) {
            add(words, "-incoming defer");
        }
        return words;
    }

    private List<String> machine() {
        List<String> words = new ArrayList<>();
        add(words, "-M microvm,acpi=on,rtc=on,isa-serial=on,usb=off,pcie=off,graphics=off");
        words.addAll(accelerator.options());
        add(words, "-smp " + shape.processors() + " -m " + shape.mebibytes() + "M");
        add(words, "-nodefaults -no-user-config -display none -no-reboot -serial null");
        add(words, "-kernel /image/kernel -initrd /image/initrd -append");
        words.add("console=ttyS0 quiet loglevel=0 panic=-1 reboot=t" + accelerator.kernelOptions());
        add(words, "-drive file=/image/root,if=none,id=disk,format=raw,readonly=on");
        add(words, "-device virtio-blk-device,drive=disk -device virtio-serial-device");
        add(words, "-chardev socket,id=agent,server=off,path=" + INSIDE + "/" + AGENT);
        add(words, "-device virtserialport,chardev=agent,name=agent");
        add(words, "-chardev socket,id=control,server=off,path=" + INSIDE + "/" + CONTROL);
        add(words, "-mon chardev=control,mode=control");
        add(
                words,
                "-sandbox on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny");
        return words;
    }

    private static void add(List<String> words, String more) {
        words.addAll(List.of(more.split(" ")));
    }

    private static void link(List<String> words, Path path) {
        try {
            if (Files.isSymbolicLink(path)) {
                words.addAll(
                        List.of(
                                "--symlink",
                                Files.readSymbolicLink(path).toString(),
                                path.toString()));
            } else if (Files.isDirectory(path)) {
                words.addAll(List.of("--ro-bind", path.toString(), path.toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Object group(Path device) {
        try {
            return Files.getAttribute(device, "unix:gid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String tool(String name) {
        return Tool.find(name).orElseThrow().toString();
    }
}
