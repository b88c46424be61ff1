package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Boxes that run JavaScript leave nothing behind, however they end.
 *
 * <p>With the system property {@code glovebox.soak} set to true there are thousands of them.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class JavaScriptHygieneKit extends ConformanceKit {

    private static final boolean SOAK = Boolean.getBoolean("glovebox.soak");
    private static final int BOXES = SOAK ? 5_000 : 100;
    private static final int SPECIAL_BOXES = SOAK ? 200 : 10;
    private static final int WARM_UP = 3;
    private static final Duration SHORT = Duration.ofMillis(100);

    private interface Use {
        void once() throws Exception;
    }

    /** The first uses start what lives as long as the JVM; it is not counted. */
    private static void leavesNothing(int times, Use use) throws Exception {
        for (int i = 0; i < WARM_UP; i++) {
            use.once();
        }
        Census before = Census.take();
        for (int i = 0; i < times; i++) {
            use.once();
        }
        before.assertNothingWasAdded();
    }

    @Test
    void boxesInARowLeaveNothingBehind() throws Exception {
        leavesNothing(
                BOXES,
                () -> {
                    try (Sandbox box = open(Language.JAVASCRIPT)) {
                        Result result =
                                box.run(
                                        Program.javascript(
                                                        "const fs = require('fs'); fs.writeFileSync('f', fs.readFileSync(0))")
                                                .stdin("x")
                                                .output("f"));
                        assertThat(result.outcome())
                                .as(told(result))
                                .isEqualTo(new Outcome.Exited(0));
                        assertThat(result.files()).containsKey("f");
                    }
                });
    }

    @Test
    void boxesThatAreOpenTogetherLeaveNothingBehind() throws Exception {
        has(Language.JAVASCRIPT);
        leavesNothing(
                SPECIAL_BOXES,
                () -> {
                    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                        List<Future<Result>> results = new ArrayList<>();
                        for (int i = 0; i < 8; i++) {
                            results.add(
                                    threads.submit(() -> {
                                        try (Sandbox box = open(Language.JAVASCRIPT)) {
                                            return box.run(Program.javascript("console.log('x')"));
                                        }
                                    }));
                        }
                        for (Future<Result> result : results) {
                            assertThat(result.get().stdout().text()).isEqualTo("x\n");
                        }
                    }
                });
    }

    @Test
    void timeOutsLeaveNothingBehind() throws Exception {
        leavesNothing(
                SPECIAL_BOXES,
                () -> {
                    try (Sandbox box = open(policy().wall(SHORT), Language.JAVASCRIPT)) {
                        assertThat(box.run(Program.javascript("for (;;);")).outcome())
                                .isEqualTo(new Outcome.TimedOut(SHORT));
                    }
                });
    }

    @Test
    void cancelsLeaveNothingBehind() throws Exception {
        leavesNothing(
                SPECIAL_BOXES,
                () -> {
                    try (Sandbox box = open(Language.JAVASCRIPT)) {
                        Execution execution =
                                box.start(Program.javascript("for (;;);"), chunk -> {});
                        execution.cancel("enough");
                        assertThat(execution.await().outcome())
                                .isEqualTo(new Outcome.Cancelled("enough"));
                    }
                });
    }

    @Test
    void programsThatAreStillRunningWhenTheirBoxClosesLeaveNothingBehind() throws Exception {
        leavesNothing(
                SPECIAL_BOXES,
                () -> {
                    Sandbox box = open(Language.JAVASCRIPT);
                    Execution one = box.start(Program.javascript("for (;;);"), chunk -> {});
                    Execution other =
                            box.start(
                                    Program.javascript("setTimeout(() => {}, 600000)"),
                                    chunk -> {});
                    box.close();
                    assertThat(one.done() && other.done()).isTrue();
                });
    }
}
