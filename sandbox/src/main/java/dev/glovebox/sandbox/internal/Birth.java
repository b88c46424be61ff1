package dev.glovebox.sandbox.internal;

import static dev.glovebox.sandbox.internal.Libc.call;
import static dev.glovebox.sandbox.internal.Libc.function;
import static dev.glovebox.sandbox.internal.Libc.text;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Starts processes that inherit nothing but what they are given. */
final class Birth {

    private static final int SYS_SETGROUPS = Kernel.isArm() ? 159 : 116;
    private static final int SYS_SETRESUID = Kernel.isArm() ? 147 : 117;
    private static final int SYS_SETRESGID = Kernel.isArm() ? 149 : 119;
    private static final int POSIX_SPAWN_SETSID = 0x80;
    // Larger than posix_spawn's opaque structures in glibc and musl (80 and 336 bytes).
    private static final int OPAQUE = 1024;
    // Where descriptors for a child are parked before they move to 0, 1, 2, …: no two can collide.
    private static final int PARKED = 64;
    private static final int F_DUPFD_CLOEXEC = 1030;

    private static final MemorySegment SYSCALL = function("syscall");
    private static final MemorySegment FCNTL = function("fcntl");

    private Birth() {}

    /**
     * Starts something as another user, where the given one is not negative.
     *
     * <p>The system calls are made directly, since libc's functions change every thread of the
     * process. Root stays behind as the saved user of this thread, to come back to; a program that
     * is started has it no more, and no capability either.
     */
    static int as(int uid, IntSupplier spawn) {
        if (uid < 0) {
            return spawn.getAsInt();
        }
        Kernel.must(call(SYSCALL, SYS_SETGROUPS, 0, 0, 0, 0, 0), "leaving all groups");
        Kernel.must(call(SYSCALL, SYS_SETRESGID, uid, uid, 0, 0, 0), "changing the group");
        Kernel.must(call(SYSCALL, SYS_SETRESUID, uid, uid, 0, 0, 0), "changing the user");
        try {
            return spawn.getAsInt();
        } finally {
            Kernel.must(call(SYSCALL, SYS_SETRESUID, 0, 0, 0, 0, 0), "changing back to root");
            Kernel.must(
                    call(SYSCALL, SYS_SETRESGID, 0, 0, 0, 0, 0), "changing back to root's group");
        }
    }

    /**
     * Starts a program with exactly these descriptors (as 0, 1, 2, …) and this environment; nothing
     * else of the JVM is inherited.
     *
     * @param directory where it starts, or the empty string for our own directory
     * @return its process id; the caller reaps it
     */
    static int spawn(
            List<String> command,
            List<String> environment,
            int[] fds,
            String directory,
            boolean session) {
        List<Integer> parked = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment actions = arena.allocate(OPAQUE, 16);
            MemorySegment attributes = arena.allocate(OPAQUE, 16);
            succeed(call(function("posix_spawn_file_actions_init"), actions.address(), 0, 0));
            succeed(call(function("posix_spawnattr_init"), attributes.address(), 0, 0));
            try {
                for (int i = 0; i < fds.length; i++) {
                    int high =
                            Kernel.must(
                                    call(FCNTL, fds[i], F_DUPFD_CLOEXEC, PARKED),
                                    "duplicating a descriptor");
                    parked.add(high);
                    succeed(
                            call(
                                    function("posix_spawn_file_actions_adddup2"),
                                    actions.address(),
                                    high,
                                    i));
                }
                // Java's own sockets and files are not all close-on-exec: without this they would
                // be open in the box.
                succeed(
                        call(
                                function("posix_spawn_file_actions_addclosefrom_np"),
                                actions.address(),
                                fds.length,
                                0));
                if (!directory.isEmpty()) {
                    succeed(
                            call(
                                    function("posix_spawn_file_actions_addchdir_np"),
                                    actions.address(),
                                    text(arena, directory).address(),
                                    0));
                }
                if (session) {
                    succeed(
                            call(
                                    function("posix_spawnattr_setflags"),
                                    attributes.address(),
                                    POSIX_SPAWN_SETSID,
                                    0));
                }
                MemorySegment pid = arena.allocate(ValueLayout.JAVA_INT);
                long error =
                        call(
                                function("posix_spawn"),
                                pid.address(),
                                text(arena, command.getFirst()).address(),
                                actions.address(),
                                attributes.address(),
                                words(arena, command).address(),
                                words(arena, environment).address());
                if (error != 0) {
                    throw new KernelException(
                            (int) Math.abs(error), "starting " + command.getFirst());
                }
                return pid.get(ValueLayout.JAVA_INT, 0);
            } finally {
                call(function("posix_spawn_file_actions_destroy"), actions.address(), 0, 0);
                call(function("posix_spawnattr_destroy"), attributes.address(), 0, 0);
            }
        } finally {
            parked.forEach(Kernel::close);
        }
    }

    private static void succeed(long error) {
        if ((int) error != 0) {
            throw new KernelException((int) Math.abs(error), "preparing a process");
        }
    }

    private static MemorySegment words(Arena arena, List<String> words) {
        MemorySegment array = arena.allocate(ValueLayout.JAVA_LONG, words.size() + 1L);
        for (int i = 0; i < words.size(); i++) {
            array.setAtIndex(ValueLayout.JAVA_LONG, i, text(arena, words.get(i)).address());
        }
        return array;
    }
}
