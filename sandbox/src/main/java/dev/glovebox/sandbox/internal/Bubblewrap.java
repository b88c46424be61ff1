package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.FileGrant;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The view of the world that a jail has, as arguments for bubblewrap.
 *
 * <p>The arguments travel through a descriptor, not the command line: a box can read the command
 * line of its init process, and would learn host paths from it.
 */
final class Bubblewrap {

    static final String TMP = "/tmp";
    static final String SCRATCH = TMP + "/scratch";
    static final String CONTROL = TMP + "/.glovebox";
    static final String PATH = "/usr/local/bin:/usr/bin:/bin";

    static final String HOLDER = "/run/glovebox/holder";

    /** The user that a program is inside. */
    static final int INNER_UID = 1000;

    private static final Path LOCAL = Path.of("/usr/local");
    private static final List<Path> SYSTEM =
            Stream.of("bin", "sbin", "lib", "lib32", "lib64", "libx32")
                    .map(name -> Path.of("/", name))
                    .toList();
    // What dynamic linking and alternatives (awk, editor, …) need of /etc; nothing with secrets.
    private static final List<String> ETC = List.of("ld.so.cache", "alternatives");
    // Where distributions keep the certificates of public authorities, for who may reach somebody.
    private static final List<String> AUTHORITIES =
            List.of(
                    "ssl/certs",
                    "pki/tls/certs",
                    "pki/ca-trust/extracted",
                    "ca-certificates/extracted");
    private static final List<String> DEVICES = List.of("null", "urandom");

    /**
     * The memory of the init process, which runs as the same user as every program of the box. What
     * was written there could start a thread that becomes the init process by {@code execve}, and
     * such a one does not die with its parent any more: the box would outlive the JVM.
     */
    static final List<String> INIT_MEMORY = List.of("/proc/1/mem", "/proc/1/task/1/mem");

    private static final Map<Map<Language, Path>, List<String>> SYSTEM_VIEWS =
            new ConcurrentHashMap<>();

    private final List<String> arguments = new ArrayList<>();

    /** Files that exist only in the box, by path. */
    static final Map<String, byte[]> FILES = files();

    private static Map<String, byte[]> files() {
        Map<String, byte[]> files = new TreeMap<>();
        files.put(HOLDER, resource("holder.sh"));
        files.put(
                "/etc/passwd",
                text(
                        "box:x:1000:1000:box:"
                                + SCRATCH
                                + ":/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n"));
        files.put("/etc/group", text("box:x:1000:\nnogroup:x:65534:\n"));
        files.put("/etc/hosts", text("127.0.0.1 localhost box\n::1 localhost box\n"));
        files.put("/etc/nsswitch.conf", text("passwd: files\ngroup: files\nhosts: files dns\n"));
        return files;
    }

    static byte[] resource(String name) {
        try (InputStream in = Bubblewrap.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new AssertionError("The jar lacks " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Everything that bubblewrap is told.
     *
     * @param cgroup whether the kernel bounds the box as a whole
     * @param files descriptor of each synthetic file in the child
     * @return arguments separated by NUL, as {@code --args} reads them
     */
    static byte[] arguments(
            Policy policy, boolean cgroup, int seccompFd, int infoFd, Map<String, Integer> files) {
        Bubblewrap bubblewrap = new Bubblewrap();
        bubblewrap.namespaces();
        bubblewrap.arguments.addAll(system(policy));
        bubblewrap.etc(policy, files);
        bubblewrap.devices(cgroup);
        bubblewrap.scratch(policy);
        bubblewrap.grants(policy);
        bubblewrap.environment();
        bubblewrap.add("--seccomp", Integer.toString(seccompFd));
        bubblewrap.add("--info-fd", Integer.toString(infoFd));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String argument : bubblewrap.arguments) {
            out.writeBytes(text(argument));
            out.write(0);
        }
        return out.toByteArray();
    }

    private void add(String... more) {
        arguments.addAll(List.of(more));
    }

    private void namespaces() {
        String uid = Integer.toString(INNER_UID);
        add(
                "--unshare-user",
                "--unshare-ipc",
                "--unshare-pid",
                "--unshare-net",
                "--unshare-uts",
                "--unshare-cgroup");
        add("--uid", uid, "--gid", uid, "--hostname", "box");
        add("--cap-drop", "ALL", "--new-session", "--die-with-parent");
    }

    /** What the host offers changes seldom, and looking at it takes as long as three mounts. */
    private static List<String> system(Policy policy) {
        return SYSTEM_VIEWS.computeIfAbsent(
                policy.runtime(), runtime -> new Bubblewrap().systemView(policy));
    }

    private List<String> systemView(Policy policy) {
        Set<Path> prefixes = prefixes(policy);
        add("--ro-bind", "/usr", "/usr");
        if (!prefixes.contains(LOCAL) && Files.isDirectory(LOCAL)) {
            // What this machine's owner installed by hand is nobody's business.
            String local = LOCAL.toString();
            add("--size", "4096", "--perms", "0555", "--tmpfs", local, "--remount-ro", local);
        }
        for (Path top : SYSTEM) {
            if (Files.isSymbolicLink(top)) {
                add("--symlink", "usr" + top, top.toString());
            } else if (Files.isDirectory(top, LinkOption.NOFOLLOW_LINKS)) {
                add("--ro-bind", top.toString(), top.toString());
            }
        }
        prefixes.stream()
                .filter(prefix -> !prefix.startsWith("/usr"))
                .forEach(prefix -> add("--ro-bind", prefix.toString(), prefix.toString()));
        return List.copyOf(arguments);
    }

    /** Where interpreters live that are not part of the system: /usr/local, /opt/node. */
    private static Set<Path> prefixes(Policy policy) {
        Set<Path> prefixes = new TreeSet<>();
        for (Language language : Language.values()) {
            Optional<Path> found = Interpreters.path(language, policy);
            for (Path path : found.map(one -> List.of(one, real(one))).orElse(List.of())) {
                boolean system = SYSTEM.stream().anyMatch(path::startsWith);
                // /opt/node/bin/node needs /opt/node; /usr/bin/node needs nothing but /usr.
                Path folder = path.getParent();
                int names =
                        path.getNameCount() - (folder != null && folder.endsWith("bin") ? 2 : 1);
                if (!system && names > 0) {
                    prefixes.add(Path.of("/").resolve(path.subpath(0, names)));
                }
            }
        }
        return prefixes;
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void etc(Policy policy, Map<String, Integer> files) {
        add("--perms", "0755", "--dir", "/etc");
        add("--perms", "0755", "--dir", "/run", "--perms", "0755", "--dir", "/run/glovebox");
        files.forEach((path, fd) -> add("--perms", "0444", "--file", Integer.toString(fd), path));
        List<String> shown = new ArrayList<>(ETC);
        if (!policy.network().isEmpty()) {
            shown.addAll(AUTHORITIES);
        }
        for (String name : shown) {
            Path path = Path.of("/etc", name);
            if (Files.exists(path)) {
                add("--ro-bind", path.toString(), path.toString());
            }
        }
    }

    private void devices(boolean cgroup) {
        add("--proc", "/proc", "--perms", "0755", "--dir", "/dev");
        for (String device : DEVICES) {
            add("--dev-bind", "/dev/" + device, "/dev/" + device);
        }
        // To map /dev/zero is to make a file in memory without a name, which only a cgroup bounds.
        // What /dev/full reads is the same, and it cannot be mapped.
        add("--dev-bind", cgroup ? "/dev/zero" : "/dev/full", "/dev/zero");
        add("--symlink", "urandom", "/dev/random"); // the same thing, and one mount less
        add("--symlink", "/proc/self/fd", "/dev/fd", "--symlink", "/proc/self/fd/0", "/dev/stdin");
        add(
                "--symlink",
                "/proc/self/fd/1",
                "/dev/stdout",
                "--symlink",
                "/proc/self/fd/2",
                "/dev/stderr");
        add("--symlink", TMP + "/.shm", "/dev/shm");
        INIT_MEMORY.forEach(memory -> add("--ro-bind", "/dev/null", memory));
    }

    /**
     * One writable place of bounded size for everything: scratch, temporary files, shared memory.
     */
    private void scratch(Policy policy) {
        add(
                "--size",
                Long.toString(policy.limits().disk().count()),
                "--perms",
                "0755",
                "--tmpfs",
                TMP);
        add(
                "--perms",
                "0755",
                "--dir",
                SCRATCH,
                "--perms",
                "0700",
                "--dir",
                CONTROL,
                "--perms",
                "0755",
                "--dir",
                TMP + "/.shm");
    }

    private void grants(Policy policy) {
        for (FileGrant grant : policy.files()) {
            add(
                    grant.mode() == FileGrant.Mode.WRITE ? "--bind" : "--ro-bind",
                    grant.current().toString(),
                    grant.box());
        }
        // bubblewrap's own root is a tmpfs without a size that belongs to the box's user.
        add("--remount-ro", "/");
    }

    private void environment() {
        add("--clearenv", "--setenv", "PATH", PATH, "--setenv", "HOME", SCRATCH);
        add("--setenv", "TMPDIR", TMP, "--setenv", "LANG", "C.UTF-8", "--chdir", CONTROL);
    }
}
