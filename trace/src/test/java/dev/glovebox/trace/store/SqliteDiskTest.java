package dev.glovebox.trace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.conformance.Chain;
import dev.glovebox.trace.conformance.Child;
import dev.glovebox.trace.spi.TraceStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the disk does to us: it is slow to be sure, full, or not to be written. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SqliteDiskTest {

    @TempDir Path folder;

    @Test
    void everyAcknowledgementIsSyncedToTheDisk() throws IOException, InterruptedException {
        int records = 25;
        Path calls = folder.resolve("calls");
        List<String> tracer =
                List.of(
                        "strace",
                        "-f",
                        "-y",
                        "-e",
                        "trace=fsync,fdatasync",
                        "-o",
                        calls.toString());
        assumeWorks("strace is not installed, or may not trace here", tracer, "true");
        Path file = folder.resolve("trace.db");
        try (Child child =
                Child.start(tracer, "sequence", file.toString(), Integer.toString(records))) {
            assertThat(child.lines()).containsExactly(Integer.toString(records));
        }
        assertThat(Files.readAllLines(calls))
                .filteredOn(call -> call.contains("sync(") && call.contains("trace.db-wal"))
                .hasSizeGreaterThanOrEqualTo(records);
    }

    @Test
    void aKeyIsOnTheDiskBeforeAnythingThatItHasSigned() throws IOException, InterruptedException {
        Path calls = folder.resolve("calls");
        List<String> tracer =
                List.of(
                        "strace",
                        "-f",
                        "-y",
                        "-e",
                        "trace=fsync,fdatasync,openat,/^(link|rename)",
                        "-o",
                        calls.toString());
        assumeWorks("strace is not installed, or may not trace here", tracer, "true");
        try (Child child = Child.start(tracer, Rotating.class, folder.toString())) {
            assertThat(child.lines()).as(child.errors()).last().isEqualTo("passed");
        }
        List<String> sure = new ArrayList<>();
        List<String> notSure = new ArrayList<>();
        for (String call : Files.readAllLines(calls)) {
            if (call.contains("/keys/") && call.contains("O_DSYNC")) {
                sure.add(call.split("\"", -1)[1]);
            } else if (call.contains("/keys/") && call.matches(".* (link|rename).*\\.pem\".*")) {
                String written = call.split("\"", -1)[1];
                assertThat(sure).as(call).contains(written);
                sure.add(call.split("\"", -1)[3]);
                notSure.add(call);
            } else if (call.contains("sync(") && call.contains("/keys>")) {
                notSure.clear();
            } else if (call.contains("sync(") && call.contains("trace.db-wal")) {
                assertThat(notSure).isEmpty();
            }
        }
        // The first key and the next one, the public half of each, and the next in its place.
        assertThat(sure).hasSizeGreaterThanOrEqualTo(9);
    }

    @Test
    void aFullDiskIsSaidAndWhatWasAcknowledgedStays() throws IOException, InterruptedException {
        List<String> mounted = mounting("mount -t tmpfs -o size=6m none \"$0\"");
        assumeWorks("No file system can be mounted here", mounted, "true");
        try (Child child = Child.start(mounted, FullDisk.class, folder.toString())) {
            assertThat(child.lines()).as(child.errors()).last().isEqualTo("passed");
        }
    }

    @Test
    void aReadOnlyDiskIsSaidAndWhatWasAcknowledgedStays() throws IOException, InterruptedException {
        List<String> mounted =
                mounting("mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\"");
        assumeWorks("No file system can be mounted here", mounted, "true");
        Path file = folder.resolve("trace.db");
        Chain chain = new Chain("a-run");
        try (TraceStore store = SqliteStore.open(file)) {
            store.append(chain.note("before")).join();
        }
        try (Child child = Child.start(mounted, ReadOnlyDisk.class, file.toString())) {
            assertThat(child.lines()).as(child.errors()).last().isEqualTo("passed");
        }
        try (TraceStore store = SqliteStore.open(file)) {
            store.append(chain.note("afterwards")).join();
            assertThat(Chain.unbroken(store, "a-run")).hasSize(2);
        }
    }

    /** A command before another one, which sees this folder mounted as no one else does. */
    private List<String> mounting(String how) {
        List<String> command = new ArrayList<>(List.of("unshare", "--mount"));
        if (!System.getProperty("user.name").equals("root")) {
            command.add("--map-root-user");
        }
        command.addAll(List.of("sh", "-c", how + " && exec \"$@\"", folder.toString()));
        return command;
    }

    private static void assumeWorks(String reason, List<String> prefix, String program)
            throws InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.add(program);
        int status;
        try {
            status =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor();
        } catch (IOException e) {
            status = -1;
        }
        assumeTrue(status == 0, reason);
    }

    /** Records a run, and replaces the key. */
    static final class Rotating {

        private Rotating() {}

        public static void main(String[] folder) {
            Path home = Path.of(folder[0]);
            try (Trace trace =
                    Trace.open(SqliteStore.open(home.resolve("trace.db")), home.resolve("keys"))) {
                trace.start("test", "a run", new byte[0], BlobRef.TEXT).finish("Completed");
                trace.rotate();
                trace.start("test", "another", new byte[0], BlobRef.TEXT).finish("Completed");
            }
            System.out.println("passed");
        }
    }

    /** Fills a small disk. */
    static final class FullDisk {

        private FullDisk() {}

        public static void main(String[] folder) throws IOException {
            Path ballast = Files.write(Path.of(folder[0], "ballast"), new byte[2 << 20]);
            Chain chain = new Chain("a-run");
            Chain acknowledged = chain.fork();
            try (TraceStore store = SqliteStore.open(Path.of(folder[0], "trace.db"))) {
                Throwable problem = null;
                while (problem == null) {
                    acknowledged = chain.fork();
                    problem =
                            store.append(chain.note("x".repeat(10_000)))
                                    .handle((done, failed) -> failed)
                                    .join();
                }
                assertThat(problem).isInstanceOf(NotKept.class).hasMessageContaining("full");
                assertThat(acknowledged.size()).isGreaterThan(10);
                assertThat(Chain.unbroken(store, "a-run")).hasSize((int) acknowledged.size());
                Chain still = acknowledged.fork();
                assertThatThrownBy(() -> store.append(still.note("y".repeat(100_000))).join())
                        .isInstanceOf(CompletionException.class)
                        .hasCauseInstanceOf(NotKept.class);

                Files.delete(ballast);
                store.append(acknowledged.note("there is room again")).join();
                assertThat(Chain.unbroken(store, "a-run")).hasSize((int) acknowledged.size());
            }
            System.out.println("passed");
        }
    }

    /** Finds that nothing can be written. */
    static final class ReadOnlyDisk {

        private ReadOnlyDisk() {}

        public static void main(String[] file) {
            assertThatThrownBy(() -> SqliteStore.open(Path.of(file[0])))
                    .isInstanceOf(NotKept.class)
                    .hasMessageContaining("read-only");
            assertThatThrownBy(() -> SqliteStore.open(Path.of(file[0] + ".new")))
                    .isInstanceOf(NotKept.class)
                    .hasMessageContaining("Read-only");
            System.out.println("passed");
        }
    }
}
