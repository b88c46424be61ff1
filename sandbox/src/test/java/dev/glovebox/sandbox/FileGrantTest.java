package dev.glovebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.FileGrant.Mode;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileGrantTest {

    @TempDir Path temporary;
    private Path data;

    @BeforeEach
    void makeSomethingToGrant() throws IOException {
        temporary = temporary.toRealPath();
        data = Files.createDirectory(temporary.resolve("data"));
    }

    @Test
    void keepsTheRealPath() throws IOException {
        Path link = Files.createSymbolicLink(temporary.resolve("link"), data);

        FileGrant grant = new FileGrant(link, "/data", Mode.READ);

        assertThat(grant.host()).isEqualTo(data);
        assertThat(grant.current()).isEqualTo(data);
        assertThat(new FileGrant(temporary.resolve("data/../data/."), "/data", Mode.READ))
                .isEqualTo(grant);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/home",
                "/root",
                "/etc",
                "/etc/passwd",
                "/var",
                "/proc",
                "/proc/self",
                "/sys",
                "/dev",
                "/dev/null",
                "/usr",
                "/bin",
                "/tmp"
            })
    void refusesWhatNoBoxMaySeeAlsoThroughLinks(String path) throws IOException {
        assertThatThrownBy(() -> new FileGrant(Path.of(path), "/data", Mode.READ))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessageContaining("No box may see the host path '" + path + "'");

        Path link = Files.createSymbolicLink(temporary.resolve("innocent"), Path.of(path));
        assertThatThrownBy(() -> new FileGrant(link, "/data", Mode.WRITE))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessageContaining(
                        "'" + link + "', which leads to '" + Path.of(path).toRealPath() + "': it ");
        Files.delete(link); // or JUnit warns about a link out of its directory
    }

    @Test
    void refusesTheHomeOfWhoRunsIt() {
        Path home = Path.of(System.getProperty("user.home"));
        assertThatThrownBy(() -> new FileGrant(home, "/data", Mode.READ))
                .isInstanceOf(InvalidPolicy.class);
    }

    @Test
    void refusesALinkOnTheWay() throws IOException {
        Path way = Files.createSymbolicLink(temporary.resolve("way"), Path.of("/etc"));

        assertThatThrownBy(() -> new FileGrant(way.resolve("passwd"), "/data", Mode.READ))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessageEndingWith(
                        "which leads to '/etc/passwd': it lies in the system directory /etc");
        Files.delete(way);
    }

    @Test
    void refusesSocketsAndTheirDirectory() throws IOException {
        Path socket = data.resolve("s");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));

            assertThatThrownBy(() -> new FileGrant(socket, "/data", Mode.READ))
                    .isInstanceOf(InvalidPolicy.class)
                    .hasMessageEndingWith("it is a socket, a FIFO or a device");
            assertThatThrownBy(() -> new FileGrant(data, "/data", Mode.READ))
                    .isInstanceOf(InvalidPolicy.class)
                    .hasMessageEndingWith("it contains a socket, a FIFO or a device, 's'");
        }
    }

    @Test
    void refusesFifos() throws IOException, InterruptedException {
        Path fifo = data.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();

        assertThatThrownBy(() -> new FileGrant(fifo, "/data", Mode.READ))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessageEndingWith("it is a socket, a FIFO or a device");
    }

    @Test
    void refusesWhatIsNotThere() throws IOException {
        assertThatThrownBy(() -> new FileGrant(temporary.resolve("none"), "/data", Mode.READ))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessage("The host path '" + temporary + "/none' does not exist");

        Path loop = temporary.resolve("loop");
        Files.createSymbolicLink(loop, loop);
        assertThatThrownBy(() -> new FileGrant(loop, "/data", Mode.READ))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessageContaining("cannot be resolved");
    }

    @Test
    void refusesNamesThatBreakALine() throws IOException {
        Path broken = Files.createDirectory(temporary.resolve("a\nb"));

        assertThatThrownBy(() -> new FileGrant(broken, "/data", Mode.READ))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessageContaining("a\\u000ab");
    }

    @Test
    void noticesALinkThatIsSwappedInLater() throws IOException {
        FileGrant grant = new FileGrant(data, "/data", Mode.READ);

        Path other = Files.createDirectory(temporary.resolve("other"));
        Files.delete(data);
        Files.createSymbolicLink(data, other);
        assertThatThrownBy(grant::current)
                .isInstanceOf(InvalidPolicy.class)
                .hasMessageContaining(
                        "was replaced after the policy was made and leads to '" + other + "'");

        Files.delete(data);
        Files.createSymbolicLink(data, Path.of("/etc"));
        assertThatThrownBy(grant::current)
                .isInstanceOf(InvalidPolicy.class)
                .hasMessageContaining("/etc");

        Files.delete(data);
        assertThatThrownBy(grant::current)
                .isInstanceOf(InvalidPolicy.class)
                .hasMessageContaining("does not exist");
    }

    @Test
    void noticesALinkOnTheWayThatIsSwappedInLater() throws IOException {
        Path inner = Files.createDirectory(data.resolve("inner"));
        FileGrant grant = new FileGrant(inner, "/data", Mode.READ);

        Path other = Files.createDirectories(temporary.resolve("other/inner"));
        Files.delete(inner);
        Files.delete(data);
        Files.createSymbolicLink(data, other.resolve(".."));

        assertThatThrownBy(grant::current)
                .isInstanceOf(InvalidPolicy.class)
                .hasMessageContaining("was replaced");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "data",
                "./data",
                "//data",
                "/data/",
                "/a//b",
                "/a/./b",
                "/a/../b",
                "/..",
                "/a\0b",
                "/a\nb",
                "/usr",
                "/usr/x",
                "/bin",
                "/lib",
                "/lib64/x",
                "/sbin",
                "/etc/x",
                "/proc/1",
                "/dev/shm",
                "/sys",
                "/tmp",
                "/tmp/x",
                "/run/x"
            })
    void refusesPathsInTheBoxThatTheBoxNeedsOrThatAreNotPlain(String box) {
        assertThatThrownBy(() -> new FileGrant(data, box, Mode.READ))
                .isInstanceOf(InvalidPolicy.class)
                .hasMessageContaining("The path in the box")
                .hasMessageNotContaining("\n");
    }

    @Test
    void readsTheFormOfTheCommandLine() throws IOException {
        Files.createDirectory(temporary.resolve("with:colon"));

        assertThat(FileGrant.parse("data:/data", temporary))
                .isEqualTo(new FileGrant(data, "/data", Mode.READ));
        assertThat(FileGrant.parse("./data:/data:ro", temporary).mode()).isEqualTo(Mode.READ);
        assertThat(FileGrant.parse(data + ":/in/here:rw", Path.of("/")))
                .isEqualTo(new FileGrant(data, "/in/here", Mode.WRITE));
        assertThat(FileGrant.parse("with:colon:/data", temporary).host()).hasFileName("with:colon");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "data",
                "data:",
                ":/data",
                "data:ro",
                "data:/data:rx",
                "data:data",
                "data:/data:",
                "\0:/data",
                "~/x:/data",
                "data:/data:RO"
            })
    void refusesOtherFormsOnTheCommandLine(String text) {
        assertThatThrownBy(() -> FileGrant.parse(text, temporary))
                .isInstanceOf(InvalidPolicy.class);
    }

    @Test
    void refusesGrantsThatLieInEachOther() {
        FileGrant outer = new FileGrant(data, "/data", Mode.READ);
        FileGrant inner = new FileGrant(data, "/data/x", Mode.READ);
        FileGrant beside = new FileGrant(data, "/database", Mode.READ);

        FileGrant.checkTogether(List.of(outer, beside));
        assertThatThrownBy(() -> FileGrant.checkTogether(List.of(outer, outer)))
                .hasMessage("Two grants have the same path in the box, '/data'");
        assertThatThrownBy(() -> Policy.denyAll().grant(inner).grant(outer))
                .hasMessage("The paths in the box '/data' and '/data/x' lie in each other");
    }
}
