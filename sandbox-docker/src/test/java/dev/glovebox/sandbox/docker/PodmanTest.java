package dev.glovebox.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.command.InspectVolumeResponse;
import com.github.dockerjava.api.model.Container;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Receipt;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Digests;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is special about boxes on Podman: what it takes in other words than Docker. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PodmanTest {

    private static final Policy POLICY = Policy.denyAll().isolation(Isolation.CONTAINER);
    private static final Duration SOON = Duration.ofSeconds(2);

    @Test
    void theReceiptHasWhatTheKernelSaysIsInForce() {
        try (Sandbox box = TestPodman.tier().open(POLICY)) {
            Receipt receipt = box.run(Program.python("print(42)")).receipt();
            assertThat(receipt.tierVersion()).matches("Podman \\d+\\..*, Docker API .*");
            for (String none : List.of("network", "capabilities", "logs")) {
                assertThat(receipt.control(none).orElseThrow().value()).isEqualTo("none");
            }
            assertThat(receipt.control("seccomp").orElseThrow().value())
                    .startsWith("allow-list of");
            assertThat(receipt.control("disk").orElseThrow().value()).isEqualTo("64MiB");
            for (String bounded : List.of("memory", "processes", "cpus")) {
                assertThat(receipt.control(bounded).orElseThrow().by()).contains("cgroup v");
            }
        }
    }

    @Test
    void aBoxSeesNoNamesOfTheHostAndWritesNowhereButInItsScratch() {
        try (Sandbox box = TestPodman.tier().open(POLICY)) {
            Result result =
                    box.run(
                            Program.python(
                                    """
                                    import os
                                    places = []
                                    for top, folders, _ in os.walk('/'):
                                        if top.startswith('/proc'):
                                            folders.clear()
                                        try:
                                            os.close(os.open(top + '/planted', os.O_CREAT | os.O_WRONLY))
                                            places.append(top)
                                        except OSError:
                                            pass
                                    print(places, open('/etc/hosts').read().split())
                                    """));
            assertThat(result.stdout().text())
                    .isEqualTo(
                            "['/tmp', '/tmp/scratch']"
                                    + " ['127.0.0.1', 'localhost', 'box', '::1', 'localhost']\n");
        }
    }

    @Test
    void theScratchIsBoundedInSizeAndInFiles() {
        Policy small = POLICY.disk(Bytes.mebibytes(8));
        try (Sandbox box = TestPodman.tier().open(small)) {
            Result full =
                    box.run(
                            Program.python(
                                    "import os\ntry:\n    open('big', 'wb').write(bytes(9 << 20))\nexcept OSError as e: print(e.errno)"));
            assertThat(full.stdout().text()).isEqualTo("28\n");
            box.files().delete("big");
            Result many =
                    box.run(Program.python("for i in range(100000): open('f%d' % i, 'w').close()"));
            assertThat(many.outcome())
                    .isInstanceOfSatisfying(
                            Outcome.LimitHit.class,
                            hit -> assertThat(hit.limit()).isEqualTo(Limit.INODES));
        }
    }

    @Test
    void whoTakesTooMuchMemoryIsToldFromWhoExits() {
        try (Sandbox box = TestPodman.tier().open(POLICY)) {
            Result result = box.run(Program.python("x = bytearray(1 << 30)\nprint(len(x))"));
            assertThat(result.outcome())
                    .isInstanceOfSatisfying(
                            Outcome.LimitHit.class,
                            hit -> assertThat(hit.limit()).isEqualTo(Limit.MEMORY));
        }
    }

    @Test
    void nothingOfALotOfOutputAndInputIsLost() {
        byte[] input = "0123456789abcde\n".repeat(1 << 17).getBytes(StandardCharsets.US_ASCII);
        try (Sandbox box = TestPodman.tier().open(POLICY)) {
            Result result = box.run(Program.command("cat").stdin(input));
            assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
            assertThat(result.stdout().digest()).isEqualTo(Digests.hex(input));
        }
    }

    @Test
    void aClosedBoxLeavesNeitherContainerNorVolume() throws InterruptedException {
        Engine engine = new Engine(TestPodman.settings());
        Sandbox box = TestPodman.tier().open(POLICY);
        List<String> volumes =
                engine.volumes(Owner.LABEL).stream().map(InspectVolumeResponse::getName).toList();
        List<String> containers =
                engine.containers(List.of(Owner.LABEL)).stream().map(Container::getId).toList();
        assertThat(volumes).isNotEmpty();
        assertThat(containers).isNotEmpty();
        box.close();
        boolean left = true;
        for (int i = 0; i < 200 && left; i++) {
            Thread.sleep(100);
            left =
                    engine.volumes(Owner.LABEL).stream()
                                    .anyMatch(one -> volumes.contains(one.getName()))
                            || engine.containers(List.of(Owner.LABEL)).stream()
                                    .anyMatch(one -> containers.contains(one.getId()));
        }
        assertThat(left).isFalse();
    }

    @Test
    void whatACrashedJvmLeftIsSweptAndWhatIsInUseIsNot() throws Exception {
        Engine engine = new Engine(TestPodman.settings());
        Dialect dialect = engine.nature().dialect();
        String image = engine.image(TestImage.NAME).orElseThrow();
        Owner dead = new Owner(Owner.self().machine(), ProcessHandle.current().pid(), 1);
        Creation creation =
                Creation.of(
                        dialect,
                        Wall.CONTAINER,
                        ContainerSpec.of(image, POLICY),
                        30_000,
                        Optional.empty(),
                        dead);
        engine.createVolume(
                creation.name(), dialect.scratch(creation).orElseThrow(), dead.labels());
        String container = engine.create(creation);
        Path folder = Files.createTempDirectory("glovebox-engine-");
        Files.writeString(folder.resolve("owner"), dead.label());
        Files.writeString(folder.resolve("profile"), "{}");
        Path others = Files.createTempDirectory("glovebox-engine-");
        Files.writeString(others.resolve("owner"), new Owner("elsewhere", 1, 1).label());
        try (Sandbox alive = TestPodman.tier().open(POLICY)) {
            Leftovers.sweep(engine);
            assertThat(engine.containers(List.of(Owner.LABEL)))
                    .extracting(Container::getId)
                    .isNotEmpty()
                    .doesNotContain(container);
            assertThat(engine.volumes(Owner.LABEL))
                    .extracting(InspectVolumeResponse::getName)
                    .isNotEmpty()
                    .doesNotContain(creation.name());
            assertThat(folder).doesNotExist();
            assertThat(others).exists();
            assertThat(alive.run(Program.bash("echo on")).stdout().text()).isEqualTo("on\n");
        } finally {
            Files.delete(others.resolve("owner"));
            Files.delete(others);
        }
    }

    @Test
    void aServiceThatIsKilledEndsItsProgramsWithATypedOutcomeAtOnce() throws Exception {
        try (PrivateEngine service = TestPodman.engine().another()) {
            ContainerTier tier = new ContainerTier(TestPodman.settings(service));
            Sandbox box = tier.open(POLICY);
            CountDownLatch heard = new CountDownLatch(1);
            String container = running().getFirst();
            Execution execution =
                    box.start(Program.bash("echo begun; sleep 100"), chunk -> heard.countDown());
            assertThat(heard.await(30, TimeUnit.SECONDS)).isTrue();
            service.kill();
            long killed = System.nanoTime();
            Outcome outcome = execution.await().outcome();
            assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(SOON);
            assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
            assertThatThrownBy(() -> box.run(Program.bash("true"))).isInstanceOf(BoxGone.class);
            box.close();
            assertThat(endsByItself(container)).isTrue();
            assertThatThrownBy(() -> tier.open(POLICY)).isInstanceOf(NotEnforceable.class);
            assertThat(tier.probe()).isInstanceOf(Availability.Missing.class);
        }
    }

    private static List<String> running() {
        return new Engine(TestPodman.settings())
                .containers(List.of(Owner.LABEL)).stream()
                        .filter(one -> "running".equals(one.getState()))
                        .map(Container::getId)
                        .toList();
    }

    /** Nobody is left who could kill it. */
    private static boolean endsByItself(String container) throws InterruptedException {
        for (int i = 0; i < 100 && running().contains(container); i++) {
            Thread.sleep(100);
        }
        return !running().contains(container);
    }

    @Test
    void gvisorIsNotUsedThroughIt() {
        EngineTier tier = new EngineTier(Wall.GVISOR, TestPodman.settings());
        assertThat(tier.there()).isFalse();
        assertThatThrownBy(() -> tier.open(POLICY.isolation(Isolation.GVISOR)))
                .isInstanceOf(NotEnforceable.class)
                .hasMessageContaining("Podman");
    }
}
