package dev.glovebox.sandbox.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * Calls functions of libc.
 *
 * <p>Every function is called through one handle of one shape, all arguments as 64-bit integers:
 * linking a second shape would cost a command-line process some 5 ms of start-up. That is sound on
 * the two ABIs we support, where integer and pointer arguments travel in the same registers. A
 * negative result is a negated errno, as in the kernel itself.
 */
final class Libc {

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    @SuppressWarnings("restricted")
    private static final MethodHandle CALL =
            LINKER.downcallHandle(
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG),
                    Linker.Option.captureCallState("errno"));

    private Libc() {}

    static MemorySegment function(String name) {
        return LINKER.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("This libc has no " + name));
    }

    static long call(MemorySegment function, long a, long b, long c, long d, long e, long f) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long result = (long) CALL.invokeExact(function, state, a, b, c, d, e, f);
            return (int) result == -1 ? -(long) (int) ERRNO.get(state, 0L) : result;
        } catch (Throwable e1) {
            throw new AssertionError(e1);
        }
    }

    static long call(MemorySegment function, long a, long b, long c) {
        return call(function, a, b, c, 0, 0, 0);
    }

    static MemorySegment text(Arena arena, String text) {
        return raw(arena, text.getBytes(StandardCharsets.UTF_8));
    }

    static MemorySegment raw(Arena arena, byte[] bytes) {
        MemorySegment segment = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return segment;
    }
}
