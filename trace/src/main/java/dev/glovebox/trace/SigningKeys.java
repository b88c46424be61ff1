package dev.glovebox.trace;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * The keys of an installation, in a folder that only their owner can read.
 *
 * <p>There is one that signs, made when it is first asked for, and the public half of every one
 * that ever did. Several processes may use the folder at once.
 */
final class SigningKeys {

    private static final FileAttribute<?> OWNERS_FOLDER = permissions("rwx------");
    private static final FileAttribute<?> OWNERS_FILE = permissions("rw-------");
    private static final Set<PosixFilePermission> OTHERS =
            PosixFilePermissions.fromString("---rwxrwx");
    private static final Set<PosixFilePermission> OTHERS_WRITE =
            PosixFilePermissions.fromString("----w--w-");
    private static final Duration WAIT = Duration.ofMillis(10);
    private static final int LARGEST_FILE = 64 * 1024;

    private final Path folder;
    private final Path signing;
    private final Path next;

    SigningKeys(Path folder) {
        this.folder = folder;
        this.signing = folder.resolve("signing.pem");
        this.next = folder.resolve("next.pem");
    }

    private static FileAttribute<?> permissions(String text) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
    }

    /**
     * The key that signs; made if there is none.
     *
     * @throws KeyProblem if it is not safe to use, or not a key
     */
    SigningKey current() {
        try {
            folder();
            if (!Files.exists(signing)) {
                make();
            }
            SigningKey key = read(signing).orElseThrow();
            // Each time: whoever made it may have been killed before it came to that.
            publish(key.verifying());
            return key;
        } catch (IOException e) {
            throw new KeyProblem("The key in " + folder + " could not be made: " + e, e);
        }
    }

    private void make() throws IOException {
        Path written = write(SigningKey.fresh().pem());
        try {
            // A link appears with its content or not at all, and never replaces another one: of
            // several processes that come here at once, one wins, and all read its key.
            Files.createLink(signing, written);
        } catch (FileAlreadyExistsException e) {
            // The other one's is as good.
        } finally {
            Files.delete(written);
        }
        settle();
    }

    /** The key that is about to replace the current one, if somebody began to do that. */
    Optional<SigningKey> next() {
        try {
            return read(next);
        } catch (IOException e) {
            throw new KeyProblem("The key " + next + " could not be read: " + e, e);
        }
    }

    /** Makes the key that will replace the current one; until {@link #replace} nothing changes. */
    SigningKey prepare() {
        try {
            folder();
            SigningKey key = SigningKey.fresh();
            publish(key.verifying());
            Files.move(write(key.pem()), next, StandardCopyOption.ATOMIC_MOVE);
            settle();
            return key;
        } catch (IOException e) {
            throw new KeyProblem("A new key could not be made in " + folder + ": " + e, e);
        }
    }

    /** Replaces the current key by the prepared one; the old private key is gone then. */
    void replace() {
        try {
            Files.move(next, signing, StandardCopyOption.ATOMIC_MOVE);
            settle();
        } catch (NoSuchFileException e) {
            // Another process saw that it was time, and did it.
        } catch (IOException e) {
            throw new KeyProblem("The new key could not replace the old one: " + e, e);
        }
    }

    /** The public half of any key that was ever used here. */
    Optional<VerifyingKey> verifying(String id) {
        try {
            return Optional.of(published(id))
                    .filter(Files::exists)
                    .map(SigningKeys::text)
                    .map(VerifyingKey::ofPem)
                    .filter(key -> key.id().equals(id));
        } catch (KeyProblem e) {
            // As if it were not there: nothing depends on it that a signature would not show.
            return Optional.empty();
        }
    }

    /** Does something while nobody else does, in this process or another. */
    void alone(Runnable task) {
        try {
            folder();
            try (FileChannel channel =
                            FileChannel.open(
                                    folder.resolve("lock"),
                                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                                    OWNERS_FILE);
                    FileLock held = lock(channel)) {
                if (held.isValid()) {
                    task.run();
                }
            }
        } catch (IOException e) {
            throw new KeyProblem("The folder " + folder + " could not be locked: " + e, e);
        }
    }

    private static FileLock lock(FileChannel channel) throws IOException {
        while (true) {
            try {
                return channel.lock();
            } catch (OverlappingFileLockException e) {
                // Locks of files are between processes; within one, this is how to wait.
                LockSupport.parkNanos(WAIT.toNanos());
            }
        }
    }

    private void folder() throws IOException {
        if (!Files.isDirectory(folder)) {
            Path parent = folder.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            try {
                Files.createDirectory(folder, OWNERS_FOLDER);
            } catch (FileAlreadyExistsException e) {
                // Somebody was faster.
            }
        }
        refuse(folder, OTHERS_WRITE, "can be changed by others", "chmod 700");
    }

    /** On the disk when this returns: a log that it has signed is there, too, soon after. */
    private Path write(String pem) throws IOException {
        Path written = Files.createTempFile(folder, "new-", ".pem", OWNERS_FILE);
        Files.writeString(written, pem, StandardOpenOption.DSYNC);
        return written;
    }

    /** Makes the names of what was written as durable as that is. */
    private void settle() throws IOException {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private Optional<SigningKey> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        refuse(file, OTHERS, "can be read by others", "replace it, or chmod 600");
        try {
            return Optional.of(SigningKey.ofPem(text(file)));
        } catch (KeyProblem e) {
            throw new KeyProblem("The key " + file + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static void refuse(
            Path path, Set<PosixFilePermission> forbidden, String problem, String remedy)
            throws IOException {
        if (Files.getPosixFilePermissions(path).stream().anyMatch(forbidden::contains)) {
            throw new KeyProblem(path + " " + problem + "; " + remedy + " " + path);
        }
    }

    private void publish(VerifyingKey key) throws IOException {
        if (verifying(key.id()).isEmpty()) {
            Files.move(write(key.pem()), published(key.id()), StandardCopyOption.ATOMIC_MOVE);
            settle();
        }
    }

    private Path published(String id) {
        return folder.resolve(id + ".pub.pem");
    }

    private static String text(Path file) {
        try {
            if (Files.size(file) > LARGEST_FILE) {
                throw new KeyProblem(file + " is too large for a key");
            }
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new KeyProblem(file + " is gone", e);
        } catch (IOException e) {
            throw new KeyProblem(file + " could not be read: " + e, e);
        }
    }
}
