package dev.glovebox.coder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.BoxFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Layers are there whole, as they were, or not at all. */
class LayerStoreTest {

    private static final String KEY = "ab".repeat(32);

    @TempDir private Path home;
    private Path folder;
    private LayerStore store;

    @BeforeEach
    void open() {
        folder = home.resolve("layers");
        store = new LayerStore(folder);
    }

    /** A box with what a test wants to be in it. */
    private static final class Contents implements BoxFiles {

        private final Map<String, Entry> entries = new TreeMap<>();
        private final Map<String, byte[]> bytes = new TreeMap<>();

        Contents file(String path, String text) {
            bytes.put(path, text.getBytes(UTF_8));
            return entry(path, Kind.FILE, text.length());
        }

        Contents entry(String path, Kind kind, long size) {
            entries.put(path, new Entry(path, kind, size, 0644, Instant.EPOCH));
            return this;
        }

        @Override
        public List<Entry> list(String directory) {
            // What is said to be in the folder itself is all that no other folder has.
            return entries.values().stream()
                    .filter(one -> directory.equals(folder(one.path())))
                    .toList();
        }

        private String folder(String path) {
            return entries.values().stream()
                    .filter(one -> one.kind() == Kind.DIRECTORY)
                    .map(Entry::path)
                    .filter(one -> path.startsWith(one + "/"))
                    .findFirst()
                    .orElse("layer");
        }

        @Override
        public byte[] read(String path) {
            return bytes.getOrDefault(path, new byte[0]);
        }

        @Override
        public void write(String path, byte[] content) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void makeDirectory(String path) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Entry stat(String path) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void move(String from, String to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void delete(String path) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void putTree(String directory, InputStream tar) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void getTree(String directory, OutputStream tar) {
            throw new UnsupportedOperationException();
        }
    }

    private static Contents tiny() {
        return new Contents()
                .entry("layer/tiny", BoxFiles.Kind.DIRECTORY, 0)
                .file("layer/tiny/__init__.py", "answer = 42\n");
    }

    private Layer keep(BoxFiles files) {
        Layer made = new Layer(KEY, "", "python", "3", List.of("tiny"), "http://x/", 0, 0, "2026");
        return store.keep(made, files, "layer");
    }

    @Test
    void aLayerIsReadOnlyAndKnowsItsDigest() throws IOException {
        Layer layer = keep(tiny());
        assertThat(store.find(KEY)).contains(layer);
        assertThat(store.list()).containsExactly(layer);
        assertThat(layer.files()).isEqualTo(1);
        assertThat(layer.bytes()).isEqualTo(12);
        Path file = store.tree(KEY).resolve("tiny/__init__.py");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("r--r--r--");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                .isEqualTo("r-xr-xr-x");
        assertThat(store.remove(KEY)).isTrue();
        assertThat(store.remove(KEY)).isFalse();
        assertThat(store.list()).isEmpty();
        assertThatThrownBy(() -> store.remove("../../etc"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void oneThatIsNotWhatItWasIsNotUsedAndMadeAnew() throws IOException {
        Layer good = keep(tiny());
        Path file = store.tree(KEY).resolve("tiny/__init__.py");
        writable(file);
        Files.writeString(file, "answer = 43\n");
        assertThat(store.find(KEY)).isEmpty();
        assertThat(keep(tiny())).isEqualTo(good);
        assertThat(Files.readString(store.tree(KEY).resolve("tiny/__init__.py")))
                .isEqualTo("answer = 42\n");

        writable(store.tree(KEY));
        Files.writeString(store.tree(KEY).resolve("more.py"), "");
        assertThat(store.find(KEY)).isEmpty();
        keep(tiny());
        writable(store.tree(KEY));
        Files.createSymbolicLink(store.tree(KEY).resolve("link"), Path.of("/etc/passwd"));
        assertThat(store.find(KEY)).isEmpty();
        keep(tiny());
        assertThat(store.find(KEY)).contains(good);
    }

    private static void writable(Path path) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.setPosixFilePermissions(
                path.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Test
    void oneThatWasInterruptedIsNotThereAndRemovedLater() throws IOException {
        Path half = folder.resolve(".new-half");
        Files.createDirectories(half.resolve("tree/tiny"));
        Path old = folder.resolve(".new-old");
        Files.createDirectories(old.resolve("tree/tiny"));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(1))));
        Files.createDirectories(folder.resolve(KEY).resolve("tree"));
        assertThat(store.find(KEY)).isEmpty();
        assertThat(store.list()).isEmpty();
        Layer layer = keep(tiny());
        assertThat(store.find(KEY)).contains(layer);
        assertThat(old).doesNotExist();
        assertThat(half).exists();
    }

    @Test
    void manyAtOnceMakeOne() throws Exception {
        List<Callable<Layer>> builders = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            builders.add(() -> keep(tiny()));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<Layer> made : threads.invokeAll(builders)) {
                assertThat(made.get().digest()).isEqualTo(store.find(KEY).orElseThrow().digest());
            }
        }
        try (var left = Files.list(folder)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder(KEY, ".lock");
        }
    }

    @Test
    void linksAndDevicesAreNotKept() {
        for (BoxFiles.Kind kind :
                List.of(BoxFiles.Kind.LINK, BoxFiles.Kind.OTHER, BoxFiles.Kind.UNNAMED)) {
            assertThatThrownBy(() -> keep(tiny().entry("layer/odd", kind, 0)))
                    .isInstanceOf(LayerTree.Unfit.class)
                    .hasMessageContaining("'odd' is neither file nor folder");
        }
        assertNothingIsThere();
    }

    @Test
    void namesThatLeadElsewhereAreNotKept() {
        for (String name :
                List.of(
                        "layer/../out",
                        "layer/a/../../../out",
                        "/etc/out",
                        "layer//x",
                        "layer/a\nb",
                        "layer/.",
                        "layer/" + "x".repeat(300))) {
            assertThatThrownBy(() -> keep(new Contents().file(name, "x")))
                    .as(name)
                    .isInstanceOf(LayerTree.Unfit.class);
        }
        assertNothingIsThere();
        assertThat(home.resolve("out")).doesNotExist();
    }

    @Test
    void whatIsTooLargeIsNotKept() {
        assertThatThrownBy(() ->
                        keep(
                                tiny().entry(
                                                "layer/huge",
                                                BoxFiles.Kind.FILE,
                                                LayerTree.LARGEST_FILE + 1)))
                .isInstanceOf(LayerTree.Unfit.class)
                .hasMessageContaining("larger than 768 MiB");
        assertNothingIsThere();
    }

    private void assertNothingIsThere() {
        assertThat(store.list()).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }
}
