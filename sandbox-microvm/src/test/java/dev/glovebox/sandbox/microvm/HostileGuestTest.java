package dev.glovebox.sandbox.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.FileRefused;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A guest that was taken over says what it likes: it is ended for it, and nobody hangs. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostileGuestTest {

    private static final long ROOM = 1 << 20;
    private static final long INODES = 100;

    private @TempDir Path folder;
    private FakeGuest guest;
    private Link link;
    private Heard heard;
    private int program;

    /** A program that keeps nothing but what became of it. */
    private static final class Heard implements Link.Listener {
        private final CompletableFuture<String> lost = new CompletableFuture<>();
        private final CompletableFuture<JsonNode> exited = new CompletableFuture<>();
        private long bytes;

        @Override
        public synchronized boolean output(boolean stderr, byte[] more) {
            bytes += more.length;
            return bytes < 1000;
        }

        @Override
        public boolean taken(int count) {
            return false;
        }

        @Override
        public void exited(JsonNode how) {
            exited.complete(how);
        }

        @Override
        public void lost(String why) {
            lost.complete(why);
        }
    }

    @BeforeEach
    void connect() throws IOException {
        guest = new FakeGuest(folder);
        link = new Link(guest);
        heard = new Heard();
        program = link.register(heard);
    }

    @AfterEach
    void disconnect() {
        link.close();
    }

    private void endedFor(String why) throws Exception {
        assertThat(heard.lost.get(20, TimeUnit.SECONDS)).contains(why);
        assertThat(guest.wasKilled()).isTrue();
        assertThatThrownBy(() -> link.ask("kill", Map.of()))
                .isInstanceOf(BoxGone.class)
                .hasMessageContaining(why);
    }

    @Test
    void aFrameThatIsTooLongIsNotWaitedFor() throws Exception {
        guest.say(new byte[] {'o', 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff});
        endedFor("a frame of 2147483647 bytes");
    }

    @Test
    void aNegativeLengthIsNoLength() throws Exception {
        guest.say(new byte[] {'o', (byte) 0xff, 0, 0, 0});
        endedFor("a frame of -16777216 bytes");
    }

    @Test
    void aFrameThatIsCutOffIsTheEnd() throws Exception {
        guest.say(new byte[] {'o', 0, 0, 0, 10, 1, 2});
        guest.kill();
        endedFor("the virtual machine ended");
    }

    @ParameterizedTest
    @ValueSource(chars = {'z', 'h', 'c', 'a', 0, 255})
    void aFrameOfAnUnknownKindIsTheEnd(char kind) throws Exception {
        guest.frame(kind, new byte[8]);
        endedFor("unknown kind");
    }

    @ParameterizedTest
    @ValueSource(chars = {'o', 'e', 'd', 's'})
    void aFrameWithoutItsNumberIsTheEnd(char kind) throws Exception {
        guest.frame(kind, new byte[] {1, 2, 3});
        endedFor("half a frame");
    }

    @Test
    void anAnswerThatNobodyAskedForIsTheEnd() throws Exception {
        guest.frame('r', "{\"id\":77}");
        endedFor("not asked");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "{", "\"x\"", "{\"id\":{}}", "\u0000"})
    void anAnswerThatIsNoneIsTheEnd(String text) throws Exception {
        guest.frame('r', text);
        assertThat(heard.lost.get(20, TimeUnit.SECONDS)).isNotBlank();
        assertThat(guest.wasKilled()).isTrue();
    }

    @Test
    void anAnswerThatIsNestedWithoutEndIsTheEnd() throws Exception {
        guest.frame('x', "[".repeat(60_000));
        assertThat(heard.lost.get(20, TimeUnit.SECONDS)).isNotBlank();
        assertThat(guest.wasKilled()).isTrue();
    }

    @Test
    void dataThatNobodyAskedForIsTheEnd() throws Exception {
        guest.frame('d', 77, new byte[1]);
        endedFor("data that was not asked for");
    }

    @Test
    void moreDataThanWasAskedForIsTheEndForWhoeverWaits() {
        guest.answer(number -> {
            for (int i = 0; i < 100; i++) {
                guest.frame('d', number, new byte[30_000]);
            }
        });
        assertThatThrownBy(() -> files().read("file"))
                .isInstanceOf(BoxGone.class)
                .hasMessageContaining("data that was not asked for");
    }

    @Test
    void moreOutputThanMayBeUnderWayIsTheEnd() throws Exception {
        guest.frame('o', program, new byte[2000]);
        endedFor("more output than it may");
    }

    @Test
    void framesOfOutputWithoutOutputAreTheEnd() throws Exception {
        guest.frame('e', program, new byte[0]);
        endedFor("more output than it may");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void inputThatWasNeverWrittenCannotBeRead(int count) throws Exception {
        guest.frame('s', program, ByteBuffer.allocate(4).putInt(count).array());
        endedFor("more input than there was");
    }

    @ParameterizedTest
    @ValueSource(chars = {'o', 'e', 's', 'x'})
    void talkOfProgramsThatAreOverIsBornForAWhileOnly(char kind) throws Exception {
        guest.frame('x', "{\"id\":" + program + "}");
        heard.exited.get(20, TimeUnit.SECONDS);
        Heard next = new Heard();
        link.register(next);
        byte[] body = kind == 'x' ? new byte[] {'{', '}'} : new byte[] {0, 0, 0, 99, 0, 0, 0, 1};
        guest.frame(kind, body);
        assertThat(next.lost).isNotDone();
        for (int i = 0; i < 100_000 && !next.lost.isDone(); i++) {
            guest.frame(kind, body);
        }
        assertThat(next.lost.get(20, TimeUnit.SECONDS)).contains("programs that are over");
    }

    @Test
    void aGuestThatDoesNotAnswerIsEnded() throws Exception {
        guest.listen();
        assertThatThrownBy(() -> link.ask("kill", Map.of(), Duration.ofMillis(200)))
                .isInstanceOf(BoxGone.class)
                .hasMessageContaining("did not answer");
        assertThat(guest.wasKilled()).isTrue();
    }

    @Test
    void aGuestThatDoesNotEvenListenIsEnded() throws Exception {
        byte[] much = new byte[4 << 20];
        assertThatThrownBy(() -> link.ask(99, "write", Map.of(), much, 0, Duration.ofMillis(200)))
                .isInstanceOf(BoxGone.class);
        assertThat(guest.wasKilled()).isTrue();
    }

    @Test
    void noiseIsTheEnd() throws Exception {
        for (int seed = 0; seed < 50; seed++) {
            disconnect();
            Files.deleteIfExists(folder.resolve("agent"));
            connect();
            byte[] noise = new byte[200_000];
            new Random(seed).nextBytes(noise);
            guest.say(noise);
            guest.kill();
            assertThat(heard.lost.get(20, TimeUnit.SECONDS)).isNotBlank();
        }
    }

    // Files

    private BoxFiles files() {
        return new GuestFiles(link, ROOM, INODES);
    }

    private void listing(String lines) {
        guest.answer(number -> {
            guest.frame('d', number, lines.getBytes(StandardCharsets.UTF_8));
            guest.frame('r', "{\"id\":" + number + "}");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "", "../../etc/passwd", "/etc/passwd", "a/b", "a\\u0000b"})
    void aNameThatLeadsElsewhereIsNone(String name) {
        listing("{\"name\":\"" + name + "\",\"kind\":\"FILE\"}");
        assertThatThrownBy(() -> files().list("")).isInstanceOf(FileRefused.class);
    }

    @Test
    void noPathLeadsToANameThatIsNoText() {
        listing("{\"name\":\"a\\ud800b\",\"kind\":\"FILE\"}");
        assertThat(files().list(""))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.kind()).isEqualTo(BoxFiles.Kind.UNNAMED);
                    assertThat(entry.path()).isEqualTo("a\ufffdb");
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "null",
                "3",
                "{\"name\":\"a\",\"kind\":\"SOCKET\"}",
                "{\"kind\":\"FILE\"}"
            })
    void aListThatIsNoneIsRefused(String lines) {
        listing(lines);
        assertThatThrownBy(() -> files().list("")).isInstanceOf(FileRefused.class);
    }

    @Test
    void numbersThatNoFileHasAreHarmless() {
        listing(
                "{\"name\":\"a\",\"kind\":\"FILE\",\"size\":-5,\"mode\":-1,\"modified\":9223372036854775807}"
                        + "{\"name\":\"b\",\"kind\":\"FILE\",\"size\":1e300,\"mode\":\"x\",\"modified\":-9223372036854775808}");
        assertThat(files().list(""))
                .hasSize(2)
                .allSatisfy(entry -> {
                    assertThat(entry.size()).isNotNegative();
                    assertThat(entry.mode()).isBetween(0, 07777);
                });
    }

    @Test
    void moreFilesThanTheBoxMayHaveAreRefused() {
        listing("{\"name\":\"a\",\"kind\":\"FILE\"}\n".repeat(101));
        assertThatThrownBy(() -> files().list(""))
                .isInstanceOf(FileRefused.class)
                .hasMessageContaining("too many files");
    }

    @Test
    void aTreeWithoutEndIsRefused() {
        listing(
                "{\"name\":\"a\",\"kind\":\"DIRECTORY\"}\n{\"name\":\"b\",\"kind\":\"DIRECTORY\"}\n");
        assertThatThrownBy(() -> files().getTree("", new ByteArrayOutputStream()))
                .isInstanceOf(FileRefused.class)
                .hasMessageContaining("does not come to an end");
    }

    @Test
    void anErrorIsNotBelievedToTheLetter() {
        guest.answer(number ->
                guest.frame(
                        'r', "{\"id\":" + number + ",\"error\":\"\\u001b[31mtype: rm -rf /\"}"));
        assertThatThrownBy(() -> files().read("file"))
                .isInstanceOf(FileRefused.class)
                .hasMessage("'file': the guest refused it");
    }
}
