package dev.glovebox.sandbox;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;

/**
 * A host directory or file that a box may see.
 *
 * <p>The root, home directories and what is above them, hidden folders in a home, system
 * directories, Glovebox's own state, sockets, FIFOs and devices are refused with {@link
 * InvalidPolicy}, also when a symbolic link leads there. A folder in a home that is not hidden,
 * such as {@code ~/project/data}, may be granted: with all that is in it, its hidden files too. For
 * sockets, FIFOs and devices a directory is searched itself, but not the directories in it.
 *
 * @param host where it really is, free of symbolic links
 * @param box where the box sees it
 */
public record FileGrant(Path host, String box, Mode mode) {

    /** What a box may do with it. */
    public enum Mode {
        READ,
        WRITE;

        /** The name used in policies. */
        @Override
        public String toString() {
            return Wording.word(this);
        }
    }

    public FileGrant {
        BoxPath.check(box);
        host = resolve(host);
        if (mode == Mode.WRITE && HostPaths.here().isLayer(host)) {
            throw new InvalidPolicy("No box may write to the installed packages " + quote(host));
        }
    }

    /**
     * Reads {@code HOST:BOX}, {@code HOST:BOX:ro} or {@code HOST:BOX:rw}.
     *
     * @param base the directory that a relative host path starts from
     * @throws InvalidPolicy if it is something else, or refused
     */
    public static FileGrant parse(String text, Path base) {
        boolean write = text.endsWith(":rw");
        String paths = write || text.endsWith(":ro") ? text.substring(0, text.length() - 3) : text;
        int colon = paths.lastIndexOf(':');
        if (colon < 1 || !paths.startsWith("/", colon + 1)) {
            throw new InvalidPolicy(
                    Wording.quote(text)
                            + " is not HOST:BOX, HOST:BOX:ro or HOST:BOX:rw, such as ./data:/data:ro");
        }
        return new FileGrant(
                base.resolve(HostPaths.path(paths.substring(0, colon))),
                paths.substring(colon + 1),
                write ? Mode.WRITE : Mode.READ);
    }

    /**
     * Resolves and checks the host path again, since it may have been replaced after the policy was
     * made. To be called right before use.
     *
     * @throws InvalidPolicy if it is gone, leads elsewhere now, or became something that is refused
     */
    public Path current() {
        Path now = resolve(host);
        if (!now.equals(host)) {
            throw new InvalidPolicy(
                    "The host path "
                            + quote(host)
                            + " was replaced after the policy was made and leads to "
                            + quote(now));
        }
        return now;
    }

    static void checkTogether(List<FileGrant> grants) {
        for (int i = 0; i < grants.size(); i++) {
            for (FileGrant other : grants.subList(0, i)) {
                BoxPath.checkApart(other.box, grants.get(i).box);
            }
        }
    }

    private static Path resolve(Path host) {
        try {
            Path real = host.toRealPath();
            HostPaths.checkWritable(real);
            Optional<String> byName = HostPaths.here().refusal(real);
            Optional<String> refusal = byName.isPresent() ? byName : special(real);
            if (refusal.isPresent()) {
                String link = host.equals(real) ? "" : ", which leads to " + quote(real);
                throw new InvalidPolicy(
                        "No box may see the host path "
                                + quote(host)
                                + link
                                + ": it "
                                + refusal.get());
            }
            return real;
        } catch (NoSuchFileException e) {
            throw new InvalidPolicy("The host path " + quote(host) + " does not exist", e);
        } catch (AccessDeniedException e) {
            throw new InvalidPolicy(
                    "The host path " + quote(host) + " cannot be read: permission denied", e);
        } catch (IOException e) {
            throw new InvalidPolicy(
                    "The host path " + quote(host) + " cannot be resolved: " + e.getMessage(), e);
        }
    }

    /**
     * A box that sees a socket can talk to whoever listens, whatever its network; even read-only.
     */
    private static Optional<String> special(Path real) throws IOException {
        if (isSpecial(real)) {
            return Optional.of("is a socket, a FIFO or a device");
        }
        if (Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> children = Files.newDirectoryStream(real)) {
                for (Path child : children) {
                    if (isSpecial(child)) {
                        return Optional.of(
                                "contains a socket, a FIFO or a device, "
                                        + quote(child.getFileName()));
                    }
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
        }
        return Optional.empty();
    }

    private static boolean isSpecial(Path path) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isOther();
        } catch (NoSuchFileException e) {
            return false; // deleted since it was listed
        }
    }

    private static String quote(Path path) {
        return Wording.quote(path.toString());
    }
}
