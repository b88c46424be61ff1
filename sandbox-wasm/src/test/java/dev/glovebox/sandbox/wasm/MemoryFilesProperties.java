package dev.glovebox.sandbox.wasm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.FileRefused;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The directory in memory against a plain map of what should be in it. */
final class MemoryFilesProperties {

    private static final Bytes DISK = Bytes.kibibytes(256);

    /** Something done to the files. */
    record Step(String kind, String path, String other, int size) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<String> paths = Arbitraries.of("a", "b", "d/a", "d/b", "d/e/a", "d", "d/e", "f");
        return Combinators.combine(
                        Arbitraries.of("write", "write", "delete", "move", "folder"),
                        paths,
                        paths,
                        Arbitraries.integers().between(0, 100_000))
                .as(Step::new)
                .list()
                .ofMaxSize(40);
    }

    @Property(tries = 200)
    void whatIsWrittenIsThereAndNothingElse(@ForAll("steps") List<Step> steps) {
        try (Tree tree = new Tree(DISK)) {
            MemoryFiles files = new MemoryFiles(tree);
            Map<String, String> expected = new TreeMap<>();
            for (Step step : steps) {
                apply(files, expected, step);
                assertThat(contents(files, "")).isEqualTo(expected);
            }
            ByteArrayOutputStream tar = new ByteArrayOutputStream();
            files.getTree("", tar);
            for (String path : List.of("a", "b", "d", "f")) {
                try {
                    files.delete(path);
                } catch (FileRefused e) {
                    assertThat(expected.keySet()).noneMatch(name -> name.startsWith(path));
                }
            }
            assertThat(files.list("")).isEmpty();
            // All of the room is back: a file as large as the disk fits.
            files.write("whole", new byte[(int) DISK.count()]);
            assertThat(tree.full()).isTrue();
            files.delete("whole");
            files.putTree("", new ByteArrayInputStream(tar.toByteArray()));
            assertThat(contents(files, "")).isEqualTo(expected);
        }
    }

    private static void apply(MemoryFiles files, Map<String, String> expected, Step step) {
        byte[] content = new byte[step.size()];
        Arrays.fill(content, (byte) step.size());
        try {
            switch (step.kind()) {
                case "write" -> {
                    try {
                        files.write(step.path(), content);
                        expected.put(step.path(), shown(content));
                    } catch (FileRefused e) {
                        // A full disk leaves what fitted; what is there counts.
                        if (e.getMessage().contains("ENOSPC")) {
                            expected.put(step.path(), shown(files.read(step.path())));
                        }
                    }
                }
                case "delete" -> {
                    files.delete(step.path());
                    expected.keySet()
                            .removeIf(name ->
                                    name.equals(step.path()) || name.startsWith(step.path() + "/"));
                }
                case "move" -> {
                    files.move(step.path(), step.other());
                    Map<String, String> moved = new TreeMap<>();
                    expected.entrySet()
                            .removeIf(one -> {
                                boolean goes =
                                        one.getKey().equals(step.path())
                                                || one.getKey().startsWith(step.path() + "/");
                                if (goes) {
                                    moved.put(
                                            step.other()
                                                    + one.getKey().substring(step.path().length()),
                                            one.getValue());
                                }
                                return goes;
                            });
                    expected.putAll(moved);
                }
                default -> files.makeDirectory(step.path());
            }
        } catch (FileRefused e) {
            assertThat(e).hasMessageContaining("'");
        }
    }

    private static Map<String, String> contents(MemoryFiles files, String folder) {
        Map<String, String> found = new TreeMap<>();
        for (var entry : files.list(folder)) {
            switch (entry.kind()) {
                case FILE -> found.put(entry.path(), shown(files.read(entry.path())));
                case DIRECTORY -> found.putAll(contents(files, entry.path()));
                case LINK, OTHER, UNNAMED -> throw new AssertionError("There is " + entry);
            }
        }
        return found;
    }

    private static String shown(byte[] content) {
        return content.length + " bytes, " + Arrays.hashCode(content);
    }

    /** From a folder that is open, a program can go on deeper, however deep it is. */
    @Example
    void aFolderIsNotMadeDeeperThanItCanBePackedAndDeleted() throws IOException {
        try (Tree tree = new Tree(DISK)) {
            Node.Folder at = tree.root();
            int depth = 0;
            try {
                for (; depth < 5000; depth++) {
                    at = tree.makeFolder(tree.place(at, "n".repeat(200)));
                }
            } catch (Errno.Failure e) {
                assertThat(e.errno()).isEqualTo(Errno.ENAMETOOLONG);
            }
            assertThat(depth).isEqualTo(256);
            // Nor by putting what is deep into what is deep.
            Tree.Place tower = tree.place(tree.root(), "tower");
            tree.makeFolder(tree.place(tree.makeFolder(tower), "top"));
            Node.Folder deepest = at;
            Tree.Place bottom = new Tree.Place(deepest, "x");
            assertThatThrownBy(() -> tree.move(tower, bottom)).hasMessage("ENAMETOOLONG");
            assertThatThrownBy(() -> tree.makeFile(bottom)).hasMessage("ENAMETOOLONG");
            MemoryFiles files = new MemoryFiles(tree);
            ByteArrayOutputStream tar = new ByteArrayOutputStream();
            files.getTree("", tar);
            assertThat(tar.size()).isGreaterThan(256 * 512);
            files.delete("n".repeat(200));
            assertThat(files.list("")).hasSize(1);
            assertThatThrownBy(() -> tree.makeFile(new Tree.Place(deepest, "late")))
                    .hasMessage("ENOENT");
        }
    }
}
