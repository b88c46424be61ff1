package dev.glovebox.sandbox.lifetime;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.conformance.Walls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A box lives as long as its JVM, and not a moment longer. */
@EnabledOnOs(OS.LINUX)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class JvmLifetimeTest {

    /** Idle carrier threads of virtual threads end after 30 s. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Duration LONG_IDLE = Duration.ofSeconds(48);

    private static final int KILLS = Boolean.getBoolean("glovebox.soak") ? 200 : 10;
    private static final int ENDS = Boolean.getBoolean("glovebox.soak") ? 50 : 5;
    private static final int LATEST_MILLIS = 400;
    private static final int MANY = 10;

    /** Each has a program and its daemon. */
    private static final int PROCESSES_PER_BOX = 2;

    private static @TempDir @Nullable Path shared;

    /** Idles while the other tests run. */
    private static @Nullable Jvm idle;

    private static long idleSince;

    private final List<String> mounts = new ArrayList<>();
    private final List<Jvm> jvms = new ArrayList<>();

    @BeforeAll
    static void startTheIdleJvm() {
        idle = Jvm.start(requireNonNull(shared));
        // Without a jail only what asks for one is skipped.
        var _ = idle.ask("open jail 1 " + idle.marker());
        idleSince = System.nanoTime();
    }

    @AfterAll
    static void endTheIdleJvm() {
        if (idle != null) {
            idle.close();
        }
    }

    @BeforeEach
    void lookAtTheMounts() {
        mounts.addAll(Remains.mounts());
    }

    @AfterEach
    void endAll() {
        for (Jvm jvm : jvms) {
            jvm.close();
            // The process tier does not promise to end what a killed JVM leaves.
            for (Path process : Remains.marked(jvm.marker())) {
                ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                        .ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    private Jvm start() {
        Jvm jvm = Jvm.start(requireNonNull(shared));
        jvms.add(jvm);
        return jvm;
    }

    private static void assertInhabited(Jvm jvm, int boxes) {
        int processes = boxes * PROCESSES_PER_BOX;
        // A process that is just becoming another program has no command line for a moment.
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (Remains.marked(jvm.marker()).size() != processes && System.nanoTime() < deadline) {
            LockSupport.parkNanos(10_000_000);
        }
        assertThat(Remains.marked(jvm.marker())).hasSize(processes);
    }

    private void assertNothingIsLeft(Jvm jvm, List<Long> users) {
        assertThat(Remains.marked(jvm.marker())).as("processes").isEmpty();
        assertThat(Remains.ofUsersLike(users)).as("processes of the boxes' users").isEmpty();
        assertThat(Remains.cgroups(jvm.pid())).as("cgroups").isEmpty();
        assertThat(Remains.files(jvm)).as("temporary files").isEmpty();
        assertThat(Remains.mounts()).as("mounts").isEqualTo(mounts);
    }

    /** After a kill the kernel does the clearing up, and nobody waits for it. */
    private void awaitNoProcess(Jvm jvm, List<Long> users) {
        eventuallyEmpty(() -> Remains.marked(jvm.marker()));
        eventuallyEmpty(() -> Remains.ofUsersLike(users));
        assertThat(Remains.mounts()).as("mounts").isEqualTo(mounts);
    }

    private static void eventuallyEmpty(Supplier<? extends List<?>> search) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!search.get().isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(10_000_000);
        }
        assertThat(search.get()).isEmpty();
    }

    private static void pause(Random random) {
        LockSupport.parkNanos(random.nextInt(LATEST_MILLIS * 1000) * 1000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jail", "process"})
    void theEndOfMainEndsTheBoxes(String tier) {
        Jvm jvm = start();
        List<Long> users = jvm.open(tier, 2);
        assertInhabited(jvm, 2);
        jvm.tell("return");
        assertThat(jvm.await()).isZero();
        assertNothingIsLeft(jvm, users);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jail", "process"})
    void exitEndsTheBoxes(String tier) {
        Jvm jvm = start();
        List<Long> users = jvm.open(tier, MANY);
        assertInhabited(jvm, MANY);
        jvm.tell("exit");
        assertThat(jvm.await()).isZero();
        assertNothingIsLeft(jvm, users);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jail", "process"})
    void terminationEndsTheBoxes(String tier) {
        Jvm jvm = start();
        List<Long> users = jvm.open(tier, MANY);
        assertInhabited(jvm, MANY);
        jvm.signal("TERM");
        assertThat(jvm.await()).isEqualTo(128 + 15);
        assertNothingIsLeft(jvm, users);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jail", "process"})
    void controlCEndsTheBoxes(String tier) {
        Jvm jvm = start();
        List<Long> users = jvm.open(tier, MANY);
        assertInhabited(jvm, MANY);
        jvm.interruptGroup();
        assertThat(jvm.await()).isEqualTo(128 + 2);
        assertNothingIsLeft(jvm, users);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jail", "process"})
    void controlCInAJvmThatGoesOnLeavesTheBoxesAlone(String tier) {
        Jvm jvm = start();
        assertThat(jvm.ask("ignore-interrupts")).isEqualTo("ignoring");
        jvm.open(tier, 1);
        jvm.interruptGroup();
        assertThat(jvm.ask("check")).isEqualTo("checked alive");
        assertInhabited(jvm, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jail", "process"})
    void terminationWhileBoxesAreOpenedAndClosedLeavesNothing(String tier) {
        Random random = new Random();
        for (int i = 0; i < ENDS; i++) {
            Jvm jvm = start();
            List<Long> users = churn(jvm, tier);
            pause(random);
            if (random.nextBoolean()) {
                jvm.signal("TERM");
            } else {
                jvm.interruptGroup();
            }
            jvm.await();
            assertNothingIsLeft(jvm, users);
        }
    }

    private static List<Long> churn(Jvm jvm, String tier) {
        Walls.needed(tier);
        jvm.tell("churn " + tier + " " + jvm.marker());
        return List.of(Long.valueOf(jvm.answer().split(" ")[1]));
    }

    @Test
    void aKillAtAnyMomentLeavesNoProcessAndItsCgroupsGoAtTheNextStart() {
        Random random = new Random();
        List<Jvm> killed = new ArrayList<>();
        for (int i = 0; i < KILLS; i++) {
            Jvm jvm = start();
            List<Long> users =
                    switch (i % 3) {
                        case 0 -> jvm.open("jail", MANY);
                        case 1 -> churn(jvm, "jail");
                        default -> {
                            List<Long> first = jvm.open("jail", 1);
                            jvm.tell("open jail " + MANY + " " + jvm.marker());
                            yield first;
                        }
                    };
            pause(random);
            jvm.signal("KILL");
            assertThat(jvm.await()).isEqualTo(128 + 9);
            awaitNoProcess(jvm, users);
            assertThat(Remains.files(jvm)).as("temporary files").isEmpty();
            killed.add(jvm);
        }
        start().open("jail", 1);
        assertThat(killed).allSatisfy(jvm -> assertThat(Remains.cgroups(jvm.pid())).isEmpty());
    }

    @Test
    void aStartSweepsTheCgroupsOfTheDeadAndNotOfTheLiving() {
        Jvm living = start();
        Jvm dead = start();
        living.open("jail", 1);
        List<Long> users = dead.open("jail", 1);
        List<Path> groups = Remains.cgroups(living.pid());
        assertThat(Remains.cgroups(dead.pid())).hasSameSizeAs(groups);
        dead.signal("KILL");
        dead.await();
        awaitNoProcess(dead, users);
        assertThat(Remains.cgroups(dead.pid()))
                .as("left by a kill, so that there is something to sweep")
                .hasSameSizeAs(groups);

        start().open("jail", 1);

        assertThat(Remains.cgroups(dead.pid())).isEmpty();
        assertThat(Remains.cgroups(living.pid())).isEqualTo(groups);
        assertThat(living.ask("check")).isEqualTo("checked alive");
    }

    @Test
    void aStartSweepsTheCgroupsOfAJvmThatWasInAnotherGroup() throws IOException {
        Jvm living = start();
        living.open("jail", 1);
        List<Path> homes =
                Remains.cgroups(living.pid()).stream()
                        .map(group -> requireNonNull(group.getParent()))
                        .distinct()
                        .toList();
        assumeTrue(!homes.isEmpty(), "This user can make no cgroups");
        Jvm dead = start();
        List<Path> elsewhere = new ArrayList<>();
        try {
            for (Path home : homes) {
                Path group = Files.createDirectory(home.resolve("elsewhere-" + dead.pid()));
                elsewhere.add(group);
                Files.writeString(group.resolve("cgroup.procs"), Long.toString(dead.pid()));
            }
            List<Long> users = dead.open("jail", 1);
            assertThat(Remains.cgroups(dead.pid()))
                    .extracting(Path::getParent)
                    .containsExactlyInAnyOrderElementsOf(elsewhere);
            dead.signal("KILL");
            dead.await();
            awaitNoProcess(dead, users);

            start().open("jail", 1);

            assertThat(Remains.cgroups(dead.pid())).isEmpty();
        } finally {
            dead.close();
            for (Path group : elsewhere) {
                Files.delete(group);
            }
        }
    }

    @Test
    void aStartSweepsTheFoldersOfProcessBoxesOfTheDeadAndNotOfTheLiving() {
        Jvm living = start();
        living.open("process", 1);
        Jvm dead = Jvm.startWith(living.temporary());
        jvms.add(dead);
        dead.open("process", 2);
        assertThat(Remains.files(living)).hasSize(3);
        dead.signal("KILL");
        dead.await();

        Jvm next = Jvm.startWith(living.temporary());
        jvms.add(next);
        next.open("process", 1);

        assertThat(Remains.files(living))
                .extracting(folder -> folder.getFileName().toString().split("-")[1])
                .containsExactlyInAnyOrder("" + living.pid(), "" + next.pid());
        assertThat(living.ask("check")).isEqualTo("checked alive");
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void aBoxOpenedFromAVirtualThreadLivesOnInAnIdleJvm() {
        Walls.needed("jail");
        Jvm jvm = requireNonNull(idle);
        long left = LONG_IDLE.toNanos() - (System.nanoTime() - idleSince);
        if (left > 0) {
            LockSupport.parkNanos(left);
        }
        assertThat(jvm.alive()).isTrue();
        assertInhabited(jvm, 1);
        assertThat(jvm.ask("check")).isEqualTo("checked alive");
    }
}
