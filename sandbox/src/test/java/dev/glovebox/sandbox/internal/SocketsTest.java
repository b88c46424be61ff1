package dev.glovebox.sandbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.conformance.Walls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Sockets that are made in the networks of boxes, from outside. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SocketsTest {

    private static final int SOCKETS = 300;

    @BeforeAll
    static void needsTheJail() {
        Walls.needed("jail");
    }

    private static JailBox box(Policy policy) {
        return (JailBox) new JailTier().open(policy);
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }

    @Test
    void aSocketThatIsInOurOwnNetworkIsNeverHandedOut() throws IOException {
        int self = (int) ProcessHandle.current().pid();
        assertThatThrownBy(() -> Sockets.inNetworkOf(self, -1))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("entering the box's network");
        long before = descriptors();
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> Sockets.inNetworkOf(self, -1))
                    .isInstanceOf(KernelException.class);
        }
        assertThat(descriptors()).isLessThan(before + 20);
    }

    @Test
    void aNetworkThatIsGoneIsAnError() {
        assertThatThrownBy(() -> Sockets.inNetworkOf(Integer.MAX_VALUE, -1))
                .isInstanceOf(KernelException.class);
    }

    @Test
    void aGateThatCannotBeOpenedIsAControlThatCannotBeEnforced() {
        Policy policy = Policy.denyAll().allow("example.com", 443);
        try (JailBox box = box(policy)) {
            // The port is taken, by the gate that the box has.
            assertThatThrownBy(() -> Gate.open(box.process(), policy))
                    .isInstanceOfSatisfying(
                            NotEnforceable.class,
                            e -> {
                                assertThat(e.control()).isEqualTo("network");
                                assertThat(e.reason()).contains("No gate can be opened");
                            });
            assertThat(box.controls())
                    .filteredOn(control -> control.name().equals("network"))
                    .extracting(Control::value)
                    .containsExactly("example.com:443");
            assertThat(box.run(Program.command("true")).outcome().success()).isTrue();
        }
    }

    @Test
    void aGateIsNotInForceForAnotherBox() {
        try (JailBox box = box(Policy.denyAll().allow("example.com", 443));
                JailBox other = box(Policy.denyAll())) {
            Gate gate = box.gate().orElseThrow();
            assertThat(gate.control(box.process().holderProc()).by()).contains("gate");
            assertThatThrownBy(() -> gate.control(other.process().holderProc()))
                    .isInstanceOf(NotEnforceable.class);
        }
    }

    /** The child shares our memory: whatever it broke would show here. */
    @Test
    void manySocketsAreMadeWhileTheJvmIsBusy() throws Exception {
        try (JailBox box = box(Policy.denyAll());
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            int holder = box.process().holder();
            int owner = box.process().owner();
            List<Future<Integer>> sockets = new ArrayList<>();
            Callable<Integer> make = () -> Sockets.inNetworkOf(holder, owner);
            for (int i = 0; i < SOCKETS; i++) {
                sockets.add(threads.submit(make));
                if (i % 50 == 0) {
                    threads.execute(System::gc);
                }
            }
            for (Future<Integer> socket : sockets) {
                int fd = socket.get();
                assertThat(fd).isPositive();
                Kernel.close(fd);
            }
            assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive).count())
                    .as("children beside bubblewrap")
                    .isLessThanOrEqualTo(1);
        }
    }
}
