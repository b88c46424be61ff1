package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Channel;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Pressure;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes go in and come out exactly, as they come, and within bounds. */
public abstract class StreamsKit extends ConformanceKit {

    private static final int MEBI = 1024 * 1024;
    private static final int FIVE_MEGABYTES = 5_000_000;
    private static final Program CAT =
            Program.python(
                    "import shutil, sys; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)");

    // Standard input

    @Test
    void standardInputIsWhatTheProgramBrings() {
        byte[] bytes = {0, 'a', '\n', (byte) 0xff, (byte) 0xc3, '\r'};
        try (Sandbox box = open(Language.PYTHON)) {
            assertThat(box.run(CAT.stdin(bytes)).stdout().bytes()).isEqualTo(bytes);
        }
    }

    @Test
    void withoutStandardInputARunReadsNothing() {
        try (Sandbox box = open(Language.PYTHON)) {
            assertThat(box.run(CAT).stdout().total()).isZero();
            assertThat(box.run(CAT.stdin(new byte[0])).stdout().total()).isZero();
        }
    }

    @Test
    void fiveMegabytesComeThroughByteForByte() {
        byte[] bytes = new byte[FIVE_MEGABYTES];
        new Random(1).nextBytes(bytes);
        try (Sandbox box = open(policy().output(Bytes.mebibytes(8)), Language.PYTHON)) {
            Result result = box.run(CAT.stdin(bytes));
            assertThat(result.outcome()).as("outcome").isEqualTo(new Outcome.Exited(0));
            assertThat(Arrays.equals(result.stdout().bytes(), bytes)).isTrue();
            assertThat(result.stdout().truncated()).isFalse();
        }
    }

    @Test
    void fiveMegabytesWrittenWhileTheProgramRunsComeThroughByteForByte() throws Exception {
        byte[] bytes = new byte[FIVE_MEGABYTES];
        new Random(2).nextBytes(bytes);
        try (Sandbox box = open(policy().output(Bytes.mebibytes(8)), Language.PYTHON)) {
            ByteArrayOutputStream heard = new ByteArrayOutputStream();
            Execution execution = box.start(CAT, chunk -> heard.writeBytes(chunk.bytes()));
            try (OutputStream stdin = execution.stdin()) {
                for (int done = 0; done < bytes.length; done += 99_991) {
                    stdin.write(bytes, done, Math.min(99_991, bytes.length - done));
                }
            }
            Result result = execution.await();
            assertThat(result.outcome()).as("outcome").isEqualTo(new Outcome.Exited(0));
            assertThat(Arrays.equals(result.stdout().bytes(), bytes)).isTrue();
            assertThat(Arrays.equals(heard.toByteArray(), bytes)).isTrue();
        }
    }

    @Test
    void aProgramThatReadsNothingIsNotHeldUpByItsInput() {
        try (Sandbox box = open(Language.BASH)) {
            Result result = box.run(Program.bash("exit 7").stdin(new byte[FIVE_MEGABYTES]));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(7));
        }
    }

    @Test
    void questionsAndAnswersGoToAndFro() throws Exception {
        BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        try (Sandbox box = open(Language.PYTHON)) {
            Execution execution =
                    box.start(
                            Program.python(
                                    """
                                    import sys
                                    for line in sys.stdin:
                                        print(int(line) * 2, flush=True)
                                    print('end')
                                    """),
                            chunk ->
                                    answers.add(new String(chunk.bytes(), StandardCharsets.UTF_8)));
            for (int i = 0; i < 50; i++) {
                execution.stdin().write((i + "\n").getBytes(StandardCharsets.UTF_8));
                execution.stdin().flush();
                assertThat(answers.poll(20, TimeUnit.SECONDS)).isEqualTo(2 * i + "\n");
            }
            assertThat(execution.done()).isFalse();
            execution.stdin().close();
            Result result = execution.await();
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            assertThat(answers.poll()).isEqualTo("end\n");
        }
    }

    @Test
    void standardInputClosedAtOnceIsTheEndOfFile() throws Exception {
        try (Sandbox box = open(Language.PYTHON)) {
            for (int i = 0; i < 20; i++) {
                Execution execution = box.start(CAT, chunk -> {});
                execution.stdin().close();
                Result result = execution.await();
                assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            }
        }
    }

    @Test
    void writingToAProgramThatHasEndedIsAnError() throws Exception {
        try (Sandbox box = open(Language.BASH)) {
            Execution execution = box.start(Program.bash("exit 0"), chunk -> {});
            execution.await();
            assertThatThrownBy(() -> execution.stdin().write(new byte[FIVE_MEGABYTES]))
                    .isInstanceOf(IOException.class);
            execution.stdin().close();
        }
    }

    @Test
    void whoeverWritesToAProgramThatDoesNotReadIsFreedByItsEnd() throws Exception {
        Duration wall = seconds(1);
        try (Sandbox box = open(policy().wall(wall), Language.BASH)) {
            Execution execution = box.start(Program.bash("sleep 60"), chunk -> {});
            assertThatThrownBy(() -> execution.stdin().write(new byte[FIVE_MEGABYTES]))
                    .isInstanceOf(IOException.class);
            assertThat(execution.await().outcome()).isEqualTo(new Outcome.TimedOut(wall));
        }
    }

    // Output

    @Test
    void outputIsKeptByteForByte() {
        try (Sandbox box = open(Language.PYTHON)) {
            Result result =
                    box.run(
                            Program.python(
                                    """
                                    import sys
                                    sys.stdout.buffer.write(bytes(range(256)) + b'\\xff\\xfe\\xc3')
                                    sys.stderr.buffer.write(b'\\0\\xf5no newline')
                                    """));
            byte[] all = new byte[259];
            for (int i = 0; i < 256; i++) {
                all[i] = (byte) i;
            }
            all[256] = (byte) 0xff;
            all[257] = (byte) 0xfe;
            all[258] = (byte) 0xc3;
            assertThat(result.stdout().bytes()).isEqualTo(all);
            assertThat(result.stdout().tail()).isEmpty();
            assertThat(result.stderr().bytes())
                    .isEqualTo("\0\u00f5no newline".getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    void outputWrittenJustBeforeTheEndIsNotLost() {
        try (Sandbox box = open(Language.BASH)) {
            for (int i = 0; i < 20; i++) {
                Result result =
                        box.run(Program.bash("printf %060000d 7; printf e >&2; kill -9 $$"));
                assertThat(result.stdout().total()).isEqualTo(60_000);
                assertThat(result.stderr().text()).isEqualTo("e");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 1001})
    void exactlyTheLimitIsKeptWholeAndOneByteMoreIsTruncated(int limit) {
        Policy policy = policy().output(Bytes.bytes(limit));
        try (Sandbox box = open(policy, Language.BASH)) {
            Result whole = box.run(printing(limit));
            assertThat(whole.stdout().truncated()).isFalse();
            assertThat(whole.stdout().bytes()).hasSize(limit);
            assertThat(whole.pressure()).extracting(Pressure::limit).doesNotContain(Limit.OUTPUT);

            Result cut = box.run(printing(limit + 1));
            assertThat(cut.outcome()).isEqualTo(new Outcome.Exited(0));
            assertThat(cut.stdout().truncated()).isTrue();
            assertThat(cut.stdout().bytes()).hasSize(limit);
            assertThat(cut.stdout().total()).isEqualTo(limit + 1L);
            assertThat(cut.pressure()).extracting(Pressure::limit).contains(Limit.OUTPUT);
            assertThat(cut.stderr().truncated()).isFalse();
        }
    }

    private static Program printing(int bytes) {
        return Program.bash("head -c " + bytes + " /dev/zero");
    }

    @Test
    void ofAHundredMegabytesInOneLineTheEndsAreKeptAndTheRestIsCounted() throws Exception {
        int blocks = 100;
        byte[] block = new byte[MEBI];
        for (int i = 0; i < MEBI; i++) {
            block[i] = (byte) (32 + i % 89);
        }
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (int i = 0; i < blocks; i++) {
            digest.update(block);
        }
        Policy policy =
                policy().output(Bytes.mebibytes(1))
                        .wall(Duration.ofMinutes(10))
                        .cpuTime(Duration.ofMinutes(1));
        try (Sandbox box = open(policy, Language.PYTHON)) {
            long before = liveHeap();
            long most = before;
            Execution execution =
                    box.start(
                            Program.python(
                                    """
                                    import sys, time
                                    block = bytes(32 + i %% 89 for i in range(1 << 20))
                                    for i in range(%d):
                                        sys.stdout.buffer.write(block)
                                        if i %% 20 == 19:
                                            time.sleep(0.3) # somebody looks at the heap
                                    """
                                            .formatted(blocks)),
                            chunk -> {});
            while (!execution.done()) {
                most = Math.max(most, liveHeap());
                Thread.sleep(100); // collecting garbage stops the pump
            }
            Result result = execution.await();
            assertThat(result.outcome()).as("outcome").isEqualTo(new Outcome.Exited(0));
            Output output = result.stdout();
            assertThat(output.total()).isEqualTo((long) blocks * MEBI);
            assertThat(output.truncated()).isTrue();
            assertThat(output.digest()).isEqualTo(HexFormat.of().formatHex(digest.digest()));
            assertThat(output.head().length + output.tail().length).isEqualTo(MEBI);
            assertThat(Arrays.equals(output.head(), Arrays.copyOf(block, MEBI / 2))).isTrue();
            assertThat(Arrays.equals(output.tail(), Arrays.copyOfRange(block, MEBI / 2, MEBI)))
                    .isTrue();
            assertThat(most - before).as("bytes of heap held").isLessThan(24L * MEBI);
        }
    }

    private static long liveHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2"})
    void tooMuchOutputKillsWhereThePolicySaysSo(String channel) {
        Policy policy =
                policy().output(Bytes.kibibytes(64)).outputOverflow(Policy.OutputOverflow.KILL);
        try (Sandbox box = open(policy, Language.BASH)) {
            Result result = box.run(Program.bash("while :; do echo flood; done >&" + channel));
            assertThat(result.outcome())
                    .isInstanceOfSatisfying(
                            Outcome.LimitHit.class,
                            hit -> {
                                assertThat(hit.limit()).isEqualTo(Limit.OUTPUT);
                                assertThat(hit.value()).isEqualTo(64 * 1024);
                                assertThat(hit.peak()).isGreaterThan(64 * 1024);
                            });
            assertThat(result.pressure()).extracting(Pressure::limit).doesNotContain(Limit.OUTPUT);
            assertThat(box.run(Program.bash("echo fine")).stdout().text()).isEqualTo("fine\n");
        }
    }

    // The order of things

    private static final int WRITES = 30;
    private static final int ATTEMPTS = 5;

    @Test
    void theTimelineTellsTheOrderOfWritesOnBothChannels() {
        List<Channel> expected =
                IntStream.range(0, WRITES)
                        .mapToObj(i -> i % 2 == 0 ? Channel.STDOUT : Channel.STDERR)
                        .toList();
        try (Sandbox box = open(Language.PYTHON)) {
            List<Channel> order = List.of();
            Duration pause = Duration.ofMillis(5);
            // A machine so busy that we do not run for so long hides the order: then more slowly.
            for (int i = 0; i < ATTEMPTS && !order.equals(expected); i++) {
                Result result = box.run(writing(pause));
                assertThat(result.stdout().total() + result.stderr().total())
                        .as(told(result))
                        .isEqualTo(2 * WRITES);
                assertWellFormed(result);
                order = result.timeline().stream().map(Chunk.Mark::channel).toList();
                pause = pause.multipliedBy(2);
            }
            assertThat(order).isEqualTo(expected);
        }
    }

    /** Writes two bytes to one channel and to the other in turn. */
    private static Program writing(Duration pause) {
        return Program.python(
                """
                import os, time
                for i in range(%d):
                    os.write(1 + i %% 2, b'%%02d' %% i)
                    time.sleep(%d / 1000)
                """
                        .formatted(WRITES, pause.toMillis()));
    }

    /** Marks are in order of time, and those of a channel cover its kept output without a gap. */
    private static void assertWellFormed(Result result) {
        assertThat(result.timeline()).extracting(Chunk.Mark::at).isSorted();
        for (Channel channel : Channel.values()) {
            Output output = channel == Channel.STDOUT ? result.stdout() : result.stderr();
            long next = 0;
            for (Chunk.Mark mark : result.timeline()) {
                if (mark.channel() == channel) {
                    assertThat(mark.offset()).isEqualTo(next);
                    next += mark.length();
                }
            }
            assertThat(next).isEqualTo(output.total());
        }
        assertThat(result.timeline())
                .allSatisfy(mark -> {
                    assertThat(mark.at()).isPositive();
                    assertThat(mark.at()).isLessThanOrEqualTo(result.usage().wall().plusSeconds(1));
                });
    }

    @Test
    void noMarkOfATimelineIsOnBytesThatWereDropped() {
        int limit = 1000;
        try (Sandbox box = open(policy().output(Bytes.bytes(limit)), Language.PYTHON)) {
            Result result =
                    box.run(
                            Program.python(
                                    """
                                    import os, time
                                    for i in range(50):
                                        os.write(1, b'x' * 100)
                                        time.sleep(0.003)
                                    """));
            Output output = result.stdout();
            assertThat(output.truncated()).isTrue();
            assertThat(result.timeline())
                    .isNotEmpty()
                    .allSatisfy(mark ->
                            assertThat(
                                            mark.offset() + mark.length() <= output.head().length
                                                    || mark.offset()
                                                            >= output.total()
                                                                    - output.tail().length)
                                    .as(mark.toString())
                                    .isTrue());
        }
    }

    // Listening

    @Test
    void aListenerHearsOutputWhileTheProgramRuns() throws Exception {
        BlockingQueue<Chunk> heard = new LinkedBlockingQueue<>();
        try (Sandbox box = open(Language.BASH)) {
            Execution execution =
                    box.start(Program.bash("echo out; read -r line; echo err >&2"), heard::add);
            Chunk first = heard.poll(20, TimeUnit.SECONDS);
            assertThat(first).isNotNull();
            assertThat(first.channel()).isEqualTo(Channel.STDOUT);
            assertThat(first.bytes()).isEqualTo("out\n".getBytes(StandardCharsets.UTF_8));
            assertThat(execution.done()).isFalse();
            execution.stdin().write('\n');
            Result result = execution.await();
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            Chunk second = heard.poll();
            assertThat(second).isNotNull();
            assertThat(second.channel()).isEqualTo(Channel.STDERR);
            assertThat(second.at()).isGreaterThanOrEqualTo(first.at());
        }
    }

    @Test
    void aListenerThatBlocksDoesNotDefeatTheTimeLimit() throws Exception {
        Duration wall = seconds(1);
        CountDownLatch released = new CountDownLatch(1);
        try (Sandbox box = open(policy().wall(wall), Language.BASH)) {
            Execution execution =
                    box.start(
                            Program.bash("while :; do echo flood; done"), chunk -> await(released));
            Result result = execution.await();
            assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(wall));
            assertThat(result.stdout().text()).startsWith("flood\n");
        } finally {
            released.countDown();
        }
    }

    @Test
    void aBoxClosesWhileAListenerBlocksAndTheNextOneIsSound() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(1);
        try {
            try (Sandbox box = open(Language.BASH)) {
                Execution unfinished =
                        box.start(
                                Program.bash("echo out; sleep 60"),
                                chunk -> {
                                    blocked.countDown();
                                    await(released);
                                });
                assertThat(blocked.await(20, TimeUnit.SECONDS)).isTrue();
                assertThat(unfinished.done()).isFalse();
            }
            try (Sandbox next = open(Language.BASH)) {
                Execution running = next.start(Program.bash("read -r line; echo $line"), c -> {});
                released.countDown();
                running.stdin().write("still here\n".getBytes(StandardCharsets.UTF_8));
                assertThat(running.await().stdout().text()).isEqualTo("still here\n");
                assertThat(next.run(Program.bash("echo again")).stdout().text())
                        .isEqualTo("again\n");
            }
        } finally {
            released.countDown();
        }
    }

    @Test
    void aListenerThatThrowsEndsTheProgramAndNotTheBox() throws Exception {
        try (Sandbox box = open(Language.BASH)) {
            Execution execution =
                    box.start(
                            Program.bash("while :; do echo flood; sleep 0.01; done"),
                            chunk -> {
                                Thread.currentThread().interrupt();
                                throw new IllegalStateException("the listener's own fault");
                            });
            Result result = execution.await();
            assertThat(result.outcome()).isInstanceOf(Outcome.Cancelled.class);
            assertThat(result.usage().wall()).isPositive();
            assertThat(box.run(Program.bash("echo fine")).stdout().text()).isEqualTo("fine\n");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
