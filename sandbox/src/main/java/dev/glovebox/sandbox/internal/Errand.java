package dev.glovebox.sandbox.internal;

import static dev.glovebox.sandbox.internal.Libc.call;
import static dev.glovebox.sandbox.internal.Libc.function;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A few calls of libc, one after the other, in a child process that is gone afterwards.
 *
 * <p>Some things the kernel lets only a process with a single thread do, which no JVM is. The child
 * shares our memory while we wait for it, as with {@code posix_spawn}, but runs no Java and no
 * program: each call is a context of {@code makecontext(3)} that is followed by the next. Nobody
 * hears what the calls answer, so what they were to achieve must be looked at afterwards.
 */
final class Errand {

    private static final int CLONE_VM = 0x100;
    private static final int CLONE_VFORK = 0x4000;
    private static final int SIGCHLD = 17;
    private static final int EIO = 5;

    // struct ucontext_t is 968 bytes long on x86_64, 4560 on aarch64.
    private static final int CONTEXT = 8192;
    private static final int LINK = 8;
    private static final int STACK_AT = 16;
    private static final int STACK_FLAGS = 24;
    private static final int STACK_SIZE = 32;
    private static final int SIGNAL_MASK = Kernel.isArm() ? 40 : 296;
    private static final int STACK = 16 * 1024;
    private static final int MOST_ARGUMENTS = 3;

    private record Step(String function, long[] arguments) {}

    private final List<Step> steps = new ArrayList<>();

    /** Adds a call with at most three arguments. */
    Errand then(String function, long... arguments) {
        if (arguments.length > MOST_ARGUMENTS) {
            throw new IllegalArgumentException(function + " has too many arguments");
        }
        steps.add(new Step(function, arguments));
        return this;
    }

    /** Does it all; what the arguments point to must live until then. */
    void run() {
        try (Arena arena = Arena.ofConfined()) {
            long next = context(arena, new Step("_exit", new long[] {0}), 0);
            for (Step step : steps.reversed()) {
                next = context(arena, step, next);
            }
            MemorySegment stack = arena.allocate(STACK, 16);
            long child =
                    call(
                            function("clone"),
                            function("setcontext").address(),
                            stack.address() + STACK,
                            CLONE_VM | CLONE_VFORK | SIGCHLD,
                            next,
                            0,
                            0);
            int status = Kernel.reap(Kernel.must(child, "making a child process")).status();
            if (status != 0) {
                throw new KernelException(EIO, "a child process with status " + status);
            }
        }
    }

    private static long context(Arena arena, Step step, long next) {
        MemorySegment context = arena.allocate(CONTEXT, 16);
        MemorySegment stack = arena.allocate(STACK, 16);
        Kernel.must(call(function("getcontext"), context.address(), 0, 0), "describing a context");
        context.set(ValueLayout.JAVA_LONG, LINK, next);
        context.set(ValueLayout.JAVA_LONG, STACK_AT, stack.address());
        context.set(ValueLayout.JAVA_INT, STACK_FLAGS, 0);
        context.set(ValueLayout.JAVA_LONG, STACK_SIZE, STACK);
        // A signal would be handled by the JVM's handlers, on the JVM's memory.
        context.set(ValueLayout.JAVA_LONG, SIGNAL_MASK, -1L);
        long[] arguments = Arrays.copyOf(step.arguments(), MOST_ARGUMENTS);
        call(
                function("makecontext"),
                context.address(),
                function(step.function()).address(),
                MOST_ARGUMENTS,
                arguments[0],
                arguments[1],
                arguments[2]);
        return context.address();
    }
}
