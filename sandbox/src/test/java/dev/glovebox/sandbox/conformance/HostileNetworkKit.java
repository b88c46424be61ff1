package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.FileGrant;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that want to talk to somebody. */
public abstract class HostileNetworkKit extends HostileKit {

    @Test
    void aServerOnTheHostsLoopbackIsNotReached() throws IOException {
        promised(Promise.NETWORK_CONFINED);
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            int port = server.getLocalPort();
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                assertThat(socket.isConnected()).as("reachable outside").isTrue();
            }
            Attack attack =
                    attack(
                            """
                            import socket
                            for address in '127.0.0.1', '127.0.0.2', '0.0.0.0', '::1', '::ffff:127.0.0.1':
                                family = socket.AF_INET6 if ':' in address else socket.AF_INET
                                peer = socket.socket(family, socket.SOCK_STREAM)
                                peer.settimeout(5)
                                attempt(address, lambda: peer.connect((address, %d)))
                            """
                                    .formatted(port));
            assertThat(attack.told()).hasSize(5);
            assertThat(attack.told().values())
                    .as(attack.toString())
                    .isSubsetOf("ECONNREFUSED", "ENETUNREACH", "EADDRNOTAVAIL", "EAFNOSUPPORT");
        }
    }

    @Test
    void aSocketFileOfTheHostIsNotReached(@TempDir Path folder) throws IOException {
        promised(Promise.NETWORK_CONFINED);
        Path file = folder.resolve("socket");
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(file);
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address);
            try (SocketChannel channel = SocketChannel.open(address)) {
                assertThat(channel.isConnected()).as("reachable outside").isTrue();
            }
            Attack attack =
                    attack(
                            """
                            import socket
                            for path in ('%s', '/proc/1/root%s', '/run/docker.sock', '/var/run/docker.sock',
                                         '/run/dbus/system_bus_socket', '/run/systemd/private', '/dev/log'):
                                attempt(path, lambda: socket.socket(socket.AF_UNIX).connect(path))
                            """
                                    .formatted(file, file));
            assertThat(attack.told()).hasSize(7);
            assertThat(attack.told().values()).as(attack.toString()).isSubsetOf("ENOENT", "EACCES");
        }
    }

    @Test
    void anAbstractSocketOfTheHostIsNotReached() throws Exception {
        promised(Promise.NETWORK_CONFINED);
        String name = "glovebox-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        // Java has no abstract sockets, so a Python of the host listens.
        Process server =
                new ProcessBuilder(
                                "/usr/bin/python3",
                                "-c",
                                "import socket, time; s = socket.socket(socket.AF_UNIX); s.bind('\\0"
                                        + name
                                        + "'); s.listen(); print('up', flush=True); time.sleep(100)")
                        .start();
        try (var up = server.inputReader()) {
            assertThat(up.readLine()).isEqualTo("up");
            Process outside =
                    new ProcessBuilder(
                                    "/usr/bin/python3",
                                    "-c",
                                    "import socket; socket.socket(socket.AF_UNIX).connect('\\0"
                                            + name
                                            + "')")
                            .start();
            assertThat(outside.waitFor()).as("reachable outside").isZero();
            Attack attack =
                    attack(
                            "import socket\nattempt('abstract', lambda: socket.socket(socket.AF_UNIX).connect('\\0%s'))\n"
                                    .formatted(name));
            assertThat(attack.answer("abstract")).isEqualTo("ECONNREFUSED");
        } finally {
            server.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void nothingOutsideHasARoute() {
        promised(Promise.NETWORK_CONFINED);
        Attack attack =
                attack(
                        """
                        import socket
                        def connect(address, port, kind=socket.SOCK_STREAM):
                            peer = socket.socket(socket.AF_INET6 if ':' in address else socket.AF_INET, kind)
                            peer.settimeout(5)
                            peer.connect((address, port))
                            peer.send(b'x')
                        for address in '169.254.169.254', '10.0.0.1', '192.168.0.1', '1.1.1.1', 'fd00:ec2::254', '2606:4700::1111':
                            attempt(address, lambda: connect(address, 80))
                            attempt('udp ' + address, lambda: connect(address, 53, socket.SOCK_DGRAM))
                        def lookup():
                            try:
                                socket.getaddrinfo('example.com', 80)
                            except socket.gaierror as e:
                                raise OSError(101, str(e))
                        attempt('name', lookup)
                        tell('routes', open('/proc/net/route').read().count('\\n') - 1)
                        tell('interfaces', [name for _, name in socket.if_nameindex()])
                        """);
        assertThat(attack.answer("routes")).isEqualTo("0");
        assertThat(attack.answer("interfaces")).isEqualTo("['lo']");
        assertThat(attack.told()).hasSize(15);
        attack.told()
                .forEach((name, answer) -> {
                    if (!name.equals("routes") && !name.equals("interfaces")) {
                        assertThat(answer)
                                .as(name)
                                .isIn(
                                        "ENETUNREACH",
                                        "EADDRNOTAVAIL",
                                        "EAFNOSUPPORT",
                                        "EHOSTUNREACH");
                    }
                });
    }

    @Test
    void unusualSocketsAreRefused() {
        promised(Promise.SYSCALLS_FILTERED);
        Attack attack =
                attack(
                        """
                        import socket
                        def make(*words):
                            syscall(41, 198, *words)
                        attempt('raw', lambda: make(2, 3, 1))
                        attempt('raw6', lambda: make(10, 3, 58))
                        attempt('packet', lambda: make(17, 3, 0x300))
                        attempt('inet packet', lambda: make(2, 10, 0x300))
                        attempt('vsock', lambda: make(40, 1, 0))
                        attempt('alg', lambda: make(38, 5, 0))
                        attempt('netfilter', lambda: make(16, 3, 12))
                        attempt('audit', lambda: make(16, 3, 9))
                        attempt('uevent', lambda: make(16, 2, 15))
                        attempt('bluetooth', lambda: make(31, 3, 1))
                        attempt('can', lambda: make(29, 3, 1))
                        attempt('xdp', lambda: make(44, 3, 0))
                        attempt('sctp', lambda: make(2, 1, 132))
                        attempt('tipc', lambda: make(30, 1, 0))
                        """);
        assertThat(attack.told()).hasSize(14);
        assertThat(attack.told().values())
                .as(attack.toString())
                .isSubsetOf("EPERM", "EAFNOSUPPORT", "EPROTONOSUPPORT");
    }

    @Test
    void noRouteOrInterfaceCanBeMade() {
        promised(Promise.NETWORK_CONFINED);
        Attack attack =
                attack(
                        """
                        import fcntl, socket, struct
                        def netlink(kind, body):
                            link = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
                            link.send(struct.pack('=LHHLL', 16 + len(body), kind, 0x605, 1, 0) + body)
                            answer = link.recv(4096)
                            code = struct.unpack_from('=i', answer, 16)[0]
                            if code:
                                raise OSError(-code, 'refused')
                        attempt('route', lambda: netlink(24, struct.pack('=BBBBBBBBL', 2, 0, 0, 0, 254, 4, 253, 1, 0)))
                        attempt('interface', lambda: netlink(16, struct.pack('=BBHiII', 0, 0, 0, 0, 1, 1)))
                        attempt('address', lambda: netlink(20, struct.pack('=BBBBI', 2, 24, 0, 0, 1)
                            + struct.pack('=HH4B', 8, 2, 10, 0, 0, 1)))
                        one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                        attempt('down', lambda: fcntl.ioctl(one, 0x8914, struct.pack('16sH22x', b'lo', 0)))
                        attempt('forward', lambda: open('/proc/sys/net/ipv4/ip_forward', 'w').write('1'))
                        attempt('device', lambda: fcntl.ioctl(
                            os.open('/dev/net/tun', os.O_RDWR), 0x400454ca, struct.pack('16sH22x', b'tun0', 1)))
                        """);
        for (String name : "route interface address down".split(" ")) {
            assertThat(attack.answer(name))
                    .as(name)
                    .isIn("EPERM", "EACCES", "EOPNOTSUPP", "ENOTTY");
        }
        assertThat(attack.answer("forward")).isIn("EACCES", "EROFS");
        assertThat(attack.answer("device")).isIn("ENOENT", "EPERM");
    }

    @Test
    void aSharedFolderIsNoWayToASocketInIt(@TempDir Path folder) throws IOException {
        promised(Promise.FILES_GRANTED);
        promised(Promise.NETWORK_CONFINED);
        promised(Promise.FILES_CONFINED);
        Path deep = Files.createDirectories(folder.resolve("a/b"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(deep.resolve("s"));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address);
            Files.setPosixFilePermissions(
                    address.getPath(), PosixFilePermissions.fromString("rwxrwxrwx"));
            Attack attack =
                    attack(
                            policy().grant(new FileGrant(folder, "/shared", FileGrant.Mode.READ)),
                            """
                            import socket, struct
                            tell('seen', os.path.exists('/shared/a/b'))
                            attempt('stream', lambda: socket.socket(socket.AF_UNIX).connect('/shared/a/b/s'))
                            attempt('datagram', lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).connect('/shared/a/b/s'))
                            attempt('pair', lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
                            half = socket.socketpair()[0]
                            attempt('half', lambda: half.connect('/shared/a/b/s'))
                            """);
            assertThat(attack.answer("seen")).isEqualTo("True");
            assertThat(attack.answer("stream")).isIn("EACCES", "EPERM");
            assertThat(attack.answer("datagram")).isIn("EACCES", "EPERM");
            if (!notPromised().containsKey(Promise.SYSCALLS_FILTERED)) {
                assertThat(attack.answer("pair")).isEqualTo("EACCES");
            }
            assertThat(attack.answer("half")).isIn("EISCONN", "EINVAL", "EPERM", "EACCES");
        }
    }
}
