package dev.glovebox.trace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Many SHA-256 results, 32 bytes each and nothing more. */
final class HashList {

    static final int LENGTH = 32;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] bytes = new byte[16 * LENGTH];
    private int size;

    int size() {
        return size;
    }

    void add(byte[] hash) {
        if (bytes.length == size * LENGTH) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2);
        }
        System.arraycopy(hash, 0, bytes, size * LENGTH, LENGTH);
        size++;
    }

    /** Takes out all but the first so many. */
    void cut(int length) {
        size = length;
    }

    byte[] get(int index) {
        return Arrays.copyOfRange(bytes, index * LENGTH, (index + 1) * LENGTH);
    }

    boolean holds(int index, byte[] hash) {
        int from = index * LENGTH;
        return Arrays.equals(bytes, from, from + LENGTH, hash, 0, LENGTH);
    }

    /** The first eight bytes of one of them, as a number. */
    long beginning(int index) {
        return number(bytes, index * LENGTH);
    }

    static long number(byte[] bytes, int from) {
        return (long) LONG.get(bytes, from);
    }

    int compare(int one, int other) {
        return Arrays.compareUnsigned(
                bytes,
                one * LENGTH,
                (one + 1) * LENGTH,
                bytes,
                other * LENGTH,
                (other + 1) * LENGTH);
    }
}
