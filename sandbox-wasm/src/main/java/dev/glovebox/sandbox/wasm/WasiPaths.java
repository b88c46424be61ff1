package dev.glovebox.sandbox.wasm;

/** What a program does with names in the box's directory. */
final class WasiPaths {

    private static final int CREATE = 1;
    private static final int DIRECTORY = 2;
    private static final int EXCLUSIVE = 4;
    private static final int TRUNCATE = 8;
    private static final long READ = 1L << 1;
    private static final long WRITE = 1L << 6;
    private static final int APPEND = 1;

    private final Guest guest;
    private final WasiFiles files;

    WasiPaths(Guest guest) {
        this.guest = guest;
        files = new WasiFiles(guest);
    }

    void define(Wasi wasi) {
        wasi.define(
                "path_open",
                "iiiiiIIii",
                (m, a) -> {
                    boolean read = (a[5] & READ) != 0;
                    boolean write = (a[5] & WRITE) != 0;
                    String path = Wasi.text(m, a[2], a[3]);
                    m.writeI32(
                            (int) a[8],
                            open(
                                    folder(a[0]),
                                    path,
                                    (int) a[4],
                                    read,
                                    write,
                                    (a[7] & APPEND) != 0));
                });
        wasi.define(
                "path_create_directory",
                "iii",
                (m, a) -> {
                    Node.Folder from = folder(a[0]);
                    String path = Wasi.text(m, a[1], a[2]);
                    guest.onFiles(() -> guest.tree().makeFolder(guest.tree().place(from, path)));
                });
        wasi.define(
                "path_remove_directory",
                "iii",
                (m, a) -> {
                    Node.Folder from = folder(a[0]);
                    String path = Wasi.text(m, a[1], a[2]);
                    remove(from, path, true);
                });
        wasi.define(
                "path_unlink_file",
                "iii",
                (m, a) -> {
                    Node.Folder from = folder(a[0]);
                    String path = Wasi.text(m, a[1], a[2]);
                    remove(from, path, false);
                });
        wasi.define(
                "path_rename",
                "iiiiii",
                (m, a) ->
                        rename(
                                folder(a[0]),
                                Wasi.text(m, a[1], a[2]),
                                folder(a[3]),
                                Wasi.text(m, a[4], a[5])));
        wasi.define(
                "path_filestat_get",
                "iiiii",
                (m, a) -> files.stat(m, (int) a[4], find(folder(a[0]), Wasi.text(m, a[2], a[3]))));
        wasi.define(
                "path_filestat_set_times",
                "iiiiIIi",
                (m, a) -> {
                    Node node = find(folder(a[0]), Wasi.text(m, a[2], a[3]));
                    guest.onFiles(() -> {
                        WasiFiles.setTimes(node, a[5], (int) a[6]);
                        return true;
                    });
                });
        // There are no links, so that nothing has to be told apart.
        refuse(wasi, "path_link", "iiiiiii", Errno.ENOTSUP);
        refuse(wasi, "path_symlink", "iiiii", Errno.ENOTSUP);
        refuse(wasi, "path_readlink", "iiiiii", Errno.EINVAL);
    }

    private static void refuse(Wasi wasi, String name, String types, Errno errno) {
        wasi.define(
                name,
                types,
                (m, a) -> {
                    throw errno.failure();
                });
    }

    private Node.Folder folder(long descriptor) {
        return guest.descriptors().folder((int) descriptor);
    }

    /** What is at a path. */
    Node find(Node.Folder from, String path) {
        return guest.onFiles(() -> guest.tree().find(guest.tree().place(from, path)));
    }

    /** Opens a file or folder; the number is the program's. */
    int open(
            Node.Folder from, String path, int flags, boolean read, boolean write, boolean append) {
        return guest.onFiles(() -> {
            guest.descriptors().reserve();
            Tree.Place place = guest.tree().place(from, path);
            boolean there = guest.tree().has(place);
            if (there && (flags & EXCLUSIVE) != 0 && (flags & CREATE) != 0) {
                throw Errno.EEXIST.failure();
            }
            Node node =
                    there || (flags & CREATE) == 0
                            ? guest.tree().find(place)
                            : guest.tree().makeFile(place);
            return switch (node) {
                case Node.Folder folder -> {
                    if (write || (flags & TRUNCATE) != 0) {
                        throw Errno.EISDIR.failure();
                    }
                    yield guest.descriptors().add(new Descriptor.OpenFolder(folder));
                }
                case Node.File file -> {
                    if ((flags & DIRECTORY) != 0) {
                        throw Errno.ENOTDIR.failure();
                    }
                    if ((flags & TRUNCATE) != 0) {
                        file.resize(0);
                    }
                    yield guest.descriptors()
                            .add(new Descriptor.OpenFile(file, read, write, append));
                }
            };
        });
    }

    void remove(Node.Folder from, String path, boolean folder) {
        guest.onFiles(() -> {
            Tree.Place place = guest.tree().place(from, path);
            if (folder) {
                guest.tree().removeFolder(place);
            } else {
                guest.tree().removeFile(place);
            }
            return true;
        });
    }

    void rename(Node.Folder from, String path, Node.Folder to, String newPath) {
        guest.onFiles(() -> {
            guest.tree().move(guest.tree().place(from, path), guest.tree().place(to, newPath));
            return true;
        });
    }
}
