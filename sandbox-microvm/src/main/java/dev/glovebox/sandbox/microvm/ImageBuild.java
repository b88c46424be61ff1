package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.NotEnforceable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes an image from the packages of a Debian-like distribution, as its package manager is
 * configured and with the signatures that it checks. Nothing of the host is installed or changed,
 * and no program of a package is run.
 */
public final class ImageBuild {

    private static final String KERNEL = "linux-image-cloud-amd64";
    private static final List<String> PACKAGES =
            List.of(
                    "busybox-static",
                    "python3",
                    "nodejs",
                    "bash",
                    "coreutils",
                    "findutils",
                    "grep",
                    "sed",
                    "diffutils",
                    "procps",
                    "util-linux",
                    "libc-bin");
    private static final List<String> MODULES =
            List.of("virtio_mmio", "virtio_blk", "virtio_console");
    private static final List<String> LEFT_OUT =
            List.of("./usr/share/doc", "./usr/share/man", "./usr/share/locale", "./boot");
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final long SPARE = 32L << 20;
    private static final int STEP = 20;
    private static final Set<PosixFilePermission> FILE =
            PosixFilePermissions.fromString("rw-r--r--");
    private static final Set<PosixFilePermission> FOLDER =
            PosixFilePermissions.fromString("rwxr-xr-x");

    private final Map<String, String> environment;
    private final Consumer<String> progress;

    /**
     * A build.
     *
     * @param progress told what is being done, a line at a time
     */
    public ImageBuild(Map<String, String> environment, Consumer<String> progress) {
        this.environment = Map.copyOf(environment);
        this.progress = progress;
    }

    /**
     * Builds an image and makes it the one that boxes get. Where the last one was made of the same
     * packages by the same Glovebox, it stays.
     *
     * @throws NotEnforceable if a program or a package is missing; the message says what to type
     */
    public Image run() {
        for (String tool : List.of("apt-get", "apt-cache", "dpkg-deb", "tar", "mke2fs")) {
            require(tool);
        }
        try {
            Path images = Files.createDirectories(Image.images(environment));
            Path work = Files.createDirectory(images.resolve(Building.name()));
            try {
                return build(images, work);
            } finally {
                Building.delete(work);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path require(String tool) {
        return Tool.find(tool)
                .orElseThrow(() ->
                        new NotEnforceable(
                                "image",
                                "The image is made from packages of Debian, and there is no "
                                        + tool,
                                "Build it on a Debian-like machine that has e2fsprogs"));
    }

    private Image build(Path images, Path work) throws IOException {
        progress.accept("asking the package manager");
        Path nothing = Files.createFile(work.resolve("status"));
        List<String> install = install(work, nothing);
        String origin = Image.own() + "\n" + names(install);
        Optional<Image> last = Image.current(environment);
        if (last.isPresent() && last.get().origin().equals(origin)) {
            progress.accept("nothing has changed");
            return last.get();
        }
        List<Path> packages = download(work, install);
        Path tree = directory(work.resolve("tree"));
        directory(tree.resolve("usr"));
        unpack(packages, tree);
        Path result = Files.createDirectory(work.resolve("image"));
        progress.accept("making the image");
        Path boot = Files.createDirectory(work.resolve("boot"));
        pipe(
                List.of("dpkg-deb", "--fsys-tarfile", kernelPackage(packages).toString()),
                List.of("tar", "-x", "-C", boot.toString()));
        Files.copy(one(boot.resolve("boot"), "vmlinuz-"), result.resolve(Image.KERNEL));
        Files.write(result.resolve(Image.INITIAL), initial(tree, boot));
        furnish(tree);
        root(tree, result.resolve(Image.ROOT));
        Files.writeString(result.resolve(Image.ORIGIN), origin);
        return keep(images, result, last);
    }

    /** All packages with what they need, as if nothing was installed yet. */
    private static List<String> install(Path work, Path nothing) throws IOException {
        Path archives = work.resolve("packages");
        Files.createDirectories(archives.resolve("partial"));
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "apt-get",
                                "-y",
                                "-qq",
                                "-o",
                                "APT::Sandbox::User=root",
                                "-o",
                                "Debug::NoLocking=1",
                                "-o",
                                "Dir::State::status=" + nothing,
                                "-o",
                                "Dir::Cache::archives=" + archives,
                                "--no-install-recommends",
                                "install",
                                kernelName()));
        words.addAll(PACKAGES);
        return words;
    }

    private static String names(List<String> install) {
        List<String> words = new ArrayList<>(install);
        words.add("--print-uris");
        return run(words)
                .lines()
                .map(line -> line.split(" "))
                .filter(parts -> parts.length >= 3 && parts[1].endsWith(".deb"))
                .map(parts -> parts[1] + "\n")
                .sorted()
                .collect(Collectors.joining());
    }

    private List<Path> download(Path work, List<String> install) throws IOException {
        progress.accept("downloading packages");
        List<String> words = new ArrayList<>(install);
        words.add("--download-only");
        run(words);
        try (Stream<Path> files = Files.list(work.resolve("packages"))) {
            return files.filter(file -> file.toString().endsWith(".deb")).sorted().toList();
        }
    }

    /** The package that the distribution's name for its newest cloud kernel stands for. */
    private static String kernelName() {
        return run(List.of("apt-cache", "depends", KERNEL))
                .lines()
                .map(line -> line.replace("Depends:", "").strip())
                .filter(line -> line.matches("linux-image-[0-9][a-z0-9.+-]*"))
                .findFirst()
                .orElseThrow(() ->
                        new NotEnforceable(
                                "image",
                                "The package manager does not know " + KERNEL,
                                "Type: apt-get update"));
    }

    private static Path kernelPackage(List<Path> packages) {
        return packages.stream()
                .filter(file -> file.getFileName().toString().startsWith("linux-image-"))
                .findFirst()
                .orElseThrow(() -> new NotEnforceable("image", "No kernel was downloaded"));
    }

    private void unpack(List<Path> packages, Path tree) throws IOException {
        for (String folder : List.of("bin", "sbin", "lib", "lib64")) {
            directory(tree.resolve("usr").resolve(folder));
            Files.createSymbolicLink(tree.resolve(folder), Path.of("usr", folder));
        }
        int done = 0;
        for (Path file : packages) {
            done++;
            if (done % STEP == 1) {
                progress.accept("unpacking " + done + " of " + packages.size() + " packages");
            }
            if (file.equals(kernelPackage(packages))) {
                continue;
            }
            List<String> extract =
                    new ArrayList<>(List.of("tar", "-x", "--keep-directory-symlink"));
            LEFT_OUT.forEach(path -> extract.add("--exclude=" + path));
            extract.addAll(List.of("-C", tree.toString()));
            pipe(List.of("dpkg-deb", "--fsys-tarfile", file.toString()), extract);
        }
    }

    private static byte[] initial(Path tree, Path boot) throws IOException {
        Cpio archive = new Cpio().directory("dev").directory("root").directory("bin");
        archive.program("bin/busybox", Files.readAllBytes(tree.resolve("usr/bin/busybox")));
        Map<String, byte[]> modules = Modules.of(boot.resolve("lib").resolve("modules"), MODULES);
        modules.forEach((name, content) -> archive.program(name + ".ko", content));
        String order = String.join("\n", modules.keySet()) + "\n";
        archive.program("modules", order.getBytes(StandardCharsets.UTF_8));
        return archive.program("init", Image.resource(Image.INIT)).finish();
    }

    private static void furnish(Path tree) throws IOException {
        Path own = directory(tree.resolve("glovebox"));
        for (String name : Image.AGENT) {
            Files.write(own.resolve(name), Image.resource(name));
            Files.setPosixFilePermissions(own.resolve(name), FILE);
        }
        for (String folder : List.of("dev", "proc", "sys", "tmp", "run")) {
            directory(tree.resolve(folder));
        }
        Path shell = tree.resolve("usr/bin/sh");
        Files.deleteIfExists(shell);
        Files.createSymbolicLink(shell, Path.of("bash"));
        Files.writeString(
                tree.resolve("etc/passwd"),
                "root:x:0:0::/:/bin/bash\nbox:x:60000:60000::/tmp/scratch:/bin/bash\n");
        Files.writeString(tree.resolve("etc/group"), "root:x:0:\nbox:x:60000:\n");
        Files.writeString(tree.resolve("etc/hosts"), "127.0.0.1 localhost box\n");
        for (String name : List.of("etc/passwd", "etc/group", "etc/hosts")) {
            Files.setPosixFilePermissions(tree.resolve(name), FILE);
        }
    }

    /** With the same rights, whatever this process gives to new files. */
    private static Path directory(Path path) throws IOException {
        Files.createDirectories(path);
        return Files.setPosixFilePermissions(path, FOLDER);
    }

    private static void root(Path tree, Path file) throws IOException {
        long bytes = 0;
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path one : all.toList()) {
                bytes += 2 * 4096 + (Files.isRegularFile(one) ? Files.size(one) : 0);
            }
        }
        long size = bytes + bytes / 8 + SPARE;
        run(
                List.of(
                        "mke2fs",
                        "-q",
                        "-t",
                        "ext4",
                        "-O",
                        "^has_journal",
                        "-m",
                        "0",
                        "-E",
                        "root_owner=0:0",
                        "-d",
                        tree.toString(),
                        file.toString(),
                        (size >> 10) + "k"));
    }

    private Image keep(Path images, Path result, Optional<Image> last) throws IOException {
        progress.accept("taking the digest");
        String digests = Image.digests(result);
        Files.writeString(result.resolve(Image.DIGESTS), digests);
        // The machines' own users read it.
        Files.setPosixFilePermissions(result, FOLDER);
        for (String name : Image.FILES) {
            Files.setPosixFilePermissions(result.resolve(name), FILE);
        }
        String digest = Image.digest(digests);
        Path place = images.resolve(digest);
        if (!Files.exists(place)) {
            Files.move(result, place, StandardCopyOption.ATOMIC_MOVE);
        }
        Path pointer = Files.writeString(images.resolve("current.new"), digest + "\n");
        Files.move(
                pointer,
                images.resolve("current"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        Set<String> kept = new HashSet<>(Set.of(digest));
        // Machines may just be starting from the last one.
        last.ifPresent(image -> kept.add(image.digest()));
        Building.forget(environment, kept);
        return new Image(place, digest);
    }

    private static Path one(Path folder, String prefix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .findFirst()
                    .orElseThrow(() -> new NotEnforceable("image", "There is no " + prefix));
        }
    }

    private static String run(List<String> words) {
        return Tool.output(PATIENCE, words)
                .orElseThrow(() ->
                        new NotEnforceable(
                                "image",
                                "This failed: " + String.join(" ", words),
                                "Type it to see why; apt-get update may help"));
    }

    private static void pipe(List<String> from, List<String> to) throws IOException {
        List<Process> both =
                ProcessBuilder.startPipeline(
                        List.of(
                                Tool.starting(from).redirectError(ProcessBuilder.Redirect.DISCARD),
                                Tool.starting(to)
                                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                        .redirectError(ProcessBuilder.Redirect.DISCARD)));
        for (Process process : both) {
            if (!Tool.ended(process, PATIENCE) || process.exitValue() != 0) {
                both.forEach(Process::destroyForcibly);
                throw new NotEnforceable("image", "This failed: " + String.join(" ", from));
            }
        }
    }
}
