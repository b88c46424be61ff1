import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * Says what a container engine says, and does nothing: a command that is rehearsed with it loads what it would load
 * with a real one, until it finds no program behind the words.
 */
final class RehearsalEngine {
    private static final String ID = "a".repeat(64);
    private static final String ANSWER =
            """
            {"Id": "%s", "Version": "27.0.0", "ApiVersion": "1.41", "Os": "linux", "OSType": "linux", "Arch": "amd64",
            "ServerVersion": "27.0.0", "CgroupVersion": "2", "Driver": "overlay2", "SecurityOptions": ["name=seccomp"],
            "Runtimes": {"runc": {"path": "runc"}}, "RepoDigests": [], "Warnings": [], "State": {"Running": true}}\
            """
                    .formatted(ID);

    public static void main(String[] args) throws IOException {
        // Whoever started it may be killed before it can end this.
        ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().thenRun(() -> System.exit(0)));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(args[0]));
            while (true) {
                SocketChannel client = server.accept();
                Thread.startVirtualThread(() -> answer(client));
            }
        }
    }

    /** One answer, and the connection ends. The body of what was asked need not be read. */
    private static void answer(SocketChannel client) {
        try (client) {
            BufferedReader in =
                    new BufferedReader(
                            new InputStreamReader(Channels.newInputStream(client), StandardCharsets.ISO_8859_1));
            String asked = in.readLine();
            for (String line = asked; line != null && !line.isEmpty(); line = in.readLine()) {}
            String body = asked != null && asked.contains("/containers/json") ? "[]" : ANSWER;
            String status = asked != null && asked.contains("/create") ? "201 Created" : "200 OK";
            OutputStream out = Channels.newOutputStream(client);
            out.write(
                    ("HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                                    + body.length()
                                    + "\r\n\r\n"
                                    + body)
                            .getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            // Whoever asked has gone away.
        }
    }
}
