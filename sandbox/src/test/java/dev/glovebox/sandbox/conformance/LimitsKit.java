package dev.glovebox.sandbox.conformance;

import static dev.glovebox.sandbox.Bytes.kibibytes;
import static dev.glovebox.sandbox.Bytes.mebibytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Pressure;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Receipt;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each limit of a policy: that it holds, and how the result tells. */
public abstract class LimitsKit extends ConformanceKit {

    private static final Duration LONG = Duration.ofSeconds(60);

    private Result run(Policy policy, String python) {
        try (Sandbox box = open(policy, Language.PYTHON)) {
            return box.run(Program.python(python));
        }
    }

    private static void hit(Result result, Limit limit, long value) {
        assertThat(result.outcome())
                .as(told(result))
                .isInstanceOfSatisfying(
                        Outcome.LimitHit.class,
                        hit -> {
                            assertThat(hit.limit()).isEqualTo(limit);
                            assertThat(hit.value()).isEqualTo(value);
                            assertThat(hit.peak()).isGreaterThanOrEqualTo(value);
                        });
    }

    private static void touched(Result result, Limit limit) {
        assertThat(result.pressure()).as(told(result)).extracting(Pressure::limit).contains(limit);
    }

    @Test
    void aProgramThatTakesTooLongIsTimedOutWithItsOutputSoFar() {
        Result result =
                run(
                        policy().wall(seconds(1)),
                        """
                        import sys, time
                        print('so far', flush=True)
                        sys.stderr.write('half a line')
                        sys.stderr.flush()
                        time.sleep(600)
                        """);
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.TimedOut(seconds(1)));
        assertThat(result.stdout().text()).isEqualTo("so far\n");
        assertThat(result.stderr().text()).isEqualTo("half a line");
        assertThat(result.usage().wall()).isGreaterThanOrEqualTo(seconds(1));
    }

    @Test
    void aTimeOutCountsForEachCommandOfABox() {
        try (Sandbox box = open(policy().wall(seconds(1)), Language.BASH)) {
            for (int i = 0; i < 2; i++) {
                Result late = box.run(Program.command("sleep", "600"));
                assertThat(late.outcome())
                        .as(told(late))
                        .isEqualTo(new Outcome.TimedOut(seconds(1)));
                Result quick = box.run(Program.command("echo", "quick"));
                assertThat(quick.outcome()).as(told(quick)).isEqualTo(new Outcome.Exited(0));
            }
        }
    }

    @Test
    void oneProcessThatComputesTooLongIsStoppedByItsProcessorTime() {
        Result result =
                run(
                        policy().wall(LONG).cpuTime(seconds(1)),
                        "print('busy', flush=True)\nwhile True: pass\n");
        hit(result, Limit.CPU_TIME, seconds(1).toMillis());
        assertThat(result.stdout().text()).isEqualTo("busy\n");
    }

    @Test
    void theProcessorTimeOfManyProcessesIsAddedUp() {
        // None of the four reaches the limit by itself while the others are counted.
        Result result =
                run(
                        policy().wall(LONG).cpuTime(Duration.ofSeconds(2)).cpus(4),
                        """
                        import os
                        for _ in range(3):
                            if os.fork() == 0:
                                break
                        while True: pass
                        """);
        hit(result, Limit.CPU_TIME, 2000);
    }

    @Test
    void theProcessorTimeOfProcessesThatEndedIsAddedUp() {
        Result result =
                run(
                        policy().wall(LONG).cpuTime(Duration.ofSeconds(2)),
                        """
                        import os, time
                        while True:
                            if os.fork() == 0:
                                start = time.process_time()
                                while time.process_time() - start < 0.3: pass
                                os._exit(0)
                            os.wait()
                        """);
        hit(result, Limit.CPU_TIME, 2000);
    }

    @Test
    void noMoreProcessorsAreBusyThanAllowed() {
        promised(Promise.TREE_MEMORY); // what has a cgroup for memory has one for processors
        promised(Promise.USAGE_EXACT);
        Result result =
                run(
                        policy().cpus(1),
                        """
                        import os, time
                        for _ in range(3):
                            if os.fork() == 0:
                                break
                        end = time.monotonic() + 1
                        while time.monotonic() < end: pass
                        """);
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
        assertThat(result.usage().cpu().toMillis())
                .isLessThanOrEqualTo(result.usage().wall().toMillis() * 16 / 10);
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 64, 128})
    void memoryIsBounded(int mebibytes) {
        if (mebibytes < 64) {
            promised(Promise.LITTLE_MEMORY);
        }
        Bytes limit = mebibytes(mebibytes);
        Policy policy = policy().wall(LONG).memory(limit).disk(mebibytes(8));
        Result within = run(policy, "room = bytearray(%d << 20)\n".formatted(mebibytes / 2));
        assertThat(within.outcome()).as(told(within)).isEqualTo(new Outcome.Exited(0));
        // In children, so that no limit on the size of each is enough.
        Result beyond =
                run(
                        policy,
                        """
                        import os, time
                        for _ in range(4):
                            if os.fork() == 0:
                                room = bytearray(%d << 20)
                                time.sleep(600)
                        time.sleep(600)
                        """
                                .formatted(mebibytes / 2));
        assertThat(beyond.outcome())
                .as(told(beyond))
                .isInstanceOfSatisfying(
                        Outcome.LimitHit.class,
                        hit -> {
                            assertThat(hit.limit()).isEqualTo(Limit.MEMORY);
                            assertThat(hit.value()).isEqualTo(limit.count());
                        });
        if (!notPromised().containsKey(Promise.USAGE_EXACT)) {
            assertThat(beyond.usage().peakMemory()).isGreaterThan(mebibytes(mebibytes / 2));
        }
    }

    @Test
    void noMoreProcessesThanAllowedCanBeMade() {
        promised(Promise.HARD_PROCESSES);
        Result result =
                run(
                        policy().processes(10),
                        """
                        import errno, os, time
                        made = 1
                        try:
                            while made < 1000:
                                if os.fork() == 0:
                                    time.sleep(600)
                                made += 1
                        except OSError as e:
                            print(errno.errorcode[e.errno], made, flush=True)
                            time.sleep(0.5)
                        """);
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
        String[] told = result.stdout().text().strip().split(" ");
        assertThat(told[0]).isEqualTo("EAGAIN");
        assertThat(Integer.parseInt(told[1])).isBetween(8, 12);
        touched(result, Limit.PROCESSES);
    }

    @Test
    void threadsCountAsProcesses() {
        promised(Promise.HARD_PROCESSES);
        Result result =
                run(
                        policy().processes(10),
                        """
                        import threading, time
                        made = 1
                        try:
                            while made < 1000:
                                threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
                                made += 1
                        except RuntimeError as e:
                            print(made, flush=True)
                            time.sleep(0.5)
                        """);
        assertThat(Integer.parseInt(result.stdout().text().strip())).isBetween(8, 12);
        touched(result, Limit.PROCESSES);
    }

    @Test
    void noMoreDescriptorsThanAllowedCanBeHeld() {
        Result result =
                run(
                        policy().openFiles(32),
                        """
                        import errno, os, time
                        held = []
                        try:
                            while True:
                                held.append(os.open('/dev/null', os.O_RDONLY))
                        except OSError as e:
                            time.sleep(0.5)
                            print(errno.errorcode[e.errno], max(held))
                        """);
        assertThat(result.stdout().text()).as(told(result)).isEqualTo("EMFILE 31\n");
        touched(result, Limit.OPEN_FILES);
    }

    @Test
    void theScratchHoldsNoMoreThanAllowed() {
        promised(Promise.HARD_DISK);
        Result result =
                run(
                        policy().disk(mebibytes(4)),
                        """
                        import errno, os, time
                        total = 0
                        try:
                            for number in range(100):
                                with open(f'{number}', 'wb', buffering=0) as file:
                                    for _ in range(8):
                                        total += file.write(b'x' * 65536)
                        except OSError as e:
                            print(errno.errorcode[e.errno], total)
                            time.sleep(0.5)
                        """);
        String[] told = result.stdout().text().strip().split(" ");
        assertThat(told[0]).as(told(result)).isEqualTo("ENOSPC");
        assertThat(Long.parseLong(told[1])).isLessThanOrEqualTo(mebibytes(4).count());
        assertThat(Long.parseLong(told[1])).isGreaterThan(mebibytes(3).count());
        touched(result, Limit.DISK);
    }

    @Test
    void aScratchThatIsOverfilledIsFoundOut() {
        Result result =
                run(
                        policy().wall(LONG).disk(mebibytes(4)),
                        """
                        import time
                        try:
                            for number in range(100):
                                open(f'{number}', 'wb').write(b'x' * (1 << 20))
                        except OSError:
                            time.sleep(0.5)
                        else:
                            time.sleep(600)
                        """);
        boolean touched = result.pressure().stream().anyMatch(one -> one.limit() == Limit.DISK);
        boolean killed =
                result.outcome() instanceof Outcome.LimitHit(Limit limit, long value, long peak)
                        && limit == Limit.DISK
                        && value == mebibytes(4).count()
                        && peak > value;
        assertThat(touched || killed).as(told(result)).isTrue();
    }

    @Test
    void tooManyFilesAreALimitHit() {
        promised(Promise.HARD_DISK);
        Result result =
                run(
                        policy().wall(LONG).disk(mebibytes(4)).memory(mebibytes(512)),
                        """
                        import os, time
                        for number in range(20000):
                            os.mknod(str(number))
                        time.sleep(600)
                        """);
        hit(result, Limit.INODES, 1024);
    }

    @Test
    void outputBeyondTheLimitIsCutAndCounted() {
        Result result =
                run(
                        policy().output(kibibytes(64)),
                        "import sys\nsys.stdout.write('first' + 'x' * 1000000 + 'last')\n");
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
        assertThat(result.stdout().truncated()).isTrue();
        assertThat(result.stdout().total()).isEqualTo(1_000_009);
        assertThat(result.stdout().bytes()).hasSize(64 * 1024);
        assertThat(result.stdout().text()).startsWith("first").endsWith("last");
        touched(result, Limit.OUTPUT);
    }

    @Test
    void outputBeyondTheLimitKillsWhereThePolicySaysSo() {
        Result result =
                run(
                        policy().wall(LONG)
                                .output(kibibytes(64))
                                .outputOverflow(Policy.OutputOverflow.KILL),
                        "import os\nwhile True: os.write(2, b'x' * 4096)\n");
        hit(result, Limit.OUTPUT, 64 * 1024);
    }

    @Test
    void theReceiptTellsEachLimitAsItWasReadBack() {
        promised(Promise.TREE_MEMORY);
        Policy policy =
                policy().wall(Duration.ofSeconds(7))
                        .cpuTime(Duration.ofSeconds(5))
                        .cpus(0.5)
                        .memory(mebibytes(96))
                        .processes(33)
                        .disk(mebibytes(12))
                        .openFiles(77)
                        .output(kibibytes(128));
        Receipt receipt = run(policy, "pass").receipt();
        // The scratch is memory as well, and some of the processes are ours.
        assertThat(value(receipt, "memory")).isEqualTo("108MiB");
        assertThat(Integer.parseInt(value(receipt, "processes"))).isBetween(33, 40);
        assertThat(value(receipt, "cpus")).isEqualTo("0.50");
        assertThat(value(receipt, "disk")).isEqualTo("12MiB");
        assertThat(value(receipt, "open-files")).isEqualTo("77");
        assertThat(value(receipt, "cpu-time")).isEqualTo("5s");
        assertThat(value(receipt, "wall")).isEqualTo("7s");
        assertThat(value(receipt, "output")).isEqualTo("128KiB");
        assertThat(receipt.control("memory").map(Control::by).orElse("")).contains("tree");
    }

    private static String value(Receipt receipt, String control) {
        assertThat(receipt.control(control)).as(control + " in " + receipt).isPresent();
        return receipt.control(control).map(Control::value).orElse("");
    }

    @Test
    void memoryEnforcedOverTheWholeTreeIsGivenOrRefused() {
        Policy strict = policy().memoryEnforcement(Policy.MemoryEnforcement.TREE);
        if (notPromised().containsKey(Promise.TREE_MEMORY)) {
            assertThatThrownBy(() -> tier().open(strict))
                    .isInstanceOfSatisfying(
                            NotEnforceable.class,
                            e -> assertThat(e.control()).isEqualTo("memory-enforcement"));
        } else {
            Result result = run(strict, "pass");
            assertThat(result.receipt().control("memory").map(Control::by).orElse(""))
                    .startsWith("tree");
        }
    }

    @Test
    void aNetworkRuleIsEnforcedOrRefusedBeforeAnythingRuns() {
        Policy open = policy().allow("example.com", 443);
        if (notPromised().containsKey(Promise.EGRESS_GATED)) {
            assertThatThrownBy(() -> tier().open(open))
                    .isInstanceOfSatisfying(
                            NotEnforceable.class,
                            e -> assertThat(e.control()).isEqualTo("network"));
        } else {
            Result result = run(open, "pass");
            assertThat(value(result.receipt(), "network")).isEqualTo("example.com:443");
        }
    }
}
