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
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Things that are no files, and absurd files, neither hold up the file API nor fill its memory. */
public abstract class OddFileAttackKit extends FileAttackKit {

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
                                    for name in b'\\xff\\xfe', b'\\xc3', b'\\xff', b'fine':
                                        open(b'd/' + name, 'w').write('x')
                                    """));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            assertThat(files.list("d"))
                    .extracting(BoxFiles.Entry::kind)
                    .containsExactlyInAnyOrder(Kind.FILE, Kind.UNNAMED, Kind.UNNAMED, Kind.UNNAMED);
            assertThatThrownBy(() -> files.getTree("", OutputStream.nullOutputStream()))
                    .isInstanceOf(FileRefused.class)
                    .hasMessageContaining("UTF-8");
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
}
