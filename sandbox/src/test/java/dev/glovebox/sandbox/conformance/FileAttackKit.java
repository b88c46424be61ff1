package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxFiles.Kind;
import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The file API cannot be tricked out of the box, however the program in it prepares the scratch.
 *
 * <p>This is asked of every tier, also of one that lets its programs see the host: it is this JVM,
 * which may have more rights than the program, that reads and writes here.
 */
public abstract class FileAttackKit extends ConformanceKit {

    private static final int ROUNDS = 2_000;

    @TempDir Path host = Path.of("");
    private final String secret = "secret " + UUID.randomUUID();

    @BeforeEach
    void putASecretOnTheHost() throws IOException {
        Files.createDirectories(host.resolve("safe"));
        Files.writeString(host.resolve("safe/file"), secret);
    }

    @AfterEach
    void theHostIsUntouched() throws IOException {
        assertThat(Files.readString(host.resolve("safe/file"))).isEqualTo(secret);
        try (Stream<Path> all = Files.list(host.resolve("safe"))) {
            assertThat(all).containsExactly(host.resolve("safe/file"));
        }
        try (Stream<Path> all = Files.list(host)) {
            assertThat(all).containsExactly(host.resolve("safe"));
        }
    }

    // Paths

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..",
                "../x",
                "a/../b",
                "a/..",
                ".",
                "./a",
                "a/.",
                "/",
                "/etc/passwd",
                "//etc",
                "a//b",
                "a/",
                "a\0b",
                "\0",
                "../../../../../../etc/passwd",
                "a\ud800",
                "\udfff/b"
            })
    void aPathThatIsNotPlainAndRelativeIsRefused(String path) {
        try (Sandbox box = open()) {
            BoxFiles files = box.files();
            files.write("a", utf8("x"));
            assertNothingGoesThrough(files, path);
            assertRefused(() -> files.list(path));
            assertRefused(() -> files.move("a", path));
            assertThat(files.list("")).extracting(BoxFiles.Entry::path).containsExactly("a");
        }
    }

    @Test
    void theEmptyPathIsOnlyListedAndPacked() {
        try (Sandbox box = open()) {
            BoxFiles files = box.files();
            files.write("a", utf8("x"));
            assertNothingGoesThrough(files, "");
            assertThat(files.list("")).hasSize(1);
            files.getTree("", new ByteArrayOutputStream());
        }
    }

    private void assertNothingGoesThrough(BoxFiles files, String path) {
        assertRefused(() -> files.read(path));
        assertRefused(() -> files.write(path, utf8("x")));
        assertRefused(() -> files.makeDirectory(path));
        assertRefused(() -> files.stat(path));
        assertRefused(() -> files.delete(path));
        assertRefused(() -> files.move(path, "elsewhere"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "../safe", "/etc"})
    void anInputOrOutputFileWithSuchAPathIsRefusedOrAbsent(String path) {
        try (Sandbox box = open(Language.BASH)) {
            assertRefused(() -> box.run(Program.bash("true").input(path + "/x", utf8("x"))));
            assertThat(box.run(Program.bash("true").output(path + "/x")).files()).isEmpty();
        }
    }

    // Links

    @Test
    void aPlantedLinkIsNeverFollowed() {
        try (Sandbox box = open(Language.BASH)) {
            BoxFiles files = box.files();
            plant(
                    box,
                    """
                    ln -s "$SAFE/file" absolute
                    ln -s "../../../../../../../../../..$SAFE/file" relative
                    ln -s "$SAFE" directory
                    ln -s "../../../../../../../../../..$SAFE" relative-directory
                    ln -s absolute chain
                    ln -s loop loop
                    ln -s "$SAFE/new" dangling
                    ln -s . self
                    ln -s / root
                    """);
            for (String link :
                    List.of("absolute", "relative", "chain", "loop", "dangling", "directory")) {
                assertThat(files.stat(link).kind()).isEqualTo(Kind.LINK);
                assertRefused(() -> files.read(link));
                assertRefused(() -> files.write(link, utf8("overwritten")));
                assertRefused(() -> files.list(link));
            }
            for (String below :
                    List.of(
                            "directory/file",
                            "relative-directory/file",
                            "self/absolute",
                            "root" + host.resolve("safe/file"))) {
                assertRefused(() -> files.read(below));
                assertRefused(() -> files.stat(below));
                assertRefused(() -> files.write(below, utf8("overwritten")));
                assertRefused(() -> files.delete(below));
                assertRefused(() -> files.move(below, "stolen"));
                assertRefused(() -> files.makeDirectory(below));
            }
            files.write("mine", utf8("x"));
            assertRefused(() -> files.move("mine", "directory/planted"));
            assertRefused(() -> files.write("directory/planted", utf8("x")));
            assertRefused(() -> files.makeDirectory("directory/planted"));
            assertThat(tree(files, "")).doesNotContain(secret);
            assertRefused(() -> files.getTree("directory", new ByteArrayOutputStream()));
        }
    }

    @Test
    void aLinkThatIsMovedOrDeletedIsJustALink() {
        try (Sandbox box = open(Language.BASH)) {
            BoxFiles files = box.files();
            plant(box, "ln -s \"$SAFE\" d; ln -s \"$SAFE/file\" f; mkdir t; ln -s \"$SAFE\" t/d");
            files.move("d", "moved");
            assertThat(files.stat("moved").kind()).isEqualTo(Kind.LINK);
            files.write("mine", utf8("mine"));
            files.move("mine", "f");
            assertThat(files.read("f")).isEqualTo(utf8("mine"));
            files.delete("moved");
            files.delete("t");
            assertThat(files.list(""))
                    .extracting(BoxFiles.Entry::path)
                    .containsExactly("f", "main.sh");
        }
    }

    @Test
    void aTarIsNotUnpackedThroughAPlantedLink() {
        try (Sandbox box = open(Language.BASH);
                Sandbox maker = open()) {
            maker.files().write("d/file", utf8("overwritten"));
            ByteArrayOutputStream tar = new ByteArrayOutputStream();
            maker.files().getTree("", tar);
            plant(box, "ln -s \"$SAFE\" d; mkdir e; ln -s \"$SAFE\" e/d");
            for (String below : List.of("", "e", "d")) {
                assertRefused(() ->
                        box.files().putTree(below, new ByteArrayInputStream(tar.toByteArray())));
            }
        }
    }

    @Test
    void magicLinksOfProcAreNotFollowed() {
        try (Sandbox box = open(Language.BASH)) {
            BoxFiles files = box.files();
            plant(
                    box,
                    """
                    ln -s /proc/self/root root
                    ln -s /proc/self/cwd cwd
                    ln -s "/proc/self/root$SAFE/file" file
                    ln -s /proc/self/fd/0 fd
                    ln -s /proc/self/environ environ
                    ln -s /proc/1/root/etc/shadow shadow
                    """);
            for (String link : List.of("root", "cwd", "file", "fd", "environ", "shadow")) {
                assertRefused(() -> files.read(link));
                assertRefused(() -> files.list(link));
                assertRefused(() -> files.write(link, utf8("x")));
            }
            assertRefused(() -> files.read("root" + host.resolve("safe/file")));
            assertRefused(() -> files.read("cwd/main.sh"));
        }
    }

    @Test
    void aDirectoryThatBecomesALinkBetweenListAndReadLeadsNowhere() {
        try (Sandbox box = open(Language.BASH)) {
            BoxFiles files = box.files();
            files.write("d/file", utf8("harmless"));
            List<BoxFiles.Entry> seen = files.list("d");
            plant(box, "rm -r d; ln -s \"$SAFE\" d");
            for (BoxFiles.Entry entry : seen) {
                assertRefused(() -> files.read(entry.path()));
                assertRefused(() -> files.write(entry.path(), utf8("overwritten")));
                assertRefused(() -> files.delete(entry.path()));
            }
            files.delete("d");
        }
    }

    @Test
    void aHardLinkToAFileOfTheHostDoesNotLetUsWriteIt() {
        try (Sandbox box = open(Language.BASH)) {
            // Fails where the scratch is a file system of its own; that is one way to stop it.
            Result result =
                    box.run(
                            Program.bash("ln \"$SAFE/file\" hard; echo tried")
                                    .env("SAFE", host.resolve("safe").toString()));
            assertThat(result.stdout().text()).as(told(result)).isEqualTo("tried\n");
            if (box.files().list("").stream().anyMatch(entry -> entry.path().equals("hard"))) {
                assertRefused(() -> box.files().write("hard", utf8("overwritten")));
                box.files().delete("hard");
            }
        }
    }

    @Test
    void aFileWithTwoNamesIsReadUnderBoth() {
        try (Sandbox box = open(Language.BASH)) {
            plant(box, "echo content > one; ln one two");
            assertThat(box.files().read("one")).isEqualTo(utf8("content\n"));
            assertThat(box.files().read("two")).isEqualTo(utf8("content\n"));
        }
    }

    // Races

    /**
     * Makes {@code x} and {@code d} in turn harmless and links to the secret, until it is ended.
     */
    private static final String SWAPPING =
            """
            import os, shutil
            safe = os.environ['SAFE']
            def prepare():
                if not os.path.isdir('d1'):
                    os.mkdir('d1')
                    open('d1/file', 'w').write('harmless')
                if not os.path.lexists('d2'):
                    os.symlink(safe, 'd2')
            def tried(step, *arguments):
                try:
                    step(*arguments)
                except OSError:
                    pass
            # What the other side has made in our way goes.
            def clear():
                if os.path.isdir('d') and not os.path.islink('d'):
                    shutil.rmtree('d', ignore_errors=True)
            prepare()
            open('ready', 'w')
            while True:
                tried(os.symlink, safe + '/file', 'l')
                tried(os.rename, 'l', 'x')
                tried(os.rename, 'd1', 'd')
                tried(os.rename, 'd', 'd1')
                tried(lambda: open('r', 'w').write('harmless'))
                tried(os.rename, 'r', 'x')
                clear()
                tried(os.rename, 'd2', 'd')
                tried(os.rename, 'd', 'd2')
                clear()
                tried(prepare)
            """;

    private interface Step {
        Optional<byte[]> on(BoxFiles files) throws IOException;
    }

    @Test
    void aSwappedFileIsNeverReadAsTheSecret() throws Exception {
        race(files -> Optional.of(files.read("x")));
    }

    @Test
    void aFileInASwappedDirectoryIsNeverReadAsTheSecret() throws Exception {
        race(files -> Optional.of(files.read("d/file")));
    }

    @Test
    void aSwappedFileIsNeverWrittenThrough() throws Exception {
        race(files -> {
            files.write("x", utf8("harmless"));
            return Optional.empty();
        });
    }

    @Test
    void aFileInASwappedDirectoryIsNeverWrittenThrough() throws Exception {
        race(files -> {
            files.write("d/file", utf8("harmless"));
            return Optional.empty();
        });
    }

    @Test
    void aTreeWithSwappedDirectoriesNeverHoldsTheSecret() throws Exception {
        race(files -> Optional.of(utf8(tree(files, "d"))));
    }

    private void race(Step step) throws Exception {
        try (Sandbox box =
                open(
                        policy().wall(Duration.ofMinutes(1)).cpuTime(Duration.ofMinutes(1)),
                        Language.PYTHON)) {
            Execution swapping =
                    box.start(
                            Program.python(SWAPPING).env("SAFE", host.resolve("safe").toString()),
                            chunk -> {});
            while (box.files().list("").stream().noneMatch(one -> one.path().equals("ready"))) {
                Thread.onSpinWait();
            }
            int done = 0;
            int refused = 0;
            // Until both sides of the swap were met, which proves that the race was on.
            for (int i = 0; i < ROUNDS || ((done == 0 || refused == 0) && !swapping.done()); i++) {
                try {
                    Optional<byte[]> read = step.on(box.files());
                    read.ifPresent(bytes ->
                            assertThat(new String(bytes, StandardCharsets.UTF_8))
                                    .doesNotContain(secret));
                    done++;
                } catch (FileRefused e) {
                    refused++;
                }
            }
            assertThat(swapping.done()).as("the attack has ended early").isFalse();
            assertThat(done).isPositive();
            assertThat(refused).isPositive();
        }
    }

    // Things that are no files

    @Test
    void aFifoNeitherHoldsUsUpNorIsRead() {
        try (Sandbox box = open(Language.BASH)) {
            BoxFiles files = box.files();
            plant(box, "mkfifo idle read written");
            Execution partners =
                    box.start(
                            Program.bash(
                                    "cat read & (echo poi''son; sleep 60) > written & cat < written >/dev/null & touch up; wait"),
                            chunk -> {});
            while (files.list("").stream().noneMatch(one -> one.path().equals("up"))) {
                Thread.onSpinWait();
            }
            for (String fifo : List.of("idle", "read", "written")) {
                assertThat(files.stat(fifo).kind()).isEqualTo(Kind.OTHER);
                assertRefused(() -> files.read(fifo));
                assertRefused(() -> files.write(fifo, utf8("x")));
                assertRefused(() -> files.list(fifo));
            }
            assertThat(tree(files, "")).doesNotContain("poison");
            partners.cancel("enough");
        }
    }

    @Test
    void aDeviceIsNotReadOrWritten() {
        try (Sandbox box = open(Language.BASH)) {
            BoxFiles files = box.files();
            Result result = box.run(Program.bash("mknod zero c 1 5; mknod disk b 7 0; echo tried"));
            assertThat(result.stdout().text()).as(told(result)).isEqualTo("tried\n");
            for (String device : List.of("zero", "disk")) {
                // Most walls do not let a program make one at all.
                assertRefused(() -> files.read(device));
                if (files.list("").stream().anyMatch(one -> one.path().equals(device))) {
                    assertThat(files.stat(device).kind()).isEqualTo(Kind.OTHER);
                    assertRefused(() -> files.write(device, utf8("x")));
                }
            }
        }
    }

    @Test
    void aSocketIsNotReadOrWritten() {
        try (Sandbox box = open(Language.PYTHON)) {
            Result result =
                    box.run(
                            Program.python(
                                    "import socket; socket.socket(socket.AF_UNIX).bind('socket')"));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            assertThat(box.files().stat("socket").kind()).isEqualTo(Kind.OTHER);
            assertRefused(() -> box.files().read("socket"));
            assertRefused(() -> box.files().write("socket", utf8("x")));
            box.files().delete("socket");
        }
    }

    // Absurd files

    @Test
    void aNameThatIsNotUtf8IsNeitherHiddenNorInTheWayOfOthers() {
        try (Sandbox box = open(Language.PYTHON)) {
            BoxFiles files = box.files();
            Result result =
                    box.run(
                            Program.python(
                                    """
                                    import os
                                    os.mkdir('d')
                                    for name in b'\\xff\\xfe', b'\\xc3', b'fine':
                                        open(b'd/' + name, 'w').write('x')
                                    """));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            try {
                assertThat(files.list("d")).hasSize(3);
            } catch (FileRefused e) {
                assertThat(e).hasMessageContaining("UTF-8");
            }
            assertThat(files.read("d/fine")).isEqualTo(utf8("x"));
            files.delete("d");
            assertThat(files.list("")).extracting(BoxFiles.Entry::path).containsExactly("main.py");
        }
    }

    @Test
    void veryDeepNestingIsHandledOrRefusedAndTheBoxCloses() {
        try (Sandbox box = open(Language.PYTHON)) {
            BoxFiles files = box.files();
            Result result =
                    box.run(
                            Program.python(
                                    """
                                    import os
                                    for i in range(3000):
                                        os.mkdir('nested')
                                        os.chdir('nested')
                                    open('bottom', 'w').write('x')
                                    """));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            assertThat(files.list("nested/nested")).hasSize(1);
            doneOrRefused(() -> files.getTree("", new ByteArrayOutputStream()));
            doneOrRefused(() -> files.read("nested/".repeat(3000) + "bottom"));
            doneOrRefused(() -> files.makeDirectory("a/".repeat(3000) + "a"));
            doneOrRefused(() -> files.delete("nested"));
            assertThat(box.run(Program.python("print(1)")).stdout().text()).isEqualTo("1\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-1",
                "-99999999999",
                "99999999999",
                "9007199254740991",
                "-9007199254740991"
            })
    void anAbsurdTimeOfAFileIsHarmless(String seconds) {
        try (Sandbox box = open(Language.PYTHON)) {
            BoxFiles files = box.files();
            Result result =
                    box.run(
                            Program.python(
                                            """
                                            import os, sys
                                            os.mkdir('d'); open('d/file', 'w').write('content')
                                            for name in 'd/file', 'd':
                                                try:
                                                    os.utime(name, (int(sys.argv[1]),) * 2)
                                                except (OSError, OverflowError):
                                                    pass
                                            """)
                                    .args(seconds));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            assertThat(files.stat("d/file").kind()).isEqualTo(Kind.FILE);
            assertThat(files.list("")).hasSize(2);
            assertThat(tree(files, "")).contains("content");
        }
    }

    @Test
    void aHugeSparseFileIsRefusedAndNotTakenIntoMemory() {
        Bytes disk = Bytes.mebibytes(8);
        try (Sandbox box = open(policy().disk(disk), Language.BASH)) {
            BoxFiles files = box.files();
            Result result =
                    box.run(
                            Program.bash("truncate -s 1T huge || rm -f huge; echo tried")
                                    .output("huge"));
            assertThat(result.files()).isEmpty();
            // Where a file may not even look that large, there is nothing to refuse.
            if (files.list("").stream().anyMatch(one -> one.path().equals("huge"))) {
                assertRefused(() -> files.read("huge"));
                doneOrRefused(() -> files.getTree("", new ByteArrayOutputStream()));
                files.delete("huge");
            }
            assertThat(box.run(Program.bash("echo fine")).stdout().text()).isEqualTo("fine\n");
        }
    }

    @Test
    void aTreeOfFilesThatTakeNoRoomIsNotLargerThanTheDisk() {
        Bytes disk = Bytes.mebibytes(8);
        try (Sandbox box = open(policy().disk(disk), Language.BASH)) {
            Result result =
                    box.run(
                            Program.bash(
                                    """
                                    for i in $(seq 100); do truncate -s 8M f$i || rm -f f$i; done
                                    """));
            assertTried(result);
            Counted packed = new Counted();
            doneOrRefused(() -> box.files().getTree("", packed));
            assertThat(packed.bytes).isLessThan(4 * disk.count());
        }
    }

    @Test
    void resultFilesThatTakeNoRoomAreNotMoreThanTheDisk() {
        Bytes disk = Bytes.mebibytes(8);
        List<String> names = IntStream.rangeClosed(1, 40).mapToObj(i -> "f" + i).toList();
        Program program =
                Program.bash("for i in $(seq 40); do truncate -s 8M f$i || rm -f f$i; done");
        for (String name : names) {
            program = program.output(name);
        }
        try (Sandbox box = open(policy().disk(disk), Language.BASH)) {
            Result result = box.run(program);
            assertTried(result);
            assertThat(names).containsAll(result.files().keySet());
            assertThat(result.files().values().stream().mapToLong(file -> file.length).sum())
                    .isLessThanOrEqualTo(2 * disk.count());
        }
    }

    @Test
    void aFileThatGrowsWhileItIsReadIsReadOrRefusedInBoundedTime() {
        try (Sandbox box = open(policy().disk(Bytes.mebibytes(4)), Language.BASH)) {
            Execution growing =
                    box.start(
                            Program.bash("while :; do head -c 2M /dev/zero >> f; : > f; done"),
                            chunk -> {});
            for (int i = 0; i < 200; i++) {
                doneOrRefused(() -> box.files().read("f"));
            }
            growing.cancel("enough");
        }
    }

    /** Where what a file seems to have is counted as well, the program does not come so far. */
    private static void assertTried(Result result) {
        assertThat(result.outcome())
                .as(told(result))
                .satisfiesAnyOf(
                        how -> assertThat(how).isEqualTo(new Outcome.Exited(0)),
                        how ->
                                assertThat(how)
                                        .asInstanceOf(type(Outcome.LimitHit.class))
                                        .returns(Limit.DISK, Outcome.LimitHit::limit));
    }

    /** Keeps nothing of what it is given. */
    private static final class Counted extends OutputStream {
        private long bytes;

        @Override
        public void write(int one) {
            bytes++;
        }

        @Override
        public void write(byte[] all, int from, int length) {
            bytes += length;
        }
    }

    private void plant(Sandbox box, String script) {
        Result result =
                box.run(
                        Program.bash("set -e\n" + script)
                                .env("SAFE", host.resolve("safe").toString()));
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
    }

    private static String tree(BoxFiles files, String directory) {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        files.getTree(directory, tar);
        return tar.toString(StandardCharsets.UTF_8);
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(FileRefused.class);
    }

    private static void doneOrRefused(Runnable call) {
        try {
            call.run();
        } catch (FileRefused e) {
            assertThat(e).hasMessageMatching("(?s).+");
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
