package dev.glovebox.cli;

import dev.glovebox.agent.Launch;
import dev.glovebox.sandbox.Result;
import java.util.Optional;

/** Runs a program, and writes down what becomes of it. */
interface Recording extends AutoCloseable {

    /** Writes nothing down. */
    Recording NONE =
            new Recording() {
                @Override
                public Result run(Launch launch) {
                    try {
                        return launch.run();
                    } catch (InterruptedException e) {
                        // Nobody interrupts this thread.
                        throw new IllegalStateException(e);
                    }
                }

                @Override
                public Optional<RunRecord> record() {
                    return Optional.empty();
                }

                @Override
                public void close() {
                    // Nothing was opened.
                }
            };

    /**
     * Runs it.
     *
     * @throws RuntimeException why nothing ran, or the box was lost
     */
    Result run(Launch launch);

    /** What was written down; the user was told if that is less than it should be. */
    Optional<RunRecord> record();

    /** Whether all was written down that should be. */
    default boolean isKept() {
        return record().map(RunRecord::isSealed).orElse(true);
    }

    @Override
    void close();
}
