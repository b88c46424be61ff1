package dev.glovebox.sandbox.internal;

import java.util.Arrays;

/**
 * Assembles a classic BPF program for seccomp, from its last instruction to its first.
 *
 * <p>Classic BPF only jumps forward. Written back to front, every target is already in place when a
 * jump to it is made, so a label is a plain number (how far from the end) and nothing needs a
 * second pass. It also makes nested calls read in the order in which the kernel will run them:
 *
 * <pre>{@code bpf.load(lowHalfOf(1), bpf.ifAnySet(06000, refuse, allow))}</pre>
 *
 * <p>Only instructions that the kernel can evaluate ahead of time (Linux 5.11) are offered: it
 * finds the numbers whose verdict never depends on an argument, and does not run the filter for
 * them.
 */
final class Bpf {

    private static final int LOAD_WORD = 0x20;
    private static final int AND = 0x54;
    private static final int JUMP = 0x05;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int JUMP_IF_AT_LEAST = 0x35;
    private static final int JUMP_IF_ANY_SET = 0x45;
    private static final int RETURN = 0x06;

    /** BPF_MAXINSNS: the kernel loads no longer program. */
    static final int MOST_INSTRUCTIONS = 4096;

    /**
     * {@code struct sock_filter}: u16 operation (all below 256), u8 jump if true, u8 jump if false,
     * u32 k, little endian.
     */
    static final int INSTRUCTION_BYTES = 8;

    /** A conditional jump skips at most 255 (u8); one less, as its other branch may add a hop. */
    private static final int FARTHEST_BRANCH = 254;

    private final byte[] room = new byte[MOST_INSTRUCTIONS * INSTRUCTION_BYTES];
    private int size;

    /** Ends with this verdict. */
    int verdict(int verdict) {
        return prepend(RETURN, 0, 0, verdict);
    }

    /** Loads 32 bits of {@code struct seccomp_data}, then goes on at {@code next}. */
    int load(int offset, int next) {
        fallInto(next);
        return prepend(LOAD_WORD, 0, 0, offset);
    }

    /** Keeps only the masked bits of what was loaded, then goes on at {@code next}. */
    int mask(int mask, int next) {
        fallInto(next);
        return prepend(AND, 0, 0, mask);
    }

    int ifEqual(int value, int then, int otherwise) {
        return branch(JUMP_IF_EQUAL, value, then, otherwise);
    }

    /** Compares unsigned. */
    int ifAtLeast(int value, int then, int otherwise) {
        return branch(JUMP_IF_AT_LEAST, value, then, otherwise);
    }

    int ifAnySet(int bits, int then, int otherwise) {
        return branch(JUMP_IF_ANY_SET, bits, then, otherwise);
    }

    /** The program, which starts with the instruction made last, as the kernel reads it. */
    byte[] program() {
        return Arrays.copyOfRange(room, room.length - size * INSTRUCTION_BYTES, room.length);
    }

    private int branch(int operation, int value, int then, int otherwise) {
        int nearThen = withinReach(then);
        int nearOtherwise = withinReach(otherwise);
        return prepend(operation, size - nearThen, size - nearOtherwise, value);
    }

    private int withinReach(int label) {
        requireLabel(label);
        return size - label <= FARTHEST_BRANCH ? label : jump(label);
    }

    private void fallInto(int next) {
        requireLabel(next);
        if (next != size) {
            jump(next);
        }
    }

    private int jump(int label) {
        return prepend(JUMP, 0, 0, size - label);
    }

    private void requireLabel(int label) {
        if (label < 1 || label > size) {
            throw new IllegalArgumentException(
                    "Label " + label + " is not in this BPF program of " + size + " instructions.");
        }
    }

    private int prepend(int operation, int ifTrue, int ifFalse, int k) {
        if (size == MOST_INSTRUCTIONS) {
            throw new IllegalStateException(
                    "A BPF program has at most " + MOST_INSTRUCTIONS + " instructions.");
        }
        size++;
        int at = room.length - size * INSTRUCTION_BYTES;
        room[at] = (byte) operation;
        room[at + 2] = (byte) ifTrue;
        room[at + 3] = (byte) ifFalse;
        room[at + 4] = (byte) k;
        room[at + 5] = (byte) (k >> 8);
        room[at + 6] = (byte) (k >> 16);
        room[at + 7] = (byte) (k >> 24);
        return size;
    }
}
