package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A box's directory, in memory: what its commands share and {@code files()} shows.
 *
 * <p>Everything goes through {@link #with}, one at a time. Paths are walked name by name from a
 * folder and never above it; there is nothing else than files and folders on the way.
 */
final class Tree implements AutoCloseable {

    private static final long FEWEST_NODES = 1024;
    private static final int LONGEST_NAME = 255;
    private static final int LONGEST_PATH = 4096;
    // Deeper ones could neither be deleted nor packed without a stack as deep.
    private static final int DEEPEST = 256;

    /** Where a path leads: a name in a folder; the name is empty for the folder itself. */
    record Place(Node.Folder folder, String name) {}

    private final Blocks blocks;
    private final Node.Folder root = new Node.Folder(1);
    private final long mostNodes;
    private long nodes = 1;
    private long numbers = 1;
    private boolean closed;

    Tree(Bytes disk) {
        blocks = new Blocks(disk.count());
        mostNodes = Math.max(FEWEST_NODES, blocks.limit());
    }

    /** How many files and folders there may be: one for each 4 KiB, but some always. */
    long mostNodes() {
        return mostNodes;
    }

    /** How many bytes there is room for. */
    long bytes() {
        return blocks.limit() * Blocks.SIZE;
    }

    /** Does something while nobody else looks. */
    synchronized <T> T with(Supplier<T> action) {
        if (closed) {
            throw new BoxGone("The box is closed");
        }
        return action.get();
    }

    synchronized void run(Runnable action) {
        with(() -> {
            action.run();
            return true;
        });
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            blocks.close();
        }
    }

    Node.Folder root() {
        return root;
    }

    boolean full() {
        return with(() -> blocks.full() || nodes >= mostNodes);
    }

    /** Walks to a path's last name, which need not be there; the folders before it must. */
    Place place(Node.Folder from, String path) {
        List<Node.Folder> way = new ArrayList<>(List.of(from));
        String last = "";
        for (String name : names(path)) {
            if (!last.isEmpty()) {
                way.add(folder(child(way.getLast(), last)));
                last = "";
            }
            if (name.equals("..")) {
                if (way.size() == 1) {
                    throw Errno.ENOTCAPABLE.failure();
                }
                way.removeLast();
            } else {
                last = name;
            }
        }
        return new Place(way.getLast(), last);
    }

    /** The names of a path, without those that mean nothing; checked before anything is walked. */
    private static List<String> names(String path) {
        if (path.isEmpty()) {
            throw Errno.ENOENT.failure();
        }
        if (path.startsWith("/")) {
            throw Errno.ENOTCAPABLE.failure();
        }
        if (path.indexOf('\0') >= 0) {
            throw Errno.EINVAL.failure();
        }
        List<String> names = new ArrayList<>();
        for (String name : path.split("/")) {
            if (name.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME
                    || path.length() > LONGEST_PATH) {
                throw Errno.ENAMETOOLONG.failure();
            }
            if (!name.isEmpty() && !name.equals(".")) {
                names.add(name);
            }
        }
        return names;
    }

    private static Node child(Node.Folder folder, String name) {
        Node node = folder.children().get(name);
        if (node == null) {
            throw Errno.ENOENT.failure();
        }
        return node;
    }

    static Node.Folder folder(Node node) {
        return switch (node) {
            case Node.Folder folder -> folder;
            case Node.File file -> throw Errno.ENOTDIR.failure();
        };
    }

    /** What is at a place. */
    Node find(Place place) {
        return place.name().isEmpty() ? place.folder() : child(place.folder(), place.name());
    }

    boolean has(Place place) {
        return place.name().isEmpty() || place.folder().children().containsKey(place.name());
    }

    Node.File makeFile(Place place) {
        Node.File file = new Node.File(nextNumber(place), blocks);
        put(place, file);
        return file;
    }

    Node.Folder makeFolder(Place place) {
        Node.Folder folder = new Node.Folder(nextNumber(place));
        put(place, folder);
        return folder;
    }

    private long nextNumber(Place place) {
        if (has(place)) {
            throw Errno.EEXIST.failure();
        }
        requireRoom(place.folder(), 1);
        if (nodes >= mostNodes) {
            throw new TooManyFiles(mostNodes);
        }
        nodes++;
        return ++numbers;
    }

    /** Whether something that is so many levels high may be put into a folder. */
    private void requireRoom(Node.Folder folder, int levels) {
        int depth = levels;
        for (Node.Folder on = folder; !on.equals(root); depth++) {
            on = on.parent();
            if (on == null) {
                throw Errno.ENOENT.failure(); // removed, but still open somewhere
            }
        }
        if (depth > DEEPEST) {
            throw Errno.ENAMETOOLONG.failure();
        }
    }

    private static void put(Place place, Node node) {
        place.folder().children().put(place.name(), node);
        place.folder().touch();
        if (node instanceof Node.Folder folder) {
            folder.parent(place.folder());
        }
    }

    void removeFile(Place place) {
        switch (find(place)) {
            case Node.Folder folder -> throw Errno.EISDIR.failure();
            case Node.File file -> {
                take(place);
                file.delete();
            }
        }
    }

    void removeFolder(Place place) {
        Node.Folder folder = folder(find(place));
        if (place.name().isEmpty()) {
            throw Errno.EINVAL.failure();
        }
        if (!folder.children().isEmpty()) {
            throw Errno.ENOTEMPTY.failure();
        }
        take(place);
        folder.parent(null);
    }

    /** Removes a file, or a folder with all that is in it. */
    void removeAll(Place place) {
        if (find(place) instanceof Node.Folder folder) {
            for (String name : List.copyOf(folder.children().keySet())) {
                removeAll(new Place(folder, name));
            }
            removeFolder(place);
        } else {
            removeFile(place);
        }
    }

    private void take(Place place) {
        place.folder().children().remove(place.name());
        place.folder().touch();
        nodes--;
    }

    /** Moves a file or folder, over a file or an empty folder if there is one of the same kind. */
    void move(Place from, Place to) {
        Node moved = find(from);
        if (from.name().isEmpty() || to.name().isEmpty()) {
            throw Errno.EINVAL.failure();
        }
        if (from.equals(to)) {
            return;
        }
        for (Node.Folder on = to.folder(); on != null; on = on.parent()) {
            if (on.equals(moved)) {
                throw Errno.EINVAL.failure();
            }
        }
        requireRoom(to.folder(), height(moved));
        if (has(to)) {
            if (moved instanceof Node.Folder) {
                removeFolder(to);
            } else {
                removeFile(to);
            }
        }
        from.folder().children().remove(from.name());
        from.folder().touch();
        put(to, moved);
    }

    private static int height(Node node) {
        int height = 0;
        if (node instanceof Node.Folder folder) {
            for (Node child : folder.children().values()) {
                height = Math.max(height, height(child));
            }
        }
        return height + 1;
    }

    /** More files than the disk allows: where a program made them, it is ended. */
    static final class TooManyFiles extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final long limit;

        TooManyFiles(long limit) {
            super("more than " + limit + " files", null, false, false);
            this.limit = limit;
        }

        long limit() {
            return limit;
        }
    }
}
