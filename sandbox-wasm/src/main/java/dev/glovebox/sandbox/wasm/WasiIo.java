package dev.glovebox.sandbox.wasm;

import java.util.Arrays;

/** Reading and writing: streams and files, in pieces, into a program's scattered buffers. */
final class WasiIo {

    private static final int MOST_VECTORS = 1024;
    private static final int VECTOR = 8;

    /** Moves bytes between a program's buffers and something it has open. */
    @FunctionalInterface
    private interface Move {
        /** How many bytes of a piece went; fewer than there were end it. */
        int piece(byte[] buffer, int length, long sofar);
    }

    private final Guest guest;

    WasiIo(Guest guest) {
        this.guest = guest;
    }

    void define(Wasi wasi) {
        wasi.define("fd_read", "iiii", (m, a) -> read(m, a, a[3], reading((int) a[0])));
        wasi.define("fd_pread", "iiiIi", (m, a) -> read(m, a, a[4], readingAt((int) a[0], a[3])));
        wasi.define("fd_write", "iiii", (m, a) -> write(m, a, a[3], writing((int) a[0])));
        wasi.define("fd_pwrite", "iiiIi", (m, a) -> write(m, a, a[4], writingAt((int) a[0], a[3])));
    }

    private void read(LinearMemory memory, long[] a, long result, Move move) {
        byte[] buffer = new byte[Guest.PIECE];
        memory.writeI32(
                (int) result,
                vectors(
                        memory,
                        a,
                        (at, length, sofar) -> {
                            int count = move.piece(buffer, length, sofar);
                            memory.write(at, buffer, 0, count);
                            return count;
                        }));
    }

    private void write(LinearMemory memory, long[] a, long result, Move move) {
        byte[] buffer = new byte[Guest.PIECE];
        memory.writeI32(
                (int) result,
                vectors(
                        memory,
                        a,
                        (at, length, sofar) -> {
                            memory.read(at, buffer, 0, length);
                            return move.piece(buffer, length, sofar);
                        }));
    }

    /** A part of a program's buffers. */
    @FunctionalInterface
    private interface Part {
        int move(int at, int length, int sofar);
    }

    /** In small pieces: a guest must not make us allocate as much as it likes. */
    private static int vectors(LinearMemory memory, long[] a, Part part) {
        int count = (int) a[2];
        if (count < 0 || count > MOST_VECTORS) {
            throw Errno.EINVAL.failure();
        }
        int total = 0;
        for (int i = 0; i < count; i++) {
            int at = memory.readInt((int) a[1] + i * VECTOR);
            int length = memory.readInt((int) a[1] + i * VECTOR + Integer.BYTES);
            for (int done = 0; done < length; ) {
                Guest.checkpoint();
                int step = Math.min(Guest.PIECE, length - done);
                int moved;
                try {
                    moved = part.move(at + done, step, total);
                } catch (Errno.Failure e) {
                    if (total > 0) {
                        return total; // the next call will hear of it
                    }
                    throw e;
                }
                total += moved;
                done += moved;
                if (moved < step) {
                    return total;
                }
            }
        }
        return total;
    }

    private Move reading(int number) {
        return switch (guest.descriptors().stream(number)) {
            case Descriptor.Input input -> (buffer, length, sofar) -> input(buffer, length, sofar);
            case Descriptor.OpenFile file ->
                    (buffer, length, sofar) ->
                            guest.onFiles(() -> {
                                int count = file.readAt(file.position(), buffer, length);
                                file.position(file.position() + count);
                                return count;
                            });
            case Descriptor.OpenFolder folder -> throw Errno.EISDIR.failure();
            case Descriptor.Sink sink -> throw Errno.EBADF.failure();
        };
    }

    /** What came already is not held back for what has not come yet. */
    private int input(byte[] buffer, int length, long sofar) {
        return sofar > 0 && !guest.inlet().readable() ? 0 : guest.read(buffer, length);
    }

    private Move readingAt(int number, long at) {
        Descriptor.OpenFile file = guest.descriptors().file(number);
        if (at < 0) {
            throw Errno.EINVAL.failure();
        }
        return (buffer, length, sofar) ->
                guest.onFiles(() -> file.readAt(at + sofar, buffer, length));
    }

    private Move writing(int number) {
        return switch (guest.descriptors().stream(number)) {
            case Descriptor.Sink(var channel) ->
                    (buffer, length, sofar) -> {
                        guest.write(channel, Arrays.copyOf(buffer, length));
                        return length;
                    };
            case Descriptor.OpenFile file ->
                    (buffer, length, sofar) ->
                            guest.onFiles(() -> {
                                long at = file.appending() ? file.file().size() : file.position();
                                int count = file.writeAt(at, buffer, length);
                                file.position(at + count);
                                return count;
                            });
            case Descriptor.OpenFolder folder -> throw Errno.EISDIR.failure();
            case Descriptor.Input input -> throw Errno.EBADF.failure();
        };
    }

    private Move writingAt(int number, long at) {
        Descriptor.OpenFile file = guest.descriptors().file(number);
        if (at < 0) {
            throw Errno.EINVAL.failure();
        }
        return (buffer, length, sofar) ->
                guest.onFiles(() -> file.writeAt(at + sofar, buffer, length));
    }
}
