package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.support.World;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of an effect in the middle of which the process ends, in good order. */
class SuspensionTest {

    /** What came of it. */
    record Told(String what) {}

    private final World world = new World();
    private final CountDownLatch begun = new CountDownLatch(1);

    private Graph<Told> waiting(boolean gracefully) {
        return Graph.of("waiting", Told.class)
                .node(
                        "wait",
                        (told, context) ->
                                new Told(
                                        context.perform(
                                                world.tool(
                                                        "wait",
                                                        "",
                                                        String.class,
                                                        (any, call) -> outcome(gracefully)))))
                .edge("wait", Graph.END)
                .build();
    }

    /** The first time it takes for ever. */
    private String outcome(boolean gracefully) throws InterruptedException {
        if (begun.getCount() == 0) {
            return "done";
        }
        begun.countDown();
        try {
            TimeUnit.DAYS.sleep(1);
        } catch (InterruptedException e) {
            if (!gracefully) {
                throw e;
            }
        }
        return "killed";
    }

    private void resumed(boolean gracefully, Path keys) throws InterruptedException {
        try (Trace trace = Trace.open(new MemoryStore(), keys)) {
            Run<Told> run;
            try (Runs runs = Runs.in(trace)) {
                run = runs.start(waiting(gracefully), new Told(""), "interrupted");
                begun.await();
            }
            assertThatThrownBy(run::await).isInstanceOf(Suspended.class);
            try (Runs runs = Runs.in(trace)) {
                assertThat(runs.resume(waiting(gracefully), run.name()).await())
                        .isInstanceOfSatisfying(
                                Status.Finished.class,
                                end -> assertThat(end.state()).isEqualTo(new Told("done")));
            }
            assertThat(world.performed()).hasSize(2);
        }
    }

    @Test
    void anEffectThatEndsInOrderWhenInterruptedIsDoneAgain(@TempDir Path keys)
            throws InterruptedException {
        resumed(true, keys);
    }

    @Test
    void anEffectThatIsLeftBehindIsDoneAgain(@TempDir Path keys) throws InterruptedException {
        resumed(false, keys);
    }
}
