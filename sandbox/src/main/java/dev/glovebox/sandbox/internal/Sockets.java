package dev.glovebox.sandbox.internal;

import static dev.glovebox.sandbox.internal.Libc.call;
import static dev.glovebox.sandbox.internal.Libc.function;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * TCP sockets in the network namespaces of others. A socket stays in the namespace it was made in,
 * whoever has it.
 */
final class Sockets {

    static final int SHUT_WRITING = 1;
    static final int SHUT_ALL = 2;

    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_NONBLOCK = 0x800;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_NETNS_COOKIE = 71;
    private static final int SCM_RIGHTS = 1;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x4000_0000;
    private static final int CLONE_NEWUSER = 0x1000_0000;
    private static final int CLONE_NEWNET = 0x4000_0000;
    private static final int NS_GET_USERNS = 0xb701;
    private static final int LOOPBACK = 0x7f00_0001;

    private static final MemorySegment SEND = function("send");
    private static final ValueLayout.OfShort PORT =
            ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt ADDRESS =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

    private Sockets() {}

    /**
     * A TCP socket in the network namespace of a process.
     *
     * <p>Who made a user namespace may enter it, and there has every right over the networks that
     * belong to it: so this works for root and for an ordinary user alike.
     *
     * @param owner the user who made the namespace, where that is not our own
     * @throws KernelException if the kernel does not let us in; then no socket is left
     */
    static int inNetworkOf(int pid, int owner) {
        int network =
                Kernel.must(
                        Kernel.open("/proc/" + pid + "/ns/net", Kernel.O_RDONLY),
                        "opening the box's network");
        int user = -1;
        try {
            user =
                    Kernel.must(
                            call(function("ioctl"), network, NS_GET_USERNS, 0),
                            "finding who owns the box's network");
            int from = user;
            int socket = Spawner.call(() -> Birth.as(owner, () -> fetch(from, network)));
            if (cookie(socket) == ourCookie()) {
                // What was to enter the namespace failed, and nobody heard why.
                Kernel.close(socket);
                throw new KernelException(Kernel.EPERM, "entering the box's network");
            }
            return socket;
        } finally {
            Kernel.close(network);
            Kernel.close(user);
        }
    }

    private static int fetch(int userNamespace, int networkNamespace) {
        int[] pair = pair();
        try (Arena arena = Arena.ofConfined()) {
            Message message = new Message(arena);
            new Errand()
                    .then("setns", userNamespace, CLONE_NEWUSER)
                    .then("setns", networkNamespace, CLONE_NEWNET)
                    // The child's table of descriptors is its own: what is made next is number 0.
                    .then("close", 0)
                    .then("socket", AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)
                    .then("sendmsg", pair[1], message.carrying(0), 0)
                    .run();
            return message.receive(pair[0]);
        } finally {
            Kernel.close(pair[0]);
            Kernel.close(pair[1]);
        }
    }

    private static int[] pair() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment fds = arena.allocate(ValueLayout.JAVA_INT, 2);
            Kernel.must(
                    call(
                            function("socketpair"),
                            AF_UNIX,
                            SOCK_STREAM | SOCK_CLOEXEC,
                            0,
                            fds.address(),
                            0,
                            0),
                    "making a pair of sockets");
            return fds.toArray(ValueLayout.JAVA_INT);
        }
    }

    /** A {@code struct msghdr} with one byte and one descriptor. */
    private static final class Message {

        private static final int CONTROL = 24;
        private static final int CONTROL_USED = 20;
        private static final int DESCRIPTOR = 16;

        private final MemorySegment header;
        private final MemorySegment control;

        Message(Arena arena) {
            MemorySegment vector = arena.allocate(16, 8);
            vector.set(ValueLayout.JAVA_LONG, 0, arena.allocate(1).address());
            vector.set(ValueLayout.JAVA_LONG, 8, 1);
            control = arena.allocate(CONTROL, 8);
            header = arena.allocate(56, 8);
            header.set(ValueLayout.JAVA_LONG, 16, vector.address());
            header.set(ValueLayout.JAVA_LONG, 24, 1);
            header.set(ValueLayout.JAVA_LONG, 32, control.address());
            header.set(ValueLayout.JAVA_LONG, 40, CONTROL);
        }

        long carrying(int fd) {
            control.set(ValueLayout.JAVA_LONG, 0, CONTROL_USED);
            control.set(ValueLayout.JAVA_INT, 8, SOL_SOCKET);
            control.set(ValueLayout.JAVA_INT, 12, SCM_RIGHTS);
            control.set(ValueLayout.JAVA_INT, DESCRIPTOR, fd);
            return header.address();
        }

        int receive(int from) {
            control.fill((byte) 0);
            Kernel.must(
                    call(
                            function("recvmsg"),
                            from,
                            header.address(),
                            MSG_DONTWAIT | MSG_CMSG_CLOEXEC),
                    "fetching a socket from the box's network");
            if (control.get(ValueLayout.JAVA_LONG, 0) != CONTROL_USED) {
                throw new KernelException(Kernel.ENOENT, "making a socket in the box's network");
            }
            return control.get(ValueLayout.JAVA_INT, DESCRIPTOR);
        }
    }

    private static long ourCookie() {
        int socket = Kernel.must(call(function("socket"), AF_INET, SOCK_STREAM, 0), "a socket");
        try {
            return cookie(socket);
        } finally {
            Kernel.close(socket);
        }
    }

    /** The number that the kernel gave the network namespace of a socket; never used again. */
    private static long cookie(int socket) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment size = arena.allocate(ValueLayout.JAVA_INT);
            size.set(ValueLayout.JAVA_INT, 0, Long.BYTES);
            Kernel.must(
                    call(
                            function("getsockopt"),
                            socket,
                            SOL_SOCKET,
                            SO_NETNS_COOKIE,
                            value.address(),
                            size.address(),
                            0),
                    "asking for the network of a socket");
            return value.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** Listens on a port of 127.0.0.1, as it is in the socket's own network. */
    static void listen(int socket, int port, int backlog) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(16, 4);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_INET);
            address.set(PORT, 2, (short) port);
            address.set(ADDRESS, 4, LOOPBACK);
            Kernel.must(call(function("bind"), socket, address.address(), 16), "taking a port");
        }
        Kernel.must(call(function("listen"), socket, backlog, 0), "listening");
    }

    /** The number of the socket that the kernel shows in {@code /proc/net/tcp}. */
    static String inode(int socket) {
        try {
            String link =
                    Files.readSymbolicLink(Path.of("/proc/self/fd", Integer.toString(socket)))
                            .toString();
            return link.replaceAll("\\D", "");
        } catch (IOException e) {
            return "?";
        }
    }

    /** The next connection, not blocking; -EAGAIN if there is none. */
    static int accept(int socket) {
        return (int) call(function("accept4"), socket, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC, 0, 0);
    }

    static int send(int socket, MemorySegment bytes) {
        return (int) call(SEND, socket, bytes.address(), bytes.byteSize(), MSG_NOSIGNAL, 0, 0);
    }

    static void shutdown(int socket, int how) {
        call(function("shutdown"), socket, how, 0);
    }
}
