package dev.glovebox.sandbox.lifetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Pressure;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.Sandboxes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds in a jail whose memory is bounded by our supervision, not by a cgroup. */
final class SupervisedChecks {

    private static final Bytes MEMORY = Bytes.mebibytes(256);
    private static final Policy POLICY =
            Policy.denyAll().memory(MEMORY).wall(Duration.ofMinutes(1));

    private static Sandbox open(Policy policy) {
        return Sandboxes.openTier("jail", policy);
    }

    private static Result run(Policy policy, String python) {
        try (Sandbox box = open(policy)) {
            return box.run(Program.python(python));
        }
    }

    @BeforeAll
    static void memoryIsSupervisedHere() {
        try (Sandbox box = open(POLICY)) {
            String by =
                    box.run(Program.command("true")).receipt().control("memory").orElseThrow().by();
            assumeTrue(by.startsWith("supervised"), "Memory is bounded by " + by);
        }
    }

    @Test
    void theReceiptTellsThatMemoryIsSupervised() {
        Result result = run(POLICY, "print(6 * 7)");
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
        assertThat(result.receipt().control("memory").orElseThrow().toString())
                .startsWith("memory 256MiB: supervised");
    }

    @Test
    void aPolicyThatWantsACgroupIsRefused() {
        assertThatThrownBy(
                        () -> open(POLICY.memoryEnforcement(Policy.MemoryEnforcement.TREE)).close())
                .isInstanceOfSatisfying(
                        NotEnforceable.class,
                        e -> assertThat(e.control()).isEqualTo("memory-enforcement"))
                .hasMessageContaining("the policy wants memory bounded by a cgroup, but ");
    }

    @Test
    void aProgramIsKeptOnItsProcessorsAndCannotLeaveThem() {
        Result result =
                run(
                        POLICY.cpus(1),
                        """
                        import os
                        print(len(os.sched_getaffinity(0)))
                        try:
                            os.sched_setaffinity(0, range(64))
                        except PermissionError:
                            print('refused', len(os.sched_getaffinity(0)))
                        """);
        assertThat(result.stdout().text()).isEqualTo("1\nrefused 1\n");
        assertThat(result.receipt().control("cpus").orElseThrow().value()).isEqualTo("1");
    }

    @Test
    void aPartOfAProcessorNeedsACgroup() {
        assertThatThrownBy(() -> open(POLICY.cpus(0.5)).close())
                .isInstanceOfSatisfying(
                        NotEnforceable.class, e -> assertThat(e.control()).isEqualTo("cpus"));
    }

    @Test
    void aMemoryBombInOneProcessIsStopped() {
        Result result =
                run(
                        POLICY,
                        """
                        import time
                        hoard = []
                        for i in range(60):
                            hoard.append(b'x' * (10 << 20))
                            print(i, flush=True)
                        time.sleep(30)
                        """);
        assertThat(result.stdout().text().lines().count()).isBetween(10L, 30L);
        // Refused by the kernel at the same limit, or seen by the supervisor.
        if (result.outcome() instanceof Outcome.Exited(int code)) {
            assertThat(code).isNotZero();
            assertThat(result.stderr().text()).contains("MemoryError");
        } else {
            assertMemoryHit(result);
        }
    }

    @Test
    void aMemoryBombInManyProcessesIsStopped() {
        Result result =
                run(
                        POLICY,
                        """
                        import os, time
                        for i in range(8):
                            if os.fork() == 0:
                                hoard = b'x' * (60 << 20)
                                time.sleep(30)
                        print('forked', flush=True)
                        time.sleep(30)
                        """);
        assertThat(result.stdout().text()).isEqualTo("forked\n");
        assertMemoryHit(result);
    }

    @Test
    void pageTablesAreMemory() {
        Result result =
                run(
                        POLICY,
                        """
                        import ctypes
                        libc = ctypes.CDLL(None)
                        libc.mmap.restype = ctypes.c_void_p
                        size = 1 << 40
                        private_and_unreserved = 0x4022
                        place = libc.mmap(None, ctypes.c_size_t(size), 1, private_and_unreserved, -1, ctypes.c_long(0))
                        room = (ctypes.c_char * size).from_address(place)
                        print('trying', flush=True)
                        for at in range(0, size, 2 << 20):
                            room[at]
                        print('has them', flush=True)
                        """);
        assertThat(result.stdout().text()).isEqualTo("trying\n");
        assertMemoryHit(result);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Pages that were written once are unmapped, and stay while one of them is mapped.
                "mmap.mmap(-1, 1 << 30)",
                "mmap.mmap(os.open('/dev/zero', os.O_RDWR), 1 << 30)",
                "mmap.mmap(os.memfd_create('hoard'), 1 << 30)",
                "semaphores()",
            })
    void whatNoSumOverTheProcessesShowsCannotBeMade(String hoarding) {
        Result result =
                run(
                        POLICY,
                        """
                        import ctypes, mmap, os
                        libc = ctypes.CDLL(None, use_errno=True)
                        def semaphores():
                            if libc.semget(0, 32000, 0o1600) < 0:
                                raise OSError(ctypes.get_errno(), 'refused')
                        try:
                            %s
                            print('made')
                        except OSError as e:
                            print('refused')
                        print(len(open('/dev/zero', 'rb').read(1 << 20).strip(bytes(1))))
                        """
                                .formatted(hoarding));
        assertThat(result.stdout().text()).as(result.stderr().text()).isEqualTo("refused\n0\n");
    }

    @Test
    void memorySharedAfterAForkIsCountedOnce() {
        Result result =
                run(
                        POLICY,
                        """
                        import os, time
                        hoard = b'x' * (150 << 20)
                        children = []
                        for i in range(8):
                            child = os.fork()
                            if child == 0:
                                time.sleep(2)
                                os._exit(len(hoard) >> 20 == 150 and i)
                            children.append(child)
                        print([os.waitstatus_to_exitcode(os.waitpid(c, 0)[1]) for c in children])
                        """);
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
        assertThat(result.stdout().text()).isEqualTo("[0, 1, 2, 3, 4, 5, 6, 7]\n");
        assertThat(result.usage().peakMemory()).isBetween(Bytes.mebibytes(150), MEMORY);
    }

    @Test
    void moreProcessesThanAllowedAreRefused() {
        Result result =
                run(
                        POLICY.processes(16),
                        """
                        import os, time
                        made = 0
                        try:
                            for i in range(200):
                                if os.fork() == 0:
                                    time.sleep(30)
                                made += 1
                        except BlockingIOError as e:
                            print('refused', flush=True)
                        time.sleep(1)
                        print(made)
                        """);
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
        String[] lines = result.stdout().text().split("\n");
        assertThat(lines[0]).isEqualTo("refused");
        // The program itself is one of the 16; what our own processes left free may come on top.
        assertThat(Integer.parseInt(lines[1])).isBetween(15, 18);
        assertThat(result.pressure()).extracting(Pressure::limit).contains(Limit.PROCESSES);
    }

    @Test
    void theProcessesOfOtherBoxesOfTheUserDoNotCount() throws InterruptedException {
        Program dozen =
                Program.python(
                        """
                        import os, time
                        for i in range(12):
                            if os.fork() == 0:
                                time.sleep(2)
                                os._exit(0)
                        for i in range(12):
                            os.wait()
                        """);
        List<Sandbox> boxes = new ArrayList<>();
        List<Execution> executions = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                boxes.add(open(POLICY.processes(16)));
                executions.add(boxes.getLast().start(dozen.stdin(""), chunk -> {}));
            }
            for (Execution execution : executions) {
                Result result = execution.await();
                assertThat(result.outcome())
                        .as(result.stderr().text())
                        .isEqualTo(new Outcome.Exited(0));
            }
        } finally {
            boxes.forEach(Sandbox::close);
        }
    }

    private static void assertMemoryHit(Result result) {
        assertThat(result.outcome())
                .isInstanceOfSatisfying(
                        Outcome.LimitHit.class,
                        hit -> {
                            assertThat(hit.limit()).isEqualTo(Limit.MEMORY);
                            assertThat(hit.value()).isEqualTo(MEMORY.count());
                            assertThat(hit.peak()).isGreaterThan(MEMORY.count());
                        });
    }
}
