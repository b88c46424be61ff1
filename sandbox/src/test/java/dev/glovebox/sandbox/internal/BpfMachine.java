package dev.glovebox.sandbox.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Runs a seccomp program as the kernel would, and refuses what the kernel refuses to load. */
final class BpfMachine {

    private static final int SECCOMP_DATA_BYTES = 64;

    private final ByteBuffer program;
    private final int size;
    private int steps;

    BpfMachine(byte[] program) {
        this.program = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
        this.size = program.length / 8;
        check(program.length % 8 == 0, "half an instruction");
        check(size >= 1 && size <= 4096, size + " instructions");
        for (int at = 0; at < size; at++) {
            checkInstruction(at);
        }
        check(operation(size - 1) == 0x06, "no verdict at the end");
    }

    /** The verdict on one system call. */
    int run(int arch, int number, long... arguments) {
        ByteBuffer data =
                ByteBuffer.allocate(SECCOMP_DATA_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(number)
                        .putInt(arch)
                        .putLong(0x7FFF_1234_5678L);
        for (long argument : arguments) {
            data.putLong(argument);
        }
        int accumulator = 0;
        int at = 0;
        steps = 0;
        while (true) {
            steps++;
            int k = k(at);
            switch (operation(at)) {
                case 0x20 -> accumulator = data.getInt(k);
                case 0x54 -> accumulator &= k;
                case 0x05 -> at += k;
                case 0x15 -> at += skip(at, accumulator == k);
                case 0x35 -> at += skip(at, Integer.compareUnsigned(accumulator, k) >= 0);
                case 0x45 -> at += skip(at, (accumulator & k) != 0);
                case 0x06 -> {
                    return k;
                }
                default -> throw new IllegalStateException("checked before");
            }
            at++;
        }
    }

    int size() {
        return size;
    }

    /** How many instructions the last run took. */
    int steps() {
        return steps;
    }

    private void checkInstruction(int at) {
        switch (operation(at)) {
            case 0x20 ->
                    check(
                            k(at) % 4 == 0 && k(at) >= 0 && k(at) < SECCOMP_DATA_BYTES,
                            "load from " + k(at));
            case 0x05 -> check(k(at) >= 0 && at + 1 + k(at) < size, "jump out of the program");
            case 0x15, 0x35, 0x45 ->
                    check(
                            at + 1 + Math.max(skip(at, true), skip(at, false)) < size,
                            "branch out of the program");
            case 0x54, 0x06 -> {}
            default -> check(false, "operation " + operation(at));
        }
    }

    private int operation(int at) {
        return program.getShort(at * 8);
    }

    private int skip(int at, boolean condition) {
        return Byte.toUnsignedInt(program.get(at * 8 + (condition ? 2 : 3)));
    }

    private int k(int at) {
        return program.getInt(at * 8 + 4);
    }

    private static void check(boolean fine, String complaint) {
        if (!fine) {
            throw new IllegalArgumentException("The kernel would not load this: " + complaint);
        }
    }
}
