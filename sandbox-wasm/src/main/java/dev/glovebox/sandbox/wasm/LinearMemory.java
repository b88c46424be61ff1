package dev.glovebox.sandbox.wasm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.IntConsumer;
import run.endive.runtime.ConstantEvaluators;
import run.endive.runtime.Instance;
import run.endive.runtime.WasmRuntimeException;
import run.endive.wasm.UninstantiableException;
import run.endive.wasm.types.ActiveDataSegment;
import run.endive.wasm.types.DataSegment;
import run.endive.wasm.types.MemoryLimits;
import run.endive.wasm.types.PassiveDataSegment;

/**
 * A program's memory, outside of the Java heap.
 *
 * <p>On the heap, a few greedy programs together would be an {@link OutOfMemoryError} of whoever
 * allocates next in this JVM. Here it is given back the moment it is closed, and whoever still
 * touches it then gets an exception, which ends a program that does not hear its interrupt.
 */
final class LinearMemory implements DerivedAccess, AutoCloseable {

    /** What addresses of 31 bits reach; Endive knows no more. */
    static final int MOST_PAGES = RUNTIME_MAX_PAGES;

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Pages budget;
    private final IntConsumer refused;
    private final int initial;
    private final int maximum;
    private final boolean filled;
    private OffHeap.Piece room;
    private MemorySegment bytes;
    private DataSegment[] segments = new DataSegment[0];
    private int pages;
    private boolean closed;

    private LinearMemory(
            MemoryLimits limits,
            Pages budget,
            IntConsumer refused,
            int initial,
            OffHeap.Piece room,
            boolean filled) {
        this.budget = budget;
        this.refused = refused;
        this.initial = initial;
        this.filled = filled;
        this.room = room;
        maximum = Math.min(limits.maximumPages(), MOST_PAGES);
        bytes = room.bytes().asSlice(0, (long) initial * PAGE_SIZE);
        pages = initial;
    }

    /**
     * Takes a module's first pages out of the budget.
     *
     * @param refused called with how many pages a program asked for that the budget does not have;
     *     it is expected to end the program
     */
    static LinearMemory empty(MemoryLimits limits, Pages budget, IntConsumer refused) {
        int initial = limits.initialPages();
        take(budget, initial, refused);
        OffHeap.Piece room = allocate(budget, initial, initial);
        return new LinearMemory(limits, budget, refused, initial, room, false);
    }

    /** Starts with what an engine has in memory when it is about to run its first program. */
    static LinearMemory ofEngine(
            MemoryLimits limits, Pages budget, IntConsumer refused, EnginesAhead engines) {
        int initial = engines.size() / PAGE_SIZE;
        take(budget, initial, refused);
        return new LinearMemory(limits, budget, refused, initial, engines.take(), true);
    }

    private static void take(Pages budget, int count, IntConsumer refused) {
        if (!budget.take(count)) {
            refused.accept(count);
            throw new UninstantiableException("not enough memory");
        }
    }

    /** Takes memory for pages of the budget, and gives those back if the machine has none. */
    private static OffHeap.Piece allocate(Pages budget, int taken, int count) {
        try {
            return OffHeap.allocate((long) count * PAGE_SIZE);
        } catch (OutOfMemoryError e) {
            budget.giveBack(taken);
            throw e;
        }
    }

    @Override
    public int pages() {
        return pages;
    }

    @Override
    public synchronized int grow(int more) {
        if (closed) {
            throw new Unwinding.Stopped();
        }
        int before = pages;
        long after = before + Integer.toUnsignedLong(more);
        if (after > maximum && maximum < budget.limit()) {
            return -1; // the module's own bound, not ours
        }
        if (after > maximum || !budget.take(more)) {
            refused.accept((int) Math.min(after - before, MOST_PAGES));
            return -1;
        }
        if (after * PAGE_SIZE > room.bytes().byteSize()) {
            move(more, (int) after);
        }
        bytes = room.bytes().asSlice(0, after * PAGE_SIZE);
        pages = (int) after;
        return before;
    }

    /** With something to spare: programs ask for a page at a time. */
    private void move(int more, int after) {
        int spare = Math.min(after + after / 4, maximumPages());
        OffHeap.Piece larger = allocate(budget, more, Math.max(after, spare));
        larger.bytes().copyFrom(bytes);
        OffHeap.Piece old = room;
        room = larger;
        bytes = larger.bytes();
        old.close();
    }

    /** Gives everything back; may be called by another thread while the program still runs. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            room.close();
            budget.giveBack(pages);
        }
    }

    /** All of it, as a later memory may start. */
    byte[] image() {
        return bytes.toArray(JAVA_BYTE);
    }

    @Override
    public int initialPages() {
        return initial;
    }

    @Override
    public int maximumPages() {
        return Math.min(maximum, budget.limit());
    }

    @Override
    public void initialize(Instance instance, DataSegment[] all) {
        segments = all == null ? new DataSegment[0] : all.clone();
        if (filled) {
            return;
        }
        for (DataSegment segment : segments) {
            if (segment instanceof ActiveDataSegment active) {
                long[] at =
                        ConstantEvaluators.computeConstantValue(
                                instance, active.offsetInstructions());
                write((int) at[0], active.data());
            }
        }
    }

    @Override
    public void initPassiveSegment(int segment, int to, int from, int size) {
        write(to, segments[segment].data(), from, size);
    }

    @Override
    public void drop(int segment) {
        segments[segment] = PassiveDataSegment.EMPTY;
    }

    private static WasmRuntimeException outOfBounds(int at, int size) {
        return new WasmRuntimeException("out of bounds memory access: " + size + " at " + at);
    }

    private void check(int at, int size) {
        if (at < 0 || size < 0 || at > bytes.byteSize() - size) {
            throw outOfBounds(at, size);
        }
    }

    @Override
    public void write(int at, byte[] data, int from, int size) {
        check(at, size);
        Objects.checkFromIndexSize(from, size, data.length);
        MemorySegment.copy(data, from, bytes, JAVA_BYTE, at, size);
    }

    /** Reads into an array, so that a guest cannot make us allocate as much as it likes. */
    void read(int at, byte[] data, int to, int size) {
        check(at, size);
        MemorySegment.copy(bytes, JAVA_BYTE, at, data, to, size);
    }

    @Override
    public byte[] readBytes(int at, int size) {
        check(at, size);
        return bytes.asSlice(at, size).toArray(JAVA_BYTE);
    }

    @Override
    public byte read(int at) {
        try {
            return bytes.get(JAVA_BYTE, at);
        } catch (IndexOutOfBoundsException e) {
            throw outOfBounds(at, Byte.BYTES);
        }
    }

    @Override
    public short readShort(int at) {
        try {
            return bytes.get(SHORT, at);
        } catch (IndexOutOfBoundsException e) {
            throw outOfBounds(at, Short.BYTES);
        }
    }

    @Override
    public int readInt(int at) {
        try {
            return bytes.get(INT, at);
        } catch (IndexOutOfBoundsException e) {
            throw outOfBounds(at, Integer.BYTES);
        }
    }

    @Override
    public long readLong(int at) {
        try {
            return bytes.get(LONG, at);
        } catch (IndexOutOfBoundsException e) {
            throw outOfBounds(at, Long.BYTES);
        }
    }

    @Override
    public void writeByte(int at, byte value) {
        try {
            bytes.set(JAVA_BYTE, at, value);
        } catch (IndexOutOfBoundsException e) {
            throw outOfBounds(at, Byte.BYTES);
        }
    }

    @Override
    public void writeShort(int at, short value) {
        try {
            bytes.set(SHORT, at, value);
        } catch (IndexOutOfBoundsException e) {
            throw outOfBounds(at, Short.BYTES);
        }
    }

    @Override
    public void writeI32(int at, int value) {
        try {
            bytes.set(INT, at, value);
        } catch (IndexOutOfBoundsException e) {
            throw outOfBounds(at, Integer.BYTES);
        }
    }

    @Override
    public void writeLong(int at, long value) {
        try {
            bytes.set(LONG, at, value);
        } catch (IndexOutOfBoundsException e) {
            throw outOfBounds(at, Long.BYTES);
        }
    }

    @Override
    public void zero() {
        // Fresh memory is zero already.
    }

    @Override
    public void fill(byte value, int from, int to) {
        check(from, to - from);
        bytes.asSlice(from, to - from).fill(value);
    }

    @Override
    public void copy(int to, int from, int size) {
        check(from, size);
        check(to, size);
        MemorySegment.copy(bytes, from, bytes, to, size);
    }
}
