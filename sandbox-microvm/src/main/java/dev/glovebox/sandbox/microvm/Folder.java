package dev.glovebox.sandbox.microvm;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.glovebox.sandbox.NotEnforceable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The folder of a machine on the host: sockets until they are connected, and what QEMU says. It is
 * named by the JVM that made it, so that what a killed one left is known.
 *
 * @param user the host user that the machine runs as
 */
record Folder(Path path, int user) implements AutoCloseable {

    private static final String PREFIX = "glovebox-";
    private static final String MARK = "vm";
    // No distribution, container engine or jail assigns these; 256 for each JVM by its process id.
    private static final int FIRST_USER = 0x6000_0000;
    private static final int PER_JVM = 256;
    private static final int JVMS = 1_000_000;
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    static Folder create() {
        long pid = ProcessHandle.current().pid();
        int number = NUMBERS.getAndIncrement();
        Path path =
                temporary().resolve(PREFIX + pid + "-" + startTime("self") + "-" + MARK + number);
        try {
            Files.createDirectory(
                    path,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            int user = ownUser();
            if (user == 0) {
                user = FIRST_USER + (int) (pid % JVMS) * PER_JVM + number % PER_JVM;
                Files.setAttribute(path, "unix:uid", user);
                Files.setAttribute(path, "unix:gid", user);
            }
            return new Folder(path, user);
        } catch (IOException e) {
            throw new NotEnforceable("isolation", "No folder can be made for a machine", e);
        }
    }

    private static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    static int ownUser() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** When a process started, in the kernel's ticks; empty if there is none. */
    static String startTime(String process) {
        try {
            String stat = Files.readString(Path.of("/proc", process, "stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19];
        } catch (IOException e) {
            return "";
        }
    }

    /** Nothing in it is a folder, unless QEMU was taken over; then the sweep reports it. */
    @Override
    public void close() {
        delete(path);
    }

    private static boolean delete(Path folder) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
            Files.delete(folder);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Removes the folders of JVMs that are gone; their machines died with them. */
    static int sweep() {
        int removed = 0;
        try (DirectoryStream<Path> all =
                Files.newDirectoryStream(temporary(), PREFIX + "*-*-" + MARK + "*")) {
            for (Path folder : all) {
                String[] parts = folder.getFileName().toString().split("-");
                boolean dead = !startTime(parts[1]).equals(parts[2]);
                if (dead && ours(folder) && delete(folder)) {
                    removed++;
                }
            }
        } catch (IOException e) {
            return removed;
        }
        return removed;
    }

    /**
     * Whether it is a folder that we, or another JVM of this user, made for a machine.
     *
     * <p>The attack: somebody else on this machine makes a folder with such a name, or a link to a
     * folder of ours, and we remove what is in there.
     */
    private static boolean ours(Path folder) {
        try {
            int owner = (Integer) Files.getAttribute(folder, "unix:uid", NOFOLLOW_LINKS);
            int user = owner - FIRST_USER;
            boolean machines = ownUser() == 0 && user >= 0 && user < JVMS * PER_JVM;
            return Files.isDirectory(folder, NOFOLLOW_LINKS) && (owner == ownUser() || machines);
        } catch (IOException e) {
            return false; // gone meanwhile
        }
    }
}
