package dev.glovebox.sandbox.internal;

import static dev.glovebox.sandbox.internal.Libc.call;
import static dev.glovebox.sandbox.internal.Libc.function;
import static dev.glovebox.sandbox.internal.Libc.raw;
import static dev.glovebox.sandbox.internal.Libc.text;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;

/** The few system calls that the JDK does not offer; a negative result is a negated errno. */
final class Kernel {

    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int E2BIG = 7;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EEXIST = 17;
    static final int EXDEV = 18;
    static final int ENOTDIR = 20;
    static final int EISDIR = 21;
    static final int ENOSPC = 28;
    static final int ENOTEMPTY = 39;
    static final int ELOOP = 40;

    static final int O_RDONLY = 0;
    static final int O_WRONLY = 1;
    static final int O_RDWR = 2;
    static final int O_CREAT = 0x40;
    static final int O_TRUNC = 0x200;
    static final int O_NONBLOCK = 0x800;
    static final int O_CLOEXEC = 0x80000;
    static final int O_PATH = 0x200000;
    // The one open flag we use whose value depends on the architecture.
    static final int O_DIRECTORY = isArm() ? 0x4000 : 0x10000;

    static final int AT_FDCWD = -100;
    static final int AT_REMOVEDIR = 0x200;

    static final short POLLIN = 1;
    static final short POLLOUT = 4;
    static final short POLLERR = 8;
    static final short POLLHUP = 16;

    static final int SIGKILL = 9;

    private static final int SYS_PIDFD_SEND_SIGNAL = 424;
    private static final int SYS_PIDFD_OPEN = 434;
    private static final int SYS_OPENAT2 = 437;
    private static final int SYS_GETDENTS64 = isArm() ? 61 : 217;

    private static final int RESOLVE_NO_XDEV = 1;
    private static final int RESOLVE_NO_MAGICLINKS = 2;
    private static final int RESOLVE_NO_SYMLINKS = 4;
    private static final int RESOLVE_BENEATH = 8;

    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_BASIC = 0x7ff;
    private static final int F_SETFL = 4;
    private static final int F_GETPIPE_SZ = 1032;
    private static final int MFD_CLOEXEC = 1;
    private static final int PROCESSOR_MASK = 1024;

    private static final MemorySegment SYSCALL = function("syscall");
    private static final MemorySegment READ = function("read");
    private static final MemorySegment WRITE = function("write");
    private static final MemorySegment CLOSE = function("close");
    private static final MemorySegment POLL = function("poll");
    private static final MemorySegment PIPE2 = function("pipe2");
    private static final MemorySegment OPEN = function("open");
    private static final MemorySegment WAIT4 = function("wait4");
    private static final MemorySegment FCNTL = function("fcntl");
    private static final MemorySegment SETFSUID = function("setfsuid");
    private static final MemorySegment SETFSGID = function("setfsgid");

    private Kernel() {}

    /** A descriptor's file, as {@code statx} tells it. */
    record Stat(int mode, long size, long modifiedSeconds, long links, int uid) {

        private static final int TYPE = 0xf000;

        boolean regular() {
            return (mode & TYPE) == 0x8000;
        }

        boolean directory() {
            return (mode & TYPE) == 0x4000;
        }

        boolean link() {
            return (mode & TYPE) == 0xa000;
        }
    }

    /** How full a file system is. */
    record Space(long type, long blockSize, long blocks, long free, long inodes, long freeInodes) {

        long usedBytes() {
            return (blocks - free) * blockSize;
        }
    }

    /** A name in a directory. */
    record Name(String text, byte[] raw) {}

    static boolean isArm() {
        return "aarch64".equals(System.getProperty("os.arch"));
    }

    /** Gives the result, or throws with what was being done. */
    static int must(long result, String doing) {
        if (result < 0) {
            throw new KernelException((int) -result, doing);
        }
        return (int) result;
    }

    static int getuid() {
        return (int) call(function("getuid"), 0, 0, 0);
    }

    static void close(int fd) {
        if (fd >= 0) {
            call(CLOSE, fd, 0, 0);
        }
    }

    /** Reads into the buffer; 0 is end of file. */
    static int read(int fd, MemorySegment buffer) {
        long result;
        do {
            result = call(READ, fd, buffer.address(), buffer.byteSize());
        } while (result == -EINTR);
        return (int) result;
    }

    static int write(int fd, byte[] bytes, int offset, int length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(Math.max(1, length));
            MemorySegment.copy(bytes, offset, buffer, ValueLayout.JAVA_BYTE, 0, length);
            long result;
            do {
                result = call(WRITE, fd, buffer.address(), length);
            } while (result == -EINTR);
            return (int) result;
        }
    }

    /** Both ends of a pipe, reading end first; neither is inherited by children. */
    static int[] pipe() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment fds = arena.allocate(ValueLayout.JAVA_INT, 2);
            must(call(PIPE2, fds.address(), O_CLOEXEC, 0), "making a pipe");
            return fds.toArray(ValueLayout.JAVA_INT);
        }
    }

    /** Makes reads and writes of a descriptor return at once instead of waiting. */
    static void noWaiting(int fd) {
        must(call(FCNTL, fd, F_SETFL, O_NONBLOCK), "changing a descriptor");
    }

    /** How many bytes a pipe can hold. */
    static int pipeSize(int fd) {
        return must(call(FCNTL, fd, F_GETPIPE_SZ, 0), "measuring a pipe");
    }

    /** An anonymous file with this content, at its beginning. */
    static int memfd(byte[] content) {
        try (Arena arena = Arena.ofConfined()) {
            int fd =
                    must(
                            call(
                                    function("memfd_create"),
                                    text(arena, "glovebox").address(),
                                    MFD_CLOEXEC,
                                    0),
                            "making an anonymous file");
            for (int done = 0; done < content.length; ) {
                done +=
                        must(
                                write(fd, content, done, content.length - done),
                                "filling an anonymous file");
            }
            must(call(function("lseek"), fd, 0, 0), "rewinding an anonymous file");
            return fd;
        }
    }

    /**
     * Waits until a descriptor is ready; returns what is ready, per descriptor (-1 entries are left
     * out).
     */
    static short[] poll(int[] fds, short[] events, int millis) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(8L * fds.length, 4);
            for (int i = 0; i < fds.length; i++) {
                set.set(ValueLayout.JAVA_INT, 8L * i, fds[i]);
                set.set(ValueLayout.JAVA_SHORT, 8L * i + 4, events[i]);
            }
            long result = call(POLL, set.address(), fds.length, millis);
            short[] ready = new short[fds.length];
            if (result > 0) {
                for (int i = 0; i < fds.length; i++) {
                    ready[i] = set.get(ValueLayout.JAVA_SHORT, 8L * i + 6);
                }
            }
            return ready;
        }
    }

    /** Whether the descriptor becomes ready within the time. */
    static boolean ready(int fd, short events, int millis) {
        return poll(new int[] {fd}, new short[] {events}, millis)[0] != 0;
    }

    static int open(String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) call(OPEN, text(arena, path).address(), flags | O_CLOEXEC, 0);
        }
    }

    /**
     * Opens a path strictly below a directory: no link is followed anywhere, no mount is crossed,
     * nothing leads out, whatever another process does to the tree meanwhile.
     */
    static int openBeneath(int directory, String path, int flags, int mode) {
        return openBeneath(directory, path.getBytes(StandardCharsets.UTF_8), flags, mode);
    }

    static int openBeneath(int directory, byte[] path, int flags, int mode) {
        return openResolved(
                directory,
                path,
                flags,
                mode,
                RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV);
    }

    /** Takes hold of what an absolute path names, if there is no link on the whole way to it. */
    static int holdWithoutLinks(String path) {
        return openResolved(
                AT_FDCWD,
                path.getBytes(StandardCharsets.UTF_8),
                O_PATH,
                0,
                RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
    }

    private static int openResolved(
            int directory, byte[] path, int flags, int mode, long resolution) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment how = arena.allocate(24, 8);
            how.set(ValueLayout.JAVA_LONG, 0, flags | O_CLOEXEC);
            how.set(ValueLayout.JAVA_LONG, 8, mode);
            how.set(ValueLayout.JAVA_LONG, 16, resolution);
            long result;
            do {
                // EAGAIN: a rename raced with the walk and the kernel could not prove containment.
                result =
                        call(
                                SYSCALL,
                                SYS_OPENAT2,
                                directory,
                                raw(arena, path).address(),
                                how.address(),
                                24,
                                0);
            } while (result == -EAGAIN || result == -EINTR);
            return (int) result;
        }
    }

    static long makeFifo(int directory, String name) {
        try (Arena arena = Arena.ofConfined()) {
            return call(function("mkfifoat"), directory, text(arena, name).address(), 0600);
        }
    }

    static long makeDirectory(int directory, String name) {
        try (Arena arena = Arena.ofConfined()) {
            return call(function("mkdirat"), directory, text(arena, name).address(), 0755);
        }
    }

    static long unlink(int directory, byte[] name, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return call(function("unlinkat"), directory, raw(arena, name).address(), flags);
        }
    }

    static long rename(int from, String name, int to, String newName) {
        try (Arena arena = Arena.ofConfined()) {
            return call(
                    function("renameat"),
                    from,
                    text(arena, name).address(),
                    to,
                    text(arena, newName).address(),
                    0,
                    0);
        }
    }

    /**
     * Acts on files as another user, where the given one is not negative.
     *
     * <p>A box's tmpfs belongs to its user namespace, in which our root does not exist: the kernel
     * refuses to make files as it. Only the calling thread changes, and only for file access; the
     * task must not block, so that a virtual thread does not leave its carrier meanwhile.
     */
    static <T> T asUser(int uid, Supplier<T> task) {
        if (uid < 0) {
            return task.get();
        }
        call(SETFSGID, uid, 0, 0);
        call(SETFSUID, uid, 0, 0);
        try {
            return task.get();
        } finally {
            call(SETFSUID, 0, 0, 0);
            call(SETFSGID, 0, 0, 0);
        }
    }

    static long chmod(int fd, int mode) {
        return call(function("fchmod"), fd, mode, 0);
    }

    /** Empties an open file. */
    static int truncate(int fd) {
        return (int) call(function("ftruncate"), fd, 0, 0);
    }

    /**
     * Describes an open descriptor (empty name) or an entry of a directory, never following a link.
     */
    static Stat stat(int directory, byte[] name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(256, 8);
            must(
                    call(
                            function("statx"),
                            directory,
                            raw(arena, name).address(),
                            AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH,
                            STATX_BASIC,
                            out.address(),
                            0),
                    "describing a file");
            return new Stat(
                    out.get(ValueLayout.JAVA_SHORT, 28) & 0xffff,
                    out.get(ValueLayout.JAVA_LONG, 40),
                    out.get(ValueLayout.JAVA_LONG, 112),
                    Integer.toUnsignedLong(out.get(ValueLayout.JAVA_INT, 16)),
                    out.get(ValueLayout.JAVA_INT, 20));
        }
    }

    static Space space(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(128, 8);
            must(call(function("fstatfs"), fd, out.address(), 0), "asking how full the scratch is");
            return new Space(
                    out.get(ValueLayout.JAVA_LONG, 0),
                    out.get(ValueLayout.JAVA_LONG, 8),
                    out.get(ValueLayout.JAVA_LONG, 16),
                    out.get(ValueLayout.JAVA_LONG, 24),
                    out.get(ValueLayout.JAVA_LONG, 40),
                    out.get(ValueLayout.JAVA_LONG, 48));
        }
    }

    /** The next names of an open directory, without {@code .} and {@code ..}; empty at the end. */
    static List<Name> names(int directory) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(32 * 1024, 8);
            int size =
                    must(
                            call(
                                    SYSCALL,
                                    SYS_GETDENTS64,
                                    directory,
                                    buffer.address(),
                                    buffer.byteSize(),
                                    0,
                                    0),
                            "listing a directory");
            List<Name> names = new ArrayList<>();
            for (int at = 0; at < size; ) {
                int length = buffer.get(ValueLayout.JAVA_SHORT_UNALIGNED, at + 16) & 0xffff;
                int end = at + 19;
                while (buffer.get(ValueLayout.JAVA_BYTE, end) != 0) {
                    end++;
                }
                byte[] raw =
                        buffer.asSlice(at + 19L, end - at - 19L).toArray(ValueLayout.JAVA_BYTE);
                String text = new String(raw, StandardCharsets.UTF_8);
                if (!text.equals(".") && !text.equals("..")) {
                    names.add(new Name(text, raw));
                }
                at += length;
            }
            return names;
        }
    }

    /**
     * Keeps a process and its future children on some of our own processors.
     *
     * @param count how many; as many as we have, if those are fewer
     */
    static void keepOnProcessors(int pid, int count) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ours = arena.allocate(PROCESSOR_MASK, 8);
            must(
                    call(function("sched_getaffinity"), 0, PROCESSOR_MASK, ours.address()),
                    "asking for processors");
            BitSet mine = BitSet.valueOf(ours.toArray(ValueLayout.JAVA_BYTE));
            BitSet chosen = new BitSet();
            // Boxes begin at different places, or all of them would crowd on the first processors.
            int next = mine.nextSetBit(Math.floorMod(pid, Math.max(1, mine.length())));
            for (int left = Math.min(count, mine.cardinality()); left > 0; left--) {
                next = next < 0 ? mine.nextSetBit(0) : next;
                chosen.set(next);
                next = mine.nextSetBit(next + 1);
            }
            MemorySegment theirs = arena.allocate(PROCESSOR_MASK, 8);
            byte[] bits = chosen.toByteArray();
            MemorySegment.copy(bits, 0, theirs, ValueLayout.JAVA_BYTE, 0, bits.length);
            must(
                    call(function("sched_setaffinity"), pid, PROCESSOR_MASK, theirs.address()),
                    "choosing processors");
        }
    }

    /** A handle on a process that cannot come to mean another one. */
    static int pidfd(long pid) {
        return (int) call(SYSCALL, SYS_PIDFD_OPEN, pid, 0, 0, 0, 0);
    }

    static long signal(int pidfd, int signal) {
        return call(SYSCALL, SYS_PIDFD_SEND_SIGNAL, pidfd, signal, 0, 0, 0);
    }

    /**
     * How a child of ours ended, with what it and the children it waited for used.
     *
     * @param status in the form of {@code wait(2)}
     */
    record Ended(int status, long cpuNanos, long peakMemory) {}

    /** Waits for a child of ours to end and forgets it. */
    static Ended reap(int pid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment usage = arena.allocate(ValueLayout.JAVA_LONG, 18);
            long result;
            do {
                result = call(WAIT4, pid, status.address(), 0, usage.address(), 0, 0);
            } while (result == -EINTR);
            must(result, "waiting for a child process");
            long seconds =
                    usage.getAtIndex(ValueLayout.JAVA_LONG, 0)
                            + usage.getAtIndex(ValueLayout.JAVA_LONG, 2);
            long micros =
                    usage.getAtIndex(ValueLayout.JAVA_LONG, 1)
                            + usage.getAtIndex(ValueLayout.JAVA_LONG, 3);
            return new Ended(
                    status.get(ValueLayout.JAVA_INT, 0),
                    seconds * 1_000_000_000L + micros * 1000,
                    usage.getAtIndex(ValueLayout.JAVA_LONG, 4) * 1024);
        }
    }
}
