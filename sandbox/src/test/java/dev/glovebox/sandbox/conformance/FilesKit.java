package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxFiles.Kind;
import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scratch directory, used as it is meant to be. */
public abstract class FilesKit extends ConformanceKit {

    @Test
    void whatIsWrittenIsReadBack() {
        byte[] content = new byte[1_000_003];
        new Random(3).nextBytes(content);
        try (Sandbox box = open()) {
            BoxFiles files = box.files();
            files.write("a/b/c", content);
            assertThat(files.read("a/b/c")).isEqualTo(content);
            files.write("a/b/c", utf8("shorter"));
            assertThat(files.read("a/b/c")).isEqualTo(utf8("shorter"));
            files.write("empty", new byte[0]);
            assertThat(files.read("empty")).isEmpty();
        }
    }

    @Test
    void programsAndTheFileApiSeeTheSameFilesAndMayChangeThem() {
        try (Sandbox box = open(Language.BASH)) {
            BoxFiles files = box.files();
            files.write("given/file", utf8("one"));
            Result result =
                    box.run(
                            Program.bash(
                                    """
                                    set -e
                                    printf two >> given/file
                                    printf x > given/new; rm given/new; mkdir given/more
                                    umask 077; printf mine > own
                                    """));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            assertThat(files.read("given/file")).isEqualTo(utf8("onetwo"));
            assertThat(files.read("own")).isEqualTo(utf8("mine"));
            files.write("own", utf8("ours"));
            Result next = box.run(Program.bash("cat own; rm -r given own"));
            assertThat(next.stdout().text()).as(told(next)).isEqualTo("ours");
            assertThat(next.outcome()).as(told(next)).isEqualTo(new Outcome.Exited(0));
        }
    }

    @Test
    void statTellsKindSizeModeAndTime() {
        Instant before = Instant.now().minus(Duration.ofMinutes(1));
        try (Sandbox box = open(Language.BASH)) {
            BoxFiles files = box.files();
            files.write("file", utf8("12345"));
            files.makeDirectory("directory");
            box.run(Program.bash("ln -s file link; mkfifo fifo; touch tool; chmod 750 tool"));
            BoxFiles.Entry file = files.stat("file");
            assertThat(file.path()).isEqualTo("file");
            assertThat(file.kind()).isEqualTo(Kind.FILE);
            assertThat(file.size()).isEqualTo(5);
            assertThat(file.modified()).isBetween(before, before.plus(Duration.ofHours(1)));
            assertThat(files.stat("directory").kind()).isEqualTo(Kind.DIRECTORY);
            assertThat(files.stat("link").kind()).isEqualTo(Kind.LINK);
            assertThat(files.stat("fifo").kind()).isEqualTo(Kind.OTHER);
            assertThat(files.stat("tool").mode()).isEqualTo(0750);
        }
    }

    @Test
    void aListIsInNameOrderAndDoesNotGoDeeper() {
        try (Sandbox box = open()) {
            BoxFiles files = box.files();
            for (String path : List.of("d/z", "d/a", "d/m/deep", "d/B", "d/-", "other")) {
                files.write(path, new byte[0]);
            }
            assertThat(files.list("d"))
                    .extracting(BoxFiles.Entry::path)
                    .containsExactly("d/-", "d/B", "d/a", "d/m", "d/z");
            assertThat(files.list(""))
                    .extracting(BoxFiles.Entry::path)
                    .containsExactly("d", "other");
            assertThat(files.list("d/m"))
                    .extracting(BoxFiles.Entry::kind)
                    .containsExactly(Kind.FILE);
        }
    }

    @Test
    void aListOfThousandsOfFilesIsComplete() {
        try (Sandbox box = open(Language.PYTHON)) {
            box.run(
                    Program.python(
                            "for i in range(5000): open(f'file with a longish name {i}', 'w')"));
            assertThat(box.files().list("")).hasSize(5001);
        }
    }

    @Test
    void aMoveRenamesAndReplaces() {
        try (Sandbox box = open()) {
            BoxFiles files = box.files();
            files.write("from", utf8("x"));
            files.write("d/to", utf8("old"));
            files.move("from", "d/to");
            assertThat(files.read("d/to")).isEqualTo(utf8("x"));
            assertThatThrownBy(() -> files.stat("from")).isInstanceOf(FileRefused.class);
            files.move("d", "e");
            assertThat(files.read("e/to")).isEqualTo(utf8("x"));
            assertThatThrownBy(() -> files.move("missing", "there"))
                    .isInstanceOf(FileRefused.class);
        }
    }

    @Test
    void aDeleteTakesADirectoryWithAllThatIsInIt() {
        try (Sandbox box = open(Language.BASH)) {
            BoxFiles files = box.files();
            files.write("d/e/f", utf8("x"));
            files.write("kept", utf8("x"));
            box.run(Program.bash("ln -s ../kept d/link; mkfifo d/fifo; mkdir d/empty; rm main.sh"));
            files.delete("d");
            assertThat(files.list("")).extracting(BoxFiles.Entry::path).containsExactly("kept");
            files.delete("kept");
            assertThat(files.list("")).isEmpty();
        }
    }

    @Test
    void makingADirectoryMakesItsParentsAndMayBeRepeated() {
        try (Sandbox box = open()) {
            box.files().makeDirectory("a/b/c");
            box.files().makeDirectory("a/b/c");
            assertThat(box.files().stat("a/b/c").kind()).isEqualTo(Kind.DIRECTORY);
        }
    }

    @Test
    void whatIsNotThereOrNotOfTheKindIsRefused() {
        try (Sandbox box = open()) {
            BoxFiles files = box.files();
            files.write("file", utf8("x"));
            files.makeDirectory("directory");
            assertRefused(() -> files.read("missing"));
            assertRefused(() -> files.read("directory"));
            assertRefused(() -> files.read("file/below"));
            assertRefused(() -> files.list("missing"));
            assertRefused(() -> files.list("file"));
            assertRefused(() -> files.stat("missing"));
            assertRefused(() -> files.delete("missing"));
            assertRefused(() -> files.write("directory", utf8("x")));
            assertRefused(() -> files.write("file/below", utf8("x")));
            assertRefused(() -> files.makeDirectory("file"));
            assertRefused(() -> files.getTree("missing", new ByteArrayOutputStream()));
            assertRefused(() -> files.write("n".repeat(300), utf8("x")));
            assertThat(files.read("file")).isEqualTo(utf8("x"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ", "a b", "a\nb", "\n", "\u0001\u001b[31m", "\u007f", "-rf", "--", "~", "*", "'",
                "\"", "\\", "$HOME", "...", ".hidden", "ünïcödé", "漢字", "😀", "e\u0301", "a:b", "%s"
            })
    void aNameMayBeAnythingThatAFileSystemTakes(String name) {
        try (Sandbox box = open(Language.PYTHON)) {
            BoxFiles files = box.files();
            String path = "d/" + name;
            files.write(path, utf8("ours"));
            Result result =
                    box.run(
                            Program.python(
                                    """
                                    import os, sys
                                    name, = os.listdir(b'd')
                                    sys.stdout.buffer.write(name)
                                    open(b'd/' + name, 'w').write('theirs')
                                    """));
            assertThat(result.stdout().text()).as(told(result)).isEqualTo(name);
            assertThat(files.list("d")).extracting(BoxFiles.Entry::path).containsExactly(path);
            assertThat(files.stat(path).kind()).isEqualTo(Kind.FILE);
            assertThat(files.read(path)).isEqualTo(utf8("theirs"));
            files.move(path, "d/" + name + name);
            files.delete("d/" + name + name);
            assertThat(files.list("d")).isEmpty();
        }
    }

    // Trees

    @Test
    void aTreeGoesInFromTarAndComesOutForTar(@TempDir Path host) throws Exception {
        Path in = Files.createDirectories(host.resolve("in"));
        Files.createDirectories(in.resolve("a/empty"));
        Files.writeString(in.resolve("a/tool"), "#!/bin/sh\necho works");
        Files.setPosixFilePermissions(
                in.resolve("a/tool"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.write(in.resolve("a/ünï " + "x".repeat(150)), new byte[] {0, (byte) 0xff});
        byte[] tar = output("tar", "-C", in.toString(), "-cf", "-", ".");
        try (Sandbox box = open(Language.BASH)) {
            BoxFiles files = box.files();
            files.putTree("tree", new ByteArrayInputStream(tar));
            Result result = box.run(Program.bash("tree/a/tool; test -d tree/a/empty && echo too"));
            assertThat(result.stdout().text()).as(told(result)).isEqualTo("works\ntoo\n");
            ByteArrayOutputStream back = new ByteArrayOutputStream();
            files.getTree("tree", back);

            Path out = Files.createDirectories(host.resolve("out"));
            Path archive = Files.write(host.resolve("back.tar"), back.toByteArray());
            output("tar", "-C", out.toString(), "-xpf", archive.toString());
            output("diff", "-r", in.toString(), out.toString());
            assertThat(Files.isExecutable(out.resolve("a/tool"))).isTrue();
            assertThat(Files.isDirectory(out.resolve("a/empty"))).isTrue();

            files.putTree("", new ByteArrayInputStream(back.toByteArray()));
            assertThat(files.stat("a/tool").mode() & 0111).isEqualTo(0111);
        }
    }

    @Test
    void aTreeHasFilesAndDirectoriesAndNothingElse() throws Exception {
        try (Sandbox box = open(Language.BASH)) {
            box.run(Program.bash("mkdir t; cd t; echo x > file; ln -s file link; mkfifo fifo"));
            ByteArrayOutputStream tar = new ByteArrayOutputStream();
            box.files().getTree("t", tar);
            try (Sandbox other = open()) {
                other.files().putTree("", new ByteArrayInputStream(tar.toByteArray()));
                assertThat(other.files().list(""))
                        .extracting(BoxFiles.Entry::path)
                        .containsExactly("file");
            }
        }
    }

    private static byte[] output(String... command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        byte[] output = process.getInputStream().readAllBytes();
        assertThat(process.waitFor())
                .as(() -> String.join(" ", command) + utf8Text(output))
                .isZero();
        return output;
    }

    // Room

    @Test
    void aFileLargerThanTheDiskIsRefusedAndTheBoxLivesOn() {
        Bytes disk = Bytes.mebibytes(4);
        try (Sandbox box = open(policy().disk(disk), Language.BASH)) {
            assertRefused(() -> box.files().write("big", new byte[(int) disk.count() + 4096]));
            deleteIfThere(box.files(), "big");
            box.files().write("small", utf8("fits"));
            assertThat(box.run(Program.bash("cat small")).stdout().text()).isEqualTo("fits");
        }
    }

    @Test
    void writesFromOutsideAreChargedToTheBox() {
        promised(Promise.HARD_DISK);
        Bytes disk = Bytes.mebibytes(4);
        byte[] half = new byte[2 * 1024 * 1024];
        try (Sandbox box = open(policy().disk(disk), Language.PYTHON)) {
            box.files().write("ours", half);
            Result result =
                    box.run(
                            Program.python(
                                    """
                                    done = 0
                                    with open('theirs', 'wb', buffering=0) as file:
                                        try:
                                            while done < 1 << 30:
                                                done += file.write(bytes(4096))
                                        except OSError as e:
                                            print(e.errno)
                                    print(done)
                                    """));
            String[] lines = result.stdout().text().split("\n");
            assertThat(lines[0]).as(told(result)).isEqualTo("28"); // ENOSPC
            assertThat(Long.parseLong(lines[1])).isPositive().isLessThanOrEqualTo(half.length);
            assertRefused(() -> box.files().write("more", half));
            deleteIfThere(box.files(), "more");
            box.files().delete("theirs");
            box.files().write("less", new byte[half.length / 2]);
            assertRefused(() -> {
                for (int i = 0; i < 5000; i++) {
                    box.files().write("small" + i, new byte[4096]);
                }
            });
        }
    }

    private static void deleteIfThere(BoxFiles files, String path) {
        if (files.list("").stream().anyMatch(entry -> entry.path().equals(path))) {
            files.delete(path);
        }
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(FileRefused.class);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String utf8Text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
