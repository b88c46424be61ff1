package dev.glovebox.sandbox.spi;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.glovebox.sandbox.Output;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CaptureTest {

    private static final int MEBI = 1024 * 1024;

    @Property
    void keepsTheFirstAndTheLastBytesHoweverTheyArrive(
            @ForAll @Size(max = 300) byte[] stream,
            @ForAll @Size(max = 20) List<@IntRange(max = 60) Integer> cuts,
            @ForAll @IntRange(max = 320) int limit) {
        Capture capture = new Capture(limit);
        int at = 0;
        for (int cut : cuts) {
            int end = Math.min(stream.length, at + cut);
            capture.add(Arrays.copyOfRange(stream, at, end));
            at = end;
        }
        capture.add(Arrays.copyOfRange(stream, at, stream.length));

        boolean whole = stream.length <= limit;
        int head = whole ? stream.length : limit - limit / 2;
        int tail = whole ? 0 : limit / 2;
        assertThat(capture.overflowed()).isEqualTo(!whole);
        Output output = capture.finish();
        assertThat(output.head()).isEqualTo(Arrays.copyOf(stream, head));
        assertThat(output.tail())
                .isEqualTo(Arrays.copyOfRange(stream, stream.length - tail, stream.length));
        assertThat(output.total()).isEqualTo(stream.length);
        assertThat(output.digest()).isEqualTo(Digests.hex(stream));
        assertThat(output.truncated()).isEqualTo(!whole);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4096, 16 * MEBI})
    void takesNoMoreMemoryForMoreOutput(int chunkSize) {
        byte[] chunk = new byte[chunkSize];
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Capture capture = new Capture(MEBI);
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 2 * MEBI / chunkSize; i++) {
            capture.add(chunk);
        }
        capture.add(new byte[2 * MEBI]);
        long full = threads.getCurrentThreadAllocatedBytes();
        long more = Math.min(5_000_000, 256L * MEBI / chunkSize);
        for (long i = 0; i < more; i++) {
            capture.add(chunk);
        }
        long after = threads.getCurrentThreadAllocatedBytes();

        assertThat(full - before).as("to fill it").isLessThan(8L * MEBI);
        assertThat(after - full).as("once it is full").isLessThan(MEBI / 4);
        Output output = capture.finish();
        assertThat(output.head()).hasSize(MEBI / 2);
        assertThat(output.tail()).hasSize(MEBI / 2);
    }

    @Test
    void takesNoMemoryForALargeLimitBeforeThereIsOutput() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        Capture capture = new Capture(1024L * MEBI);
        capture.add(new byte[] {1, 2, 3});
        Output output = capture.finish();
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(MEBI);
        assertThat(output.bytes()).containsExactly(1, 2, 3);
    }

    @Test
    void outlivesBytesThatComeAfterTheEnd() {
        Capture capture = new Capture(9);
        capture.add(new byte[7]);
        Output output = capture.finish();
        capture.add(new byte[100]);
        assertThat(output.total()).isEqualTo(7);
        assertThat(capture.total()).isEqualTo(107);
    }
}
