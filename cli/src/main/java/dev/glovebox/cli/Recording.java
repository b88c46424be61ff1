package dev.glovebox.cli;

import dev.glovebox.sandbox.Result;
import java.util.Optional;

/** What is written down about one execution. */
interface Recording extends AutoCloseable {

    /** Nothing is. */
    Recording NONE =
            new Recording() {
                @Override
                public Optional<String> run() {
                    return Optional.empty();
                }

                @Override
                public boolean end(Result result, PassedInput input) {
                    return true;
                }

                @Override
                public void failed(RuntimeException why) {
                    // Nobody wants to know.
                }

                @Override
                public void close() {
                    // Nothing was opened.
                }
            };

    /** The name of the run. */
    Optional<String> run();

    /** Writes down how it ended; false, with a word to the user, if that could not be kept. */
    boolean end(Result result, PassedInput input);

    /** Writes down that nothing ran. */
    void failed(RuntimeException why);

    @Override
    void close();
}
