package dev.glovebox.coder;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.Home;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/**
 * Where installed packages are kept: a folder for each layer, by its key.
 *
 * <p>A layer is built beside and moved to its place at once, so it is there whole or not at all,
 * whoever else builds the same. Whether it is still what it was is looked at before each use.
 */
final class LayerStore {

    private static final String MANIFEST = "layer.json";
    private static final String TREE = "tree";
    private static final String UNFINISHED = ".new-";
    private static final String REMOVED = ".old-";
    private static final String LOCK = ".lock";
    private static final Pattern KEY = Pattern.compile("[0-9a-f]{64}");
    private static final long LARGEST_MANIFEST = 1 << 20;

    /** Nobody builds that long. */
    private static final Duration ABANDONED = Duration.ofHours(6);

    private static final Path OF_ROOT = Path.of("/var/lib/glovebox/layers");
    private static final JsonMapper MAPPER = new JsonMapper();

    // A lock on a file is one of the whole process.
    private static final ReentrantLock SETTLING = new ReentrantLock();

    private final Path folder;

    LayerStore(Path folder) {
        this.folder = folder;
    }

    /**
     * The layers of a user. A home that only root can enter is of no use to root's boxes, which run
     * as somebody else.
     */
    static LayerStore of(Map<String, String> environment) {
        Path user = Path.of(System.getProperty("user.home"));
        boolean hidden = !Home.isConfigured(environment) && isRoot() && !isOpen(user);
        return new LayerStore(hidden ? OF_ROOT : Home.of(environment).resolve("layers"));
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static boolean isOpen(Path folder) {
        try {
            return Files.getPosixFilePermissions(folder)
                    .contains(PosixFilePermission.OTHERS_EXECUTE);
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** Why boxes could not see what is kept here; empty: they can. */
    Optional<String> problem() {
        if (!isRoot()) {
            return Optional.empty();
        }
        Path home = folder.getParent();
        for (Path above = home; above != null; above = above.getParent()) {
            boolean closed = Files.exists(above) && !isOpen(above);
            if (closed && !(above.equals(home) && open(above))) {
                return Optional.of(
                        "Boxes of root run as another user, who cannot enter %s: choose another GLOVEBOX_HOME"
                                .formatted(above));
            }
        }
        return Optional.empty();
    }

    /** Lets others pass, but see nothing: what else is in our home is for its owner only. */
    private static boolean open(Path home) {
        try {
            Set<PosixFilePermission> more = EnumSet.of(PosixFilePermission.OTHERS_EXECUTE);
            more.addAll(Files.getPosixFilePermissions(home));
            Files.setPosixFilePermissions(home, more);
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** A layer that is there and is what it was. */
    Optional<Layer> find(String key) {
        return read(key).filter(layer -> isIntact(key, layer));
    }

    private boolean isIntact(String key, Layer layer) {
        try {
            return layer.digest().equals(LayerTree.of(tree(key)).digest());
        } catch (IOException | UncheckedIOException | LayerTree.Unfit e) {
            return false;
        }
    }

    private Optional<Layer> read(String key) {
        Path manifest = place(key).resolve(MANIFEST);
        try {
            if (!Files.isRegularFile(manifest) || Files.size(manifest) > LARGEST_MANIFEST) {
                return Optional.empty();
            }
            Layer layer = MAPPER.readValue(Files.readAllBytes(manifest), Layer.class);
            return Optional.ofNullable(layer).filter(one -> key.equals(one.key()) && one.isWhole());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Where its files are. */
    Path tree(String key) {
        return place(key).resolve(TREE);
    }

    private Path place(String key) {
        if (!KEY.matcher(key).matches()) {
            throw new IllegalArgumentException("'" + key + "' is not the key of a layer");
        }
        return folder.resolve(key);
    }

    /**
     * Keeps what was installed in a box.
     *
     * @param made all that is known of it but its files
     * @throws LayerTree.Unfit if it is not to be kept
     */
    Layer keep(Layer made, BoxFiles box, String from) {
        Path fresh = folder.resolve(UNFINISHED + UUID.randomUUID());
        try {
            Files.createDirectories(folder);
            clean();
            Files.createDirectories(fresh.resolve(TREE));
            LayerTree tree = LayerTree.copy(box, from, fresh.resolve(TREE));
            Layer layer =
                    new Layer(
                            made.key(),
                            tree.digest(),
                            made.language(),
                            made.interpreter(),
                            made.requirements(),
                            made.source(),
                            tree.files(),
                            tree.bytes(),
                            made.created());
            Files.write(fresh.resolve(MANIFEST), json(layer));
            LayerTree.seal(fresh);
            return settle(layer, fresh);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The packages cannot be kept in %s: %s".formatted(folder, why(e)), e);
        } finally {
            discard(fresh);
        }
    }

    private static String why(IOException problem) {
        return problem instanceof AccessDeniedException
                ? "permission denied"
                : String.valueOf(problem.getMessage());
    }

    private static byte[] json(Layer layer) throws JsonProcessingException {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(layer);
    }

    /** Whoever was first has it; one that is not what it was makes place. */
    private Layer settle(Layer layer, Path fresh) throws IOException {
        // A folder can be moved only by who may write to it.
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path place = place(layer.key());
        SETTLING.lock();
        try (FileChannel file =
                        FileChannel.open(
                                folder.resolve(LOCK),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                FileLock held = file.lock()) {
            Optional<Layer> other = find(layer.key());
            if (other.isPresent() && held.isValid()) {
                return other.get();
            }
            if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
                aside(place);
            }
            Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE);
            return layer;
        } finally {
            SETTLING.unlock();
        }
    }

    private void aside(Path place) throws IOException {
        Path old = folder.resolve(REMOVED + UUID.randomUUID());
        Files.move(place, old, StandardCopyOption.ATOMIC_MOVE);
        discard(old);
    }

    private static void discard(Path folder) {
        try {
            LayerTree.delete(folder);
        } catch (IOException e) {
            return; // it is not in the way, and removed some other day
        }
    }

    /** Removes what builds that were interrupted have left. */
    private void clean() throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, ".{new,old}-*")) {
            Instant since = Instant.now().minus(ABANDONED);
            for (Path one : all) {
                if (age(one).isBefore(since)) {
                    discard(one);
                }
            }
        }
    }

    private static Instant age(Path path) {
        try {
            return Files.getLastModifiedTime(path).toInstant();
        } catch (IOException e) {
            return Instant.MAX; // it is at its place by now, or gone
        }
    }

    /** All that say what they are, whether or not they still are that. */
    List<Layer> list() {
        List<Layer> all = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(folder)) {
                for (Path one : folders) {
                    String key = one.getFileName().toString();
                    if (KEY.matcher(key).matches()) {
                        read(key).ifPresent(all::add);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        all.sort(Comparator.comparing(Layer::created).thenComparing(Layer::key));
        return all;
    }

    /** Whether it was there. */
    boolean remove(String key) {
        Path place = place(key);
        if (!Files.exists(place)) {
            return false;
        }
        try {
            aside(place);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The layer %s cannot be removed: %s".formatted(key, why(e)), e);
        }
    }
}
