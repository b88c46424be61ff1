package dev.glovebox.sandbox.wasm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a program does with what it has open, beside reading and writing it. */
final class WasiFiles {

    private static final int ENTRY = 24;
    private static final int UNKNOWN = 0;
    private static final int FOLDER = 3;
    private static final int FILE = 4;
    private static final int APPEND = 1;
    private static final int SIZE_OF_STAT = 64;
    // A stream cannot be wound, which is how programs tell it from a file.
    private static final long RIGHTS_OF_STREAM = 1L << 1 | 1L << 6;
    private static final long ALL_RIGHTS = (1L << 30) - 1;

    private final Guest guest;

    WasiFiles(Guest guest) {
        this.guest = guest;
    }

    void define(Wasi wasi) {
        wasi.define("fd_close", "i", (m, a) -> guest.descriptors().close((int) a[0]));
        wasi.define("fd_renumber", "ii", (m, a) -> move((int) a[0], (int) a[1]));
        wasi.define("fd_seek", "iIii", this::seek);
        wasi.define("fd_tell", "ii", (m, a) -> m.writeLong((int) a[1], file(a).position()));
        wasi.define("fd_readdir", "iiiIi", this::list);
        wasi.define("fd_fdstat_get", "ii", this::describe);
        wasi.define("fd_fdstat_set_flags", "ii", this::flags);
        wasi.define("fd_fdstat_set_rights", "iII", (m, a) -> guest.descriptors().get((int) a[0]));
        wasi.define("fd_filestat_get", "ii", this::stat);
        wasi.define("fd_filestat_set_size", "iI", (m, a) -> resize(file(a), a[1]));
        wasi.define(
                "fd_filestat_set_times",
                "iIIi",
                (m, a) ->
                        guest.onFiles(() -> {
                            setTimes(file(a).file(), a[2], (int) a[3]);
                            return true;
                        }));
        wasi.define("fd_allocate", "iII", this::allocate);
        wasi.define("fd_advise", "iIIi", (m, a) -> file(a));
        wasi.define("fd_datasync", "i", (m, a) -> guest.descriptors().get((int) a[0]));
        wasi.define("fd_sync", "i", (m, a) -> guest.descriptors().get((int) a[0]));
        wasi.define("fd_prestat_get", "ii", this::given);
        wasi.define("fd_prestat_dir_name", "iii", this::givenName);
        for (String socket : List.of("accept:iii", "recv:iiiiii", "send:iiiii", "shutdown:ii")) {
            String[] parts = socket.split(":");
            wasi.define(
                    "sock_" + parts[0],
                    parts[1],
                    (m, a) -> {
                        throw Errno.ENOTSOCK.failure();
                    });
        }
    }

    private Descriptor.OpenFile file(long[] a) {
        return guest.descriptors().file((int) a[0]);
    }

    private void move(int from, int to) {
        guest.descriptors().move(from, to);
    }

    private void seek(LinearMemory memory, long[] a) {
        Descriptor.OpenFile file = file(a);
        long from =
                switch ((int) a[2]) {
                    case 0 -> 0;
                    case 1 -> file.position();
                    case 2 -> guest.onFiles(() -> file.file().size());
                    default -> throw Errno.EINVAL.failure();
                };
        long to = from + a[1];
        if (to < 0) {
            throw Errno.EINVAL.failure();
        }
        file.position(to);
        memory.writeLong((int) a[3], to);
    }

    private void resize(Descriptor.OpenFile file, long length) {
        guest.onFiles(() -> {
            file.resize(length);
            return true;
        });
    }

    private void allocate(LinearMemory memory, long[] a) {
        Descriptor.OpenFile file = file(a);
        if (a[1] < 0 || a[2] < 0 || a[1] + a[2] < 0) {
            throw Errno.EINVAL.failure();
        }
        if (guest.onFiles(() -> file.file().size()) < a[1] + a[2]) {
            resize(file, a[1] + a[2]);
        }
    }

    private void list(LinearMemory memory, long[] a) {
        Node.Folder folder = guest.descriptors().folder((int) a[0]);
        int at = (int) a[1];
        int room = (int) a[2];
        List<Map.Entry<String, Node>> entries =
                guest.onFiles(() -> {
                    List<Map.Entry<String, Node>> all = new ArrayList<>();
                    all.add(Map.entry(".", folder));
                    all.add(Map.entry("..", folder));
                    all.addAll(folder.children().entrySet());
                    return List.copyOf(all);
                });
        int used = 0;
        for (long i = Math.max(0, a[3]); i < entries.size() && used < room; i++) {
            Map.Entry<String, Node> entry = entries.get((int) i);
            byte[] name = entry.getKey().getBytes(StandardCharsets.UTF_8);
            byte[] bytes =
                    ByteBuffer.allocate(ENTRY + name.length)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(i + 1)
                            .putLong(entry.getValue().number())
                            .putInt(name.length)
                            .putInt(kind(entry.getValue()))
                            .put(name)
                            .array();
            int step = Math.min(bytes.length, room - used);
            memory.write(at + used, bytes, 0, step);
            used += step;
        }
        memory.writeI32((int) a[4], used);
    }

    private static int kind(Node node) {
        return switch (node) {
            case Node.Folder folder -> FOLDER;
            case Node.File file -> FILE;
        };
    }

    private void describe(LinearMemory memory, long[] a) {
        Descriptor open = guest.descriptors().get((int) a[0]);
        int at = (int) a[1];
        boolean stream = open instanceof Descriptor.Input || open instanceof Descriptor.Sink;
        int kind =
                switch (open) {
                    case Descriptor.Input input -> UNKNOWN;
                    case Descriptor.Sink sink -> UNKNOWN;
                    case Descriptor.OpenFile file -> FILE;
                    case Descriptor.OpenFolder folder -> FOLDER;
                };
        boolean appending = open instanceof Descriptor.OpenFile file && file.appending();
        memory.writeByte(at, (byte) kind);
        memory.writeShort(at + 2, (short) (appending ? APPEND : 0));
        memory.writeLong(at + 8, stream ? RIGHTS_OF_STREAM : ALL_RIGHTS);
        memory.writeLong(at + 16, stream ? 0 : ALL_RIGHTS);
    }

    private void flags(LinearMemory memory, long[] a) {
        if (guest.descriptors().get((int) a[0]) instanceof Descriptor.OpenFile file) {
            file.appending((a[1] & APPEND) != 0);
        }
    }

    private void stat(LinearMemory memory, long[] a) {
        int at = (int) a[1];
        switch (guest.descriptors().get((int) a[0])) {
            case Descriptor.OpenFile file -> stat(memory, at, file.file());
            case Descriptor.OpenFolder(Node.Folder folder) -> stat(memory, at, folder);
            case Descriptor.Input input -> memory.fill((byte) 0, at, at + SIZE_OF_STAT);
            case Descriptor.Sink sink -> memory.fill((byte) 0, at, at + SIZE_OF_STAT);
        }
    }

    /** Writes what WASI tells of a file. */
    void stat(LinearMemory memory, int at, Node node) {
        guest.onFiles(() -> {
            Instant time = node.modified();
            long nanos = time.getEpochSecond() * 1_000_000_000L + time.getNano();
            memory.writeLong(at, 1);
            memory.writeLong(at + 8, node.number());
            memory.writeLong(at + 16, kind(node));
            memory.writeLong(at + 24, 1);
            memory.writeLong(at + 32, node.size());
            memory.writeLong(at + 40, nanos);
            memory.writeLong(at + 48, nanos);
            memory.writeLong(at + 56, nanos);
            return true;
        });
    }

    /** Only the time of the last change is kept. */
    static void setTimes(Node node, long nanos, int flags) {
        if ((flags & 4) != 0) {
            node.modified(
                    Instant.ofEpochSecond(
                            Math.floorDiv(nanos, 1_000_000_000L),
                            Math.floorMod(nanos, 1_000_000_000L)));
        } else if ((flags & 8) != 0) {
            node.touch();
        }
    }

    private void given(LinearMemory memory, long[] a) {
        requireRoot(a);
        memory.writeI32((int) a[1], 0);
        memory.writeI32((int) a[1] + Integer.BYTES, 1);
    }

    private void givenName(LinearMemory memory, long[] a) {
        requireRoot(a);
        memory.write((int) a[1], new byte[] {'/'}, 0, Math.min(1, (int) a[2]));
    }

    private void requireRoot(long[] a) {
        boolean root =
                a[0] == Descriptors.ROOT
                        && guest.descriptors().get((int) a[0])
                                instanceof Descriptor.OpenFolder(Node.Folder folder)
                        && folder.equals(guest.tree().root());
        if (!root) {
            throw Errno.EBADF.failure();
        }
    }
}
