package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.trace.spi.TraceStore;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogExcerptTest {

    private static final int BATCH = 100;

    @TempDir private Path home;

    private final MemoryStore store = new MemoryStore();

    private Path keys() {
        return home.resolve("keys");
    }

    /** Of many runs, each with one leaf. */
    private void lengthen(long size) {
        LogWriter writer =
                new LogWriter(
                        store,
                        new SigningKeys(keys()),
                        new FrontierNote(home.resolve("frontier.json")),
                        Clock.systemUTC());
        List<Leaf> leaves = new ArrayList<>();
        for (long i = store.leafCount(); i < size; i++) {
            leaves.add(new Leaf.OfRecord(1, Entry.NOTHING, "run-" + i, 0, Seals.Mark.START));
            if (leaves.size() == BATCH || i == size - 1) {
                writer.append(leaves);
                leaves.clear();
            }
        }
    }

    private static List<String> texts(List<Seal> seals) {
        return seals.stream().map(seal -> seal.json().toString()).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 255, 256, 257, 511, 512, 513, 768, 1_000, 1_024, 1_025})
    void itProvesWhatTheWholeLogProves(int size) {
        lengthen(size);
        assertThat(store.leafCount()).isEqualTo(size);
        LogExcerpt excerpt = new LogExcerpt(store);
        LogView whole = new LogView(store);
        for (int i = 0; i < size; i += 1 + size / 50) {
            List<Seal> seals = excerpt.seals("run-" + i);
            assertThat(seals).hasSize(1).allMatch(Seal::leads);
            assertThat(texts(seals)).isEqualTo(texts(whole.seals("run-" + i)));
        }
        assertThat(excerpt.seals("no-such-run")).isEmpty();
    }

    @Test
    void anIntactRunOfALongLogIsVerifiedAndExportedWithoutReadingAllOfIt() throws Exception {
        String run;
        try (Installation here = new Installation(store, keys())) {
            run = here.finished("run", 5);
        }
        lengthen(20_000);
        AtomicLong read = new AtomicLong();
        try (Trace trace = Trace.open(counting(read), keys())) {
            assertThat(trace.verify(run)).isInstanceOf(Verdict.Intact.class);
            trace.export(run, OutputStream.nullOutputStream());
        }
        assertThat(read.get()).isPositive().isLessThan(2_000);
    }

    private TraceStore counting(AtomicLong read) {
        return (TraceStore)
                Proxy.newProxyInstance(
                        TraceStore.class.getClassLoader(),
                        new Class<?>[] {TraceStore.class},
                        (proxy, method, arguments) -> {
                            try {
                                Object result = method.invoke(store, arguments);
                                if (method.getName().equals("leaves")) {
                                    read.addAndGet(((List<?>) result).size());
                                }
                                return result;
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    @Test
    void nobodyBelievesTheHashesOfBlocks() {
        lengthen(600);
        try (Installation here = new Installation(store, keys())) {
            String run = here.finished("run", 5);
            store.blocks.put(511L, new byte[32]);
            assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Intact.class);
            store.blocks.clear();
            assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Intact.class);
            Stream.of(300, 600).forEach(i -> store.leaves.set(i, store.leaves.get(0)));
            assertThat(here.trace.verify(run)).isInstanceOf(Verdict.Tampered.class);
        }
    }
}
