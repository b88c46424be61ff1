package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.FileGrant;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Throttle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** gVisor without an engine: its boxes see the host's own programs, as those of the jail do. */
final class DirectGvisor implements Ground {

    private static final Duration GREETING = Duration.ofSeconds(20);
    private static final String HOST = "host";
    private static final String BOX = "glovebox-";
    private static final String FOLDER = "glovebox-runsc-";
    private static final String STATE = "state";
    private static final Set<PosixFilePermission> PRIVATE =
            PosixFilePermissions.fromString("rwx------");
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final Path runsc;
    private final Removals removals = new Removals();
    private final Pool pool;

    DirectGvisor(Path runsc, int poolSize) {
        this.runsc = runsc;
        pool = new Pool(poolSize, this::make);
        Departures.add(() -> {
            pool.close();
            removals.await();
            leave();
        });
    }

    /** Where gVisor is installed, if this user can use it alone. */
    static Optional<Path> find() {
        return Stream.of("/usr/local/bin/runsc", "/usr/bin/runsc")
                .map(Path::of)
                .filter(Files::isExecutable)
                .filter(path -> "root".equals(System.getProperty("user.name")))
                .findFirst();
    }

    @Override
    public Availability probe() {
        try (Standby box = pool.take(spec(Policy.denyAll()))) {
            return new Availability.Works(box.identity().version(), box.identity().controls());
        } catch (NotEnforceable e) {
            return new Availability.Missing(e.reason(), e.remedy());
        }
    }

    @Override
    public void prepare() {
        pool.activate();
        pool.fill(spec(Policy.denyAll().isolation(Wall.GVISOR.isolation())));
    }

    /** Boxes end with the JVM that holds their streams; what is left are folders and cgroups. */
    @Override
    public int sweep() {
        int removed = 0;
        try (DirectoryStream<Path> folders =
                Files.newDirectoryStream(temporary(), FOLDER + "[0-9]*")) {
            for (Path folder : folders) {
                String pid = folder.getFileName().toString().substring(FOLDER.length());
                boolean dead =
                        pid.matches("\\d{1,9}") && ProcessHandle.of(Long.parseLong(pid)).isEmpty();
                if (dead && ours(folder)) {
                    forgetAll(folder);
                    Bundle.delete(folder);
                    removed++;
                }
            }
        } catch (IOException e) {
            // The rest is found the next time.
        }
        return removed;
    }

    private void forgetAll(Path base) throws IOException {
        try (DirectoryStream<Path> boxes = Files.newDirectoryStream(base, BOX + "*")) {
            boxes.forEach(box -> DirectBox.forget(words(base), box.getFileName().toString()));
        }
    }

    @Override
    public Optional<Interpreter> interpreter(Language language, Policy policy) {
        try {
            ContainerSpec spec = spec(policy);
            Standby box = pool.take(spec);
            Optional<Interpreter> found = box.interpreters().find(language, policy);
            pool.giveBack(spec, box);
            return found;
        } catch (NotEnforceable e) {
            return Optional.empty();
        }
    }

    @Override
    public void check(Policy policy) {
        if (!policy.network().isEmpty()) {
            throw new NotEnforceable("network", "the gvisor tier has no network");
        }
        if (policy.image().isPresent()) {
            throw new NotEnforceable(
                    "image", "images need a container engine, and gVisor is here without one");
        }
    }

    @Override
    public Sandbox open(Policy policy) {
        check(policy);
        return new ContainerBox(policy, pool.take(spec(policy)));
    }

    private static ContainerSpec spec(Policy policy) {
        return ContainerSpec.of(HOST, policy);
    }

    private static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static Path own() {
        return temporary().resolve(FOLDER + ProcessHandle.current().pid());
    }

    /** Removes this JVM's folder, unless a box is still in it, whose sweep needs what it says. */
    private static void leave() {
        try {
            Files.deleteIfExists(own().resolve(STATE));
            Files.deleteIfExists(own());
        } catch (IOException e) {
            // Not empty.
        }
    }

    /** A folder of this JVM's that nobody else can write to. */
    private static Path base() throws IOException {
        Path base = own();
        try {
            Files.createDirectory(base, PosixFilePermissions.asFileAttribute(PRIVATE));
        } catch (FileAlreadyExistsException e) {
            require("isolation", ours(base), base + " belongs to somebody else");
        }
        return base;
    }

    /** Whoever wrote there would tell gVisor what to run, to end and to remove. */
    private static boolean ours(Path folder) throws IOException {
        PosixFileAttributes found =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return found.isDirectory()
                && found.permissions().equals(PRIVATE)
                && found.owner().getName().equals(System.getProperty("user.name"));
    }

    private List<String> words(Path base) {
        return List.of(
                runsc.toString(),
                "--root",
                base.resolve(STATE).toString(),
                "--platform=ptrace",
                "--network=none");
    }

    private Standby make(ContainerSpec spec) {
        int uid = Uids.take();
        String id = BOX + ProcessHandle.current().pid() + "-g" + NUMBERS.incrementAndGet();
        DirectBox box = null;
        try {
            Path base = base();
            List<String> words = words(base);
            Path folder = base.resolve(id);
            Bundle.make(folder, spec, uid, id);
            box = DirectBox.start(words, id, folder);
            return lookOver(spec, uid, id, box);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            Uids.release(uid);
            if (box != null) {
                removals.remove(box);
            }
            throw e;
        }
    }

    private Standby lookOver(ContainerSpec spec, int uid, String id, DirectBox box) {
        Holder holder = new Holder(box, spec.limits().disk().count() + (1 << 20));
        Facts facts =
                holder.greeting(GREETING)
                        .orElseThrow(() -> {
                            box.kill();
                            return new NotEnforceable(
                                    "isolation",
                                    "gVisor did not start a box",
                                    "Run: runsc do true");
                        });
        Optional<Throttle> throttle = throttle(spec, id);
        throttle.ifPresent(rates -> rates.hold(spec.limits().diskRate()));
        List<Control> controls = new ArrayList<>(controls(spec, uid, id, facts));
        controls.addAll(
                throttle.map(Throttle::controls)
                        .orElseGet(() ->
                                spec.disks()
                                        .unruled("gVisor's cgroup has no controller of disks")));
        Standby.Identity identity =
                new Standby.Identity(
                        Wall.GVISOR.tier(),
                        "runsc alone, " + facts.text("/proc/version"),
                        HOST,
                        OptionalLong.empty(),
                        List.copyOf(controls));
        return new Standby(identity, Throttled.around(box, throttle), holder, facts, removals, uid);
    }

    private static Optional<Throttle> throttle(ContainerSpec spec, String id) {
        return Stream.of("blkio", "")
                .flatMap(controllers -> HostProcess.rates(controllers, "/" + id))
                .filter(file -> !spec.disks().isEmpty() && Files.exists(file))
                .findFirst()
                .map(file -> new Throttle(file, spec.disks()));
    }

    /** What is in force, by what gVisor's kernel and the host's cgroup say. */
    private static List<Control> controls(ContainerSpec spec, int uid, String id, Facts facts) {
        List<Control> controls = new ArrayList<>();
        require(
                "user",
                facts.status("Uid").orElse("").startsWith(uid + "\t"),
                "the box runs as another user");
        controls.add(new Control("user", Integer.toString(uid), "of this box only"));
        require(
                "capabilities",
                facts.status("CapEff").orElse("?").matches("0+"),
                "the box has capabilities");
        controls.add(new Control("capabilities", "none", "kernel"));
        require(
                "network",
                facts.lines("/proc/net/dev").stream()
                        .filter(line -> line.contains(":"))
                        .allMatch(line -> line.strip().startsWith("lo:")),
                "the box has a network");
        controls.add(new Control("network", "none", "gVisor, loopback only"));
        List<String> writable =
                spec.files().stream()
                        .filter(grant -> grant.mode() == FileGrant.Mode.WRITE)
                        .map(FileGrant::box)
                        .toList();
        for (String point : facts.lines("writable")) {
            require(
                    "read-only-root",
                    point.equals(ContainerSpec.TMP) || writable.contains(point),
                    point + " is writable in the box");
        }
        controls.add(new Control("read-only-root", "on", "gVisor, mounts"));
        spec.files()
                .forEach(grant ->
                        controls.add(new Control("file", grant.box(), grant.mode() + " mount")));
        String size = facts.text("scratch").split(" ")[0];
        require(
                "disk",
                size.matches("\\d{1,18}")
                        && Long.parseLong(size) <= spec.limits().disk().count() + 4096,
                "the scratch has no bound");
        controls.add(
                new Control(
                        "disk", new Bytes(Long.parseLong(size)).toString(), "size of the tmpfs"));
        require("holder", facts.text("dumpable").equals("0"), "its holder can be written to");
        controls.add(
                new Control(
                        "seccomp",
                        "no system call reaches the host's kernel",
                        "gVisor, platform ptrace"));
        long memory = group(id, "memory", "memory.limit_in_bytes", "memory.max");
        require("memory", memory > 0 && memory <= spec.memory(), "no cgroup is around it");
        controls.add(
                new Control(
                        "memory",
                        new Bytes(memory).toString(),
                        "tree, cgroup, with the scratch, our holder and gVisor itself"));
        controls.add(
                new Control(
                        "processes",
                        Integer.toString(spec.limits().processes()),
                        "supervised every 20 ms"));
        long threads = group(id, "pids", "pids.max", "pids.max");
        require(
                ContainerSpec.HOST_THREADS,
                threads > 0 && threads <= spec.processes(Wall.GVISOR),
                "no cgroup bounds them");
        controls.add(new Control(ContainerSpec.HOST_THREADS, Long.toString(threads), "cgroup"));
        controls.add(
                new Control(
                        "cpus",
                        String.format(Locale.ROOT, "%.2f", spec.limits().cpus()),
                        "cgroup"));
        return List.copyOf(controls);
    }

    private static long group(String id, String controller, String first, String second) {
        for (String file :
                List.of(
                        "/sys/fs/cgroup/" + controller + "/" + id + "/" + first,
                        "/sys/fs/cgroup/" + id + "/" + second)) {
            try {
                return Long.parseLong(Files.readString(Path.of(file)).strip());
            } catch (IOException | NumberFormatException e) {
                // The other version, or no bound.
            }
        }
        return 0;
    }

    private static void require(String control, boolean inForce, String otherwise) {
        if (!inForce) {
            throw new NotEnforceable(
                    control, "The control '" + control + "' is not in force: " + otherwise);
        }
    }
}
