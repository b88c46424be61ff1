package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxFiles.Kind;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths that lead out of the box, and links that a program plants, are never followed. */
public abstract class LinkAttackKit extends FileAttackKit {

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
                    ln -s "/proc/1/root""/etc/shadow" shadow
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
}
