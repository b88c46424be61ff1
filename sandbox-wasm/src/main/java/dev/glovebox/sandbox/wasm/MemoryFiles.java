package dev.glovebox.sandbox.wasm;

import static dev.glovebox.sandbox.spi.ScratchPath.checked;
import static dev.glovebox.sandbox.spi.ScratchPath.shown;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.spi.FileTrees;
import dev.glovebox.sandbox.spi.ResultFiles;
import dev.glovebox.sandbox.spi.TarWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;

/** A box's directory as it is seen from outside. */
final class MemoryFiles implements BoxFiles {

    private static final int FILE = 0644;
    private static final int PROGRAM = 0755;

    private final Tree tree;
    private final FileTrees trees;

    MemoryFiles(Tree tree) {
        this.tree = tree;
        this.trees = new FileTrees(this, this::write, tree.bytes(), tree.mostNodes());
    }

    @Override
    public byte[] read(String path) {
        return on(path, () -> content(file(path)));
    }

    /** The result files among these. */
    ResultFiles readAll(List<String> paths) {
        return trees.read(paths);
    }

    private Node.File file(String path) {
        return switch (tree.find(place(path))) {
            case Node.File file -> file;
            case Node.Folder folder ->
                    throw new FileRefused(shown(path) + " is not a regular file");
        };
    }

    private static byte[] content(Node.File file) {
        byte[] content = new byte[Math.toIntExact(file.size())];
        file.read(0, content, 0, content.length);
        return content;
    }

    @Override
    public void write(String path, byte[] content) {
        write(path, content, FILE);
    }

    private void write(String path, byte[] content, int mode) {
        checked(path);
        if (content.length > tree.bytes()) {
            throw new FileRefused(shown(path) + " is larger than the box's disk");
        }
        on(
                path,
                () -> {
                    if (path.contains("/")) {
                        makeFolders(path.substring(0, path.lastIndexOf('/')));
                    }
                    Tree.Place place = place(path);
                    Node.File file = tree.has(place) ? file(path) : tree.makeFile(place);
                    file.resize(0);
                    file.executable(mode == PROGRAM);
                    int done = file.write(0, content, 0, content.length);
                    if (done < content.length) {
                        throw Errno.ENOSPC.failure();
                    }
                    return file;
                });
    }

    @Override
    public void makeDirectory(String path) {
        checked(path);
        on(path, () -> makeFolders(path));
    }

    private Node.Folder makeFolders(String path) {
        Node.Folder folder = tree.root();
        for (String name : path.split("/")) {
            Tree.Place place = tree.place(folder, name);
            folder = tree.has(place) ? Tree.folder(tree.find(place)) : tree.makeFolder(place);
        }
        return folder;
    }

    @Override
    public Entry stat(String path) {
        return on(path, () -> entry(path, tree.find(place(path))));
    }

    private static Entry entry(String path, Node node) {
        return switch (node) {
            case Node.File file ->
                    new Entry(
                            path,
                            Kind.FILE,
                            file.size(),
                            file.executable() ? PROGRAM : FILE,
                            file.modified());
            case Node.Folder folder ->
                    new Entry(path, Kind.DIRECTORY, folder.size(), PROGRAM, folder.modified());
        };
    }

    @Override
    public List<Entry> list(String path) {
        return on(
                path,
                () -> {
                    String prefix = path.isEmpty() ? "" : path + "/";
                    List<Entry> entries = new ArrayList<>();
                    folder(path)
                            .children()
                            .forEach((name, child) -> entries.add(entry(prefix + name, child)));
                    return List.copyOf(entries);
                });
    }

    @Override
    public void move(String from, String to) {
        on(
                from,
                () -> {
                    tree.move(place(from), place(to));
                    return true;
                });
    }

    @Override
    public void delete(String path) {
        on(
                path,
                () -> {
                    tree.removeAll(place(path));
                    return true;
                });
    }

    @Override
    public void putTree(String directory, InputStream tar) {
        trees.put(directory, tar);
    }

    @Override
    public void getTree(String directory, OutputStream tar) {
        // All at once: what was found already cannot be put before us again.
        List<Found> tree = on(directory, () -> found(folder(directory), "", new ArrayList<>()));
        try {
            pack(directory, tree, new TarWriter(tar));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Node.Folder folder(String path) {
        return path.isEmpty() ? tree.root() : Tree.folder(tree.find(place(path)));
    }

    /** A file or folder of a tree; not by its path, which may be longer than paths may be. */
    private record Found(String name, Node node) {}

    private static List<Found> found(Node.Folder folder, String prefix, List<Found> all) {
        new TreeMap<>(folder.children())
                .forEach((name, node) -> {
                    all.add(new Found(prefix + name, node));
                    if (node instanceof Node.Folder inner) {
                        found(inner, prefix + name + "/", all);
                    }
                });
        return all;
    }

    private void pack(String directory, List<Found> all, TarWriter writer) throws IOException {
        long bytes = 0;
        for (Found found : all) {
            switch (found.node()) {
                case Node.Folder inner -> writer.directory(found.name(), inner.modified());
                case Node.File file -> {
                    byte[] content = tree.with(() -> content(file));
                    bytes += content.length;
                    // A program may write one when another was read, but not without end.
                    if (bytes > 2 * tree.bytes()) {
                        throw new FileRefused(shown(directory) + " has more than the box can hold");
                    }
                    int mode = file.executable() ? PROGRAM : FILE;
                    writer.file(found.name(), file.modified(), mode, content);
                }
            }
        }
        writer.finish();
    }

    private Tree.Place place(String path) {
        return tree.place(tree.root(), checked(path));
    }

    private <T> T on(String path, Supplier<T> action) {
        try {
            return tree.with(action);
        } catch (Errno.Failure e) {
            String message = shown(path) + ": " + e.errno();
            throw e.errno() == Errno.ENOENT
                    ? FileRefused.missing(message)
                    : new FileRefused(message);
        } catch (Tree.TooManyFiles e) {
            throw new FileRefused(shown(path) + ": there are " + e.getMessage() + " already");
        }
    }
}
