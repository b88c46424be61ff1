package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import org.junit.jupiter.api.Test;

/** The jail holds every limit. */
@Behind(JailWall.class)
final class JailLimitsTest extends LimitsKit {

    /** What is read behind the end of a program has no limit of time any more. */
    @Test
    void whoeverSurvivesItsProgramAndWritesOnIsNotHeard() throws InterruptedException {
        Bytes room = Bytes.mebibytes(64);
        try (Sandbox box = open(policy().output(room), Language.BASH)) {
            Execution execution =
                    box.start(Program.bash("yes & yes & sleep 0.2; exit 7"), chunk -> pause());
            Result result = execution.await();
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(7));
            assertThat(result.stdout().total()).isLessThan(room.count());
        }
    }

    /** A listener that is slower than those who write. */
    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
